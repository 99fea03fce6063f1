import { inject, injectable } from 'inversify';
import type { PendingClass } from '../../domain/estimation/index.js';
import type { SizeChange } from '../../domain/node-group/index.js';
import type { ClusterStateMemory, ScalingState } from '../../domain/readiness/index.js';
import { combineErrors, mergeChanges, mergeReports, withFailedGroups } from '../../domain/scale-up/index.js';
import type {
  ClassReport,
  Round,
  ScaleUpPlan,
  ScaleUpResult,
  TypedError,
} from '../../domain/scale-up/index.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { enterExecution } from './growth-ledger.js';
import type { Ledger } from './growth-ledger.js';
import { HappeningReporter } from './happening-reporter.js';
import type { ScaleUpContext } from './scale-up-context.js';
import { ScaleUpExecutor } from './scale-up-executor.js';
import type { Execution } from './scale-up-executor.js';
import { ScaleUpPlanner } from './scale-up-planner.js';
import { ScaleUpReporter } from './scale-up-reporter.js';

/** What one iteration did for the pending pods. */
export interface ScaleUpOutcome {
  readonly result: ScaleUpResult;
  readonly error: TypedError | null;
  readonly memory: ClusterStateMemory;
  /** With the groups as they stand after the growth. */
  readonly state: ScalingState;
  /** Accepted growth, one entry a group. */
  readonly increases: readonly SizeChange[];
  readonly reports: readonly ClassReport[];
  /** In order; the last one may be the one that found nothing more to do. */
  readonly plans: readonly ScaleUpPlan[];
}

interface Settlement {
  /** Pods of each class that the accepted machines hold, by class id. */
  readonly served: ReadonlyMap<number, number>;
  readonly left: readonly PendingClass[];
}

/** How far an iteration has come. */
interface Progress extends Omit<Ledger, 'happenings'> {
  readonly left: readonly PendingClass[];
  readonly rounds: readonly Round[];
  readonly plans: readonly ScaleUpPlan[];
  /** Failures of the latest execution. */
  readonly errors: readonly TypedError[];
  readonly isFinished: boolean;
}

/**
 * Plans and carries out growth, in rounds: when the cloud refuses a group for want of stock or quota, the same pods are
 * planned again at once without it (case U001).
 */
@injectable()
export class ScaleUpRunner {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(ScaleUpExecutor) private readonly executor: ScaleUpExecutor,
    @inject(ScaleUpReporter) private readonly reporter: ScaleUpReporter,
    @inject(HappeningReporter) private readonly happenings: HappeningReporter,
    @inject(ScaleUpPlanner) private readonly planner: ScaleUpPlanner,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Never throws for a cloud that refuses; the outcome says so. */
  async run(
    context: ScaleUpContext,
    classes: readonly PendingClass[],
    signal: AbortSignal,
  ): Promise<ScaleUpOutcome> {
    // Each round but the last sets a group aside.
    const roundsMax = context.state.groups.size + 1;
    const { memory, state, snapshot } = context;
    let progress: Progress = {
      ...{ memory, state, accepted: [], left: classes, rounds: [], plans: [], errors: [] },
      isFinished: classes.length === 0,
    };
    snapshot.fork();
    try {
      for (let round = 0; round < roundsMax && !progress.isFinished && !signal.aborted; round++) {
        progress = await this.oneRound(context, progress, signal);
      }
    } finally {
      snapshot.revert();
    }
    return this.finish(progress, classes);
  }

  /** Lifts groups to their minimum (`scale-up` 5.12). */
  async enforceMinimumSizes(context: ScaleUpContext, signal: AbortSignal): Promise<ScaleUpOutcome> {
    const plan = this.planner.planMinimumSizes(context);
    this.reporter.maxNodesReached(plan.maxNodesReached);
    if (plan.increases.length === 0) {
      const { memory, state } = context;
      const nothing = { increases: [], reports: [], plans: [] };
      return { result: 'ScaleUpNotNeeded', error: null, memory, state, ...nothing };
    }
    const execution = await this.executor.execute(plan.increases, context.templates, signal);
    const { memory, state, accepted } = this.enter(execution, context, context.memory);
    const error = combineErrors(errorsOf(execution));
    const result = error === null ? 'ScaleUpSuccessful' : 'ScaleUpError';
    return { result, error, memory, state, increases: accepted, reports: [], plans: [] };
  }

