import { inject, injectable } from 'inversify';
import { estimateByRuns } from '../../domain/estimation/index.js';
import type { PendingClass } from '../../domain/estimation/index.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { isUsable } from '../../domain/readiness/index.js';
import type { ClusterStateMemory, ScalingState } from '../../domain/readiness/index.js';
import type { Reason } from '../../domain/reason.js';
import {
  findPendingPods,
  isReservedForScaleDown,
  judgeGate,
  nextDegradation,
} from '../../domain/scale-up/index.js';
import type { ScaleUpMemory, ScaleUpResult } from '../../domain/scale-up/index.js';
import { VolumeClasses, classifyPods, relevantLabelKeys } from '../../domain/simulation/index.js';
import { Clock } from '../ports/clock.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { GroupEvents, ScaleUpReporter, ScaleUpRunner, runSteps, timersOn } from '../scale-up/index.js';
import type { ScaleUpContext, ScaleUpOutcome } from '../scale-up/index.js';
import type { ClusterModel } from './cluster-modeler.js';
import { LoopPolicies } from './loop-policies.js';

export interface ScaleUpStepInput {
  readonly model: ClusterModel;
  readonly state: ScalingState;
  readonly clusterState: ClusterStateMemory;
  readonly memory: ScaleUpMemory;
  /** Group of each upcoming placeholder, by node name. */
  readonly placeholders: ReadonlyMap<string, string>;
}

export interface ScaleUpStepResult {
  readonly result: ScaleUpResult;
  /** Null: the gate was closed, nothing was planned. */
  readonly outcome: ScaleUpOutcome | null;
  readonly memory: ScaleUpMemory;
  /** Waiting pods for which there is room. */
  readonly schedulable: readonly Pod[];
  /** Why nothing may be removed in this iteration, or null. */
  readonly forbidsScaleDown: Reason | null;
  /** When a batch of new pods, which was not looked at, is old enough; null: there is none. */
  readonly batchIsDueMs: number | null;
}

interface PendingPodsResult {
  readonly pods: readonly Pod[];
  readonly schedulable: readonly Pod[];
  readonly memory: ScaleUpMemory;
}

/** From waiting pods to ordered machines (`scale-up` 2.4 steps 29 to 33). */
@injectable()
export class ScaleUpStep {
  constructor(
    @inject(ScaleUpRunner) private readonly runner: ScaleUpRunner,
    @inject(ScaleUpReporter) private readonly reporter: ScaleUpReporter,
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Logger) private readonly logger: Logger,
    @inject(LoopPolicies) private readonly policies: LoopPolicies,
  ) {}

  async run(input: ScaleUpStepInput, signal: AbortSignal): Promise<ScaleUpStepResult> {
    const { pods, schedulable, memory } = await this.pendingPods(input);
    signal.throwIfAborted();
    const gate = this.judgeGate(input, pods, memory);
    if (!gate.open) {
      const { result, opensAtMs } = gate;
      if (result === 'ScaleUpLimitedByMaxNodesTotal') {
        this.reporter.limitedByMaxNodes(pods, this.policies.scaleUp.maxNodesTotal);
      }
      const forbidsScaleDown = opensAtMs === null ? null : NEW_PODS;
      return { result, outcome: null, memory, schedulable, forbidsScaleDown, batchIsDueMs: opensAtMs };
    }
    const startedMs = this.clock.now();
    this.metrics.set('last_activity', startedMs / 1000, { activity: 'scaleUp' });
    const classes = this.classify(gate.pods, input.model);
    const outcome = await this.runner.run(this.context(input), classes, signal);
    this.observe('scaleUp', startedMs);
    const { result } = outcome;
    return { result, outcome, memory, schedulable, forbidsScaleDown: null, batchIsDueMs: null };
  }

  enforceMinimumSizes(input: ScaleUpStepInput, signal: AbortSignal): Promise<ScaleUpOutcome> {
    return this.runner.enforceMinimumSizes(this.context(input), signal);
  }

  private async pendingPods({ model, memory }: ScaleUpStepInput): Promise<PendingPodsResult> {
    const startedMs = this.clock.now();
    const { nowMs, deletions } = model.observation;
    const finding = findPendingPods(
      {
        nowMs,
        snapshot: model.snapshot,
        triaged: model.triaged,
        drainedNodes: deletions.drained,
        hints: memory.hints,
        startTimer: timersOn(this.clock),
      },
      this.policies.pendingPods,
    );
    const pending = await runSteps(finding, this.clock, this.metrics);
    this.observe('filterOutSchedulable', startedMs);
    for (const fault of pending.faults) this.logger.warn('pod-annotation-ignored', fault);
    const degradation = nextDegradation(memory.degradedLoops, pending.unexamined);
    if (degradation.event !== null) this.events.record(degradation.event);
    const { degradedLoops } = degradation;
    const { pods, placed } = pending;
    return { pods, schedulable: placed, memory: { hints: pending.hints, degradedLoops } };
  }

  private classify(pods: readonly Pod[], { observation, templates }: ClusterModel): readonly PendingClass[] {
    const existing = [...observation.pods, ...[...templates.values()].flatMap((template) => template.pods)];
    const volumes = new VolumeClasses(observation.storage, observation.pods);
    return classifyPods(pods, relevantLabelKeys(pods, existing), volumes).classes;
  }

  private judgeGate(input: ScaleUpStepInput, pods: readonly Pod[], memory: ScaleUpMemory) {
    const { pendingPods, scaleUp } = this.policies;
    const { nowMs, nodes } = input.model.observation;
    return judgeGate({
      nowMs,
      pods,
      readyNodeCount: nodes.filter(isUsable).length,
      maxNodesTotal: scaleUp.maxNodesTotal,
      hasBypassedSchedulers: pendingPods.bypassedSchedulers.length > 0,
      reservedForScaleDown: isReservedForScaleDown(memory.degradedLoops),
    });
  }

  private context({ model, state, clusterState, placeholders }: ScaleUpStepInput): ScaleUpContext {
    const { observation, snapshot, templates, machines } = model;
    const { quotas, scaleUp: policy, clusterState: clusterStatePolicy } = this.policies;
    const estimator = estimateByRuns;
    return {
      ...{ observation, state, memory: clusterState, snapshot, placeholders, templates, machines },
      ...{ quotas, estimator, policy, clusterStatePolicy },
    };
  }

  private observe(step: string, startedMs: number): void {
    const seconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', seconds, { function: step });
  }
}

const NEW_PODS: Reason = {
  rule: 'PodsAreNew',
  text: 'all waiting pods are new: their batch is looked at first',
};
