import { inject, injectable } from 'inversify';
import type { Observation } from '../../domain/observation.js';
import { isUsable } from '../../domain/readiness/index.js';
import type { ScalingState } from '../../domain/readiness/index.js';
import { clearUnneeded, recordScaleUp, restoreUnneeded } from '../../domain/scale-down/index.js';
import { addUpcomingNodes, mayScaleDown } from '../../domain/scale-up/index.js';
import { Clock } from '../ports/clock.js';
import { Logger } from '../ports/logger.js';
import { ScaleDownSettings, StaleMarkCleaner } from '../scale-down/index.js';
import type { ScaleUpOutcome } from '../scale-up/index.js';
import { ClusterModeler } from './cluster-modeler.js';
import type { ClusterModel } from './cluster-modeler.js';
import { GroupCare } from './group-care.js';
import type { CareResult } from './group-care.js';
import { createLoopMemory } from './loop-memory.js';
import type { LoopMemory } from './loop-memory.js';
import { LoopOptions } from './loop-options.js';
import { LoopReporter } from './loop-reporter.js';
import type { RecentActivity } from './loop-trigger.js';
import { Observer } from './observer.js';
import { ScaleDownStep } from './scale-down-step.js';
import { ScaleUpStep } from './scale-up-step.js';
import type { ScaleUpStepInput, ScaleUpStepResult } from './scale-up-step.js';

/** One iteration: observe, decide, act, report (`scale-up` 2.4). */
@injectable()
export class Autoscaler {
  private memory: LoopMemory;
  private isRestored = false;
  private batchIsDueMs: number | null = null;

  constructor(
    @inject(Observer) private readonly observer: Observer,
    @inject(StaleMarkCleaner) private readonly cleaner: StaleMarkCleaner,
    @inject(ClusterModeler) private readonly modeler: ClusterModeler,
    @inject(GroupCare) private readonly groupCare: GroupCare,
    @inject(ScaleUpStep) private readonly scaleUpStep: ScaleUpStep,
    @inject(ScaleDownStep) private readonly scaleDownStep: ScaleDownStep,
    @inject(LoopReporter) private readonly reporter: LoopReporter,
    @inject(ScaleDownSettings) private readonly scaleDownSettings: ScaleDownSettings,
    @inject(LoopOptions) private readonly options: LoopOptions,
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
  ) {
    this.memory = createLoopMemory(clock.now());
  }

  get recentActivity(): RecentActivity {
    const { lastScaleUpMs, lastDeletionMs } = this.memory.scaleDown;
    const { batchIsDueMs } = this;
    return { lastScaleUpMs, lastScaleDownDeleteMs: lastDeletionMs, batchIsDueMs };
  }

  /** Throws what ended the iteration early; what was done until then stays done, and the next one goes on from there. */
  async runOnce(signal: AbortSignal): Promise<void> {
    this.batchIsDueMs = null;
    const built = await this.observe(signal);
    await this.letOthersRun(signal);
    const obstacle = this.obstacle(built);
    if (obstacle !== null) return this.standStill(obstacle, signal);
    const care = await this.careForGroups(built, signal);
    let { state } = care;
    try {
      if (care.verdict !== 'go-on') return;
      this.reporter.mark('autoscaling');
      await this.letOthersRun(signal);
      state = await this.scale({ ...built, observation: care.observation }, state, signal);
    } finally {
      await this.reporter.finished(state, signal);
    }
  }

  private async observe(signal: AbortSignal): Promise<ClusterModel> {
    const startedMs = this.clock.now();
    const observed = await this.observer.observe(signal);
    this.reporter.measure('cloudProviderRefresh', startedMs);
    this.restore(observed);
    const observation = await this.cleaner.clean(observed, signal);
    await this.letOthersRun(signal);
    const { model, memory } = await this.modeler.model(observation, this.memory.templates);
    this.remember({ templates: memory });
    this.reporter.observed(model);
    return model;
  }

  /** Timers that a predecessor left as soft taints. */
  private restore({ nodes, nowMs }: Observation): void {
    if (this.isRestored) return;
    this.isRestored = true;
    const { deletionCandidateTtlMs } = this.scaleDownSettings.policy;
    this.remember({
      scaleDown: restoreUnneeded(this.memory.scaleDown, nodes, deletionCandidateTtlMs, nowMs),
    });
  }