  private async oneRound(context: ScaleUpContext, before: Progress, signal: AbortSignal): Promise<Progress> {
    const plan = await this.planner.plan(context, before.state, before.left);
    this.reporter.planned(plan, context.observation.groupPriorities ?? null);
    const plans = [...before.plans, plan];
    if (plan.increases.length === 0) {
      const rounds = [...before.rounds, { reports: plan.reports, served: new Map<number, number>() }];
      return { ...before, plans, rounds, isFinished: true };
    }
    const execution = await this.executor.execute(plan.increases, context.templates, signal);
    const ledger = this.enter(execution, context, before.memory);
    const errors = errorsOf(execution);
    const { served, left } =
      errors.length === 0
        ? { served: servedAsPlanned(plan), left: [] }
        : await this.settle(context, before, ledger);
    const reports = withFailedGroups(plan.reports, plan.consideredGroupIds, failedGroups(execution));
    return {
      memory: ledger.memory,
      state: ledger.state,
      accepted: [...before.accepted, ...ledger.accepted],
      left,
      rounds: [...before.rounds, { reports, served }],
      plans,
      errors,
      isFinished: left.length === 0 || !isRefused(execution),
    };
  }

  /** Puts the accepted machines into the snapshot, to see which pods they hold and which are left. */
  private async settle(context: ScaleUpContext, before: Progress, ledger: Ledger): Promise<Settlement> {
    const growth = ledger.accepted.map(({ groupId, currentSize, newSize }) => ({
      template: context.templates.get(groupId)!,
      count: newSize - currentSize,
    }));
    const applied = await this.planner.apply(
      context.snapshot,
      before.left,
      growth,
      `round-${before.plans.length}`,
    );
    const served = new Map(before.left.map(({ classId }, index) => [classId, applied.placed[index]!]));
    return { served, left: applied.left };
  }

  private enter(execution: Execution, context: ScaleUpContext, memory: ClusterStateMemory): Ledger {
    const ledger = enterExecution(execution, {
      observation: context.observation,
      memory,
      policy: context.clusterStatePolicy,
      groups: this.cloud.nodeGroups(),
      atMs: this.clock.now(),
    });
    this.happenings.report(ledger.happenings);
    return ledger;
  }

  private finish(progress: Progress, classes: readonly PendingClass[]): ScaleUpOutcome {
    const lastPlan = progress.plans.at(-1);
    const error = combineErrors(progress.errors) ?? lastPlan?.error ?? null;
    const increases = mergeChanges(progress.accepted);
    const isSettled = progress.errors.length === 0 || progress.left.length === 0;
    const isGrown = increases.length > 0 && isSettled;
    const result = isGrown ? 'ScaleUpSuccessful' : error !== null ? 'ScaleUpError' : emptyResult(lastPlan);
    const reports = mergeReports(classes, progress.rounds);
    this.reporter.tellPods({ result, increases, reports });
    const { memory, state, plans } = progress;
    return { result, error: isGrown ? null : error, memory, state, increases, reports, plans };
  }
}

function emptyResult(plan: ScaleUpPlan | undefined): ScaleUpResult {
  return plan === undefined ? 'ScaleUpNotNeeded' : plan.result;
}

/** Another group may have what this one lacks. */
function isRefused(execution: Execution): boolean {
  return execution.growths.some(({ failure }) => failure?.kind === 'stock-out' || failure?.kind === 'quota');
}

function errorsOf(execution: Execution): readonly TypedError[] {
  return execution.growths.flatMap(({ failure }) =>
    failure === null
      ? []
      : [{ type: failure.code, message: `failed to increase node group size: ${failure.message}` }],
  );
}

function failedGroups(execution: Execution): ReadonlySet<string> {
  const failed = execution.growths.filter(({ failure }) => failure !== null).map(({ change }) => change);
  return new Set([...failed, ...execution.notTried].map((change) => change.groupId));
}

/** Everything was accepted: the plan's own numbers hold. */
function servedAsPlanned(plan: ScaleUpPlan): ReadonlyMap<number, number> {
  return new Map(plan.reports.map(({ classId, triggered }) => [classId, triggered]));
}
