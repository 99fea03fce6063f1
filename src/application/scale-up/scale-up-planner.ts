import { inject, injectable } from 'inversify';
import type { PendingClass } from '../../domain/estimation/index.js';
import { QuotaTracker } from '../../domain/node-group/index.js';
import type { ScalingState } from '../../domain/readiness/index.js';
import { applyGrowth, planMinimumSizes, planSalvo, planScaleUp } from '../../domain/scale-up/index.js';
import type {
  AcceptedGrowth,
  AppliedGrowth,
  MinimumSizesPlan,
  ScaleUpPlan,
} from '../../domain/scale-up/index.js';
import type { ClusterSnapshot } from '../../domain/simulation/index.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { Metrics } from '../ports/metrics.js';
import { Random } from '../ports/random.js';
import { runSteps, timersOn } from './run-steps.js';
import type { ScaleUpContext } from './scale-up-context.js';

/** Lets the domain plan, with pauses, against what the snapshot holds at the moment. */
@injectable()
export class ScaleUpPlanner {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(Clock) private readonly clock: Clock,
    @inject(Random) private readonly random: Random,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  plan(context: ScaleUpContext, state: ScalingState, classes: readonly PendingClass[]): Promise<ScaleUpPlan> {
    const input = {
      state,
      snapshot: context.snapshot,
      templates: context.templates,
      prices: pricesOf(context),
      gpuLabel: this.cloud.gpuLabel,
      priorities: context.observation.groupPriorities ?? null,
      classes,
      quotas: this.quotasOf(context),
      estimator: context.estimator,
      startTimer: timersOn(this.clock),
      chance: () => this.random.next(),
    };
    const { policy } = context;
    const planning = policy.salvo ? planSalvo(input, policy) : planScaleUp(input, policy);
    return runSteps(planning, this.clock, this.metrics);
  }

  planMinimumSizes(context: ScaleUpContext): MinimumSizesPlan {
    return planMinimumSizes({ ...context, quotas: this.quotasOf(context) }, context.policy);
  }

  /** Puts new nodes into the snapshot and pods onto them. */
  apply(
    snapshot: ClusterSnapshot,
    classes: readonly PendingClass[],
    growth: readonly AcceptedGrowth[],
    roundName: string,
  ): Promise<AppliedGrowth> {
    return runSteps(applyGrowth(snapshot, classes, growth, roundName), this.clock, this.metrics);
  }

  /** What the nodes of the snapshot leave of the quotas. */
  private quotasOf({ quotas, snapshot, observation, placeholders, machines }: ScaleUpContext): QuotaTracker {
    const groupOf = (name: string): string | undefined =>
      observation.groupIdByNode.get(name) ?? placeholders.get(name);
    return QuotaTracker.over(quotas, {
      nodes: snapshot.nodeNames().map((name) => snapshot.node(name)!),
      gpuLabel: this.cloud.gpuLabel,
      promisedFor: (name) => machines.get(groupOf(name) ?? '')?.node,
    });
  }
}

function pricesOf({ machines }: ScaleUpContext): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const [groupId, { pricePerHour }] of machines) {
    if (pricePerHour !== null) prices.set(groupId, pricePerHour);
  }
  return prices;
}