  /** Without `--scale-up-from-zero` an empty or dead cluster is left alone (`scale-up` 2.4 step 7). */
  private obstacle({ observation: { nodes } }: ClusterModel): string | null {
    if (this.options.scaleUpFromZero || nodes.some(isUsable)) return null;
    return nodes.length === 0 ? 'Cluster has no nodes.' : 'Cluster has no ready nodes.';
  }

  private async standStill(obstacle: string, signal: AbortSignal): Promise<void> {
    this.remember({ scaleDown: clearUnneeded(this.memory.scaleDown) });
    this.logger.warn('cluster-not-actionable', obstacle);
    await this.reporter.notActionable(obstacle, signal);
  }

  private async careForGroups({ observation }: ClusterModel, signal: AbortSignal): Promise<CareResult> {
    const startedMs = this.clock.now();
    const care = await this.groupCare.care(observation, this.memory.clusterState, signal);
    this.remember({ clusterState: care.memory });
    if (care.verdict === 'unhealthy') this.remember({ scaleDown: clearUnneeded(this.memory.scaleDown) });
    this.reporter.measure('updateClusterState', startedMs);
    return care;
  }

  /**
   * Grows, shrinks, lifts to minimums; returns the groups' state after that. A group that the cloud refused to grow is
   * no failure of the iteration: it backs off, and the others go on.
   */
  private async scale(model: ClusterModel, before: ScalingState, signal: AbortSignal): Promise<ScalingState> {
    const upcoming = addUpcomingNodes(model.snapshot, before, model.templates);
    for (const id of upcoming.withoutTemplate) {
      this.logger.warn('upcoming-not-simulated', `machines of ${id} are on the way, but it has no template`);
    }
    const input = { model, placeholders: upcoming.placeholders };
    const grown = await this.scaleUpStep.run(this.scaleUpInput(input, before), signal);
    this.remember({ scaleUp: grown.memory });
    this.batchIsDueMs = grown.batchIsDueMs;
    this.reporter.decidedOn(model, grown.schedulable);
    let state = this.enterGrowth(grown.outcome, before);
    const failure = await this.scaleDown(model, new Set(upcoming.replaced), grown, signal);
    if (this.options.enforceMinSize) {
      const lifted = await this.scaleUpStep.enforceMinimumSizes(this.scaleUpInput(input, state), signal);
      state = this.enterGrowth(lifted, state);
    }
    if (failure !== null) throw failure;
    return state;
  }

  private scaleUpInput(
    input: Pick<ScaleUpStepInput, 'model' | 'placeholders'>,
    state: ScalingState,
  ): ScaleUpStepInput {
    return { ...input, state, clusterState: this.memory.clusterState, memory: this.memory.scaleUp };
  }

  private enterGrowth(outcome: ScaleUpOutcome | null, before: ScalingState): ScalingState {
    if (outcome === null) return before;
    this.remember({ clusterState: outcome.memory });
    const groupIds = outcome.increases.map(({ groupId }) => groupId);
    if (groupIds.length > 0) {
      this.remember({ scaleDown: recordScaleUp(this.memory.scaleDown, before.nowMs, groupIds) });
    }
    return outcome.state;
  }

  /** `replaced`: nodes that are still starting; placeholders stand for them. Returns why nodes could not be marked. */
  private async scaleDown(
    { observation, snapshot }: ClusterModel,
    replaced: ReadonlySet<string>,
    grown: ScaleUpStepResult,
    signal: AbortSignal,
  ): Promise<Error | null> {
    if (!this.options.scaleDown || !mayScaleDown(grown.memory.degradedLoops)) return null;
    signal.throwIfAborted();
    const nodes = observation.nodes.filter(({ name }) => !replaced.has(name));
    const step = await this.scaleDownStep.run(
      {
        observation: { ...observation, nodes },
        snapshot,
        memory: this.memory.scaleDown,
        forbidden: grown.forbidsScaleDown,
      },
      signal,
    );
    this.remember({ scaleDown: step.memory });
    this.reporter.planned(step.plan);
    return step.failure;
  }

  /** Between parts that take 10 ms and more at 5,000 nodes: watches, lease and health must stay alive. */
  private async letOthersRun(signal: AbortSignal): Promise<void> {
    await this.clock.yield();
    signal.throwIfAborted();
  }

  private remember(news: Partial<LoopMemory>): void {
    this.memory = { ...this.memory, ...news };
  }
}
