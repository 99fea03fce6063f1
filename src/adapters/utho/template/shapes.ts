import type { UthoConfiguration, NodeTemplateSettings } from '../configuration/utho-configuration.js';
import type { ClusterRecord, PoolRecord } from '../client/records.js';
import { workerPhase } from '../state/worker-state.js';
import { shapeOfPlan, shapeOfSettings, shapeOfWorker } from './machine-shape.js';
import type { MachineShape } from './machine-shape.js';
import type { PlanCatalogue } from './plan-catalogue.js';

/** Plans seen on workers; far more than a catalogue has. */
const SEEN_PLANS_MAX = 1_000;

type PoolPlan = Pick<PoolRecord, 'id' | 'planId'>;

/** Knows how large a new machine of a pool will be (`utho` 4.8, 4.9). */
export class Shapes {
  /** Last seen shape of a pool whose plan is not told. Bounded by the pools. */
  private byPool: ReadonlyMap<string, MachineShape> = new Map();
  private readonly byPlan = new Map<string, MachineShape>();

  constructor(
    private readonly configuration: Pick<UthoConfiguration, 'nodeTemplates'>,
    private readonly catalogue: PlanCatalogue,
  ) {}

  /** Remembers the workers of a read: an empty pool is like it was, or like another pool of its plan. */
  learn({ pools }: ClusterRecord): void {
    const byPool = new Map<string, MachineShape>();
    for (const pool of pools.values()) {
      const shape = exampleOf(pool) ?? this.byPool.get(pool.id);
      if (shape !== undefined && pool.planId === '') byPool.set(pool.id, shape);
    }
    this.byPool = byPool;
    for (const pool of pools.values()) {
      const shape = exampleOf(pool);
      if (shape === undefined || pool.planId === '') continue;
      if (this.byPlan.size >= SEEN_PLANS_MAX) this.byPlan.clear();
      this.byPlan.set(pool.planId, shape);
    }
  }

  of(pool: PoolPlan): MachineShape | undefined {
    const plan = shapeOfPlan(this.catalogue.plan(pool.planId));
    const shape =
      this.byPool.get(pool.id) ??
      this.byPlan.get(pool.planId) ??
      shapeOfSettings(this.settings(pool)) ??
      plan;
    return shape === undefined
      ? undefined
      : { ...shape, pricePerMonth: shape.pricePerMonth ?? plan?.pricePerMonth };
  }

  /** The pool's entry comes before its plan's. */
  settings({ id, planId }: PoolPlan): NodeTemplateSettings | undefined {
    const { nodeTemplates } = this.configuration;
    return nodeTemplates.get(id) ?? nodeTemplates.get(planId);
  }

  /** Plans that only the catalogue can tell about, or what they cost. */
  wantedPlans({ pools }: ClusterRecord): ReadonlySet<string> {
    const wanted = [...pools.values()].filter(
      (pool) => pool.autoScale && pool.planId !== '' && this.of(pool)?.pricePerMonth === undefined,
    );
    return new Set(wanted.map(({ planId }) => planId));
  }
}

/** A running worker of the pool's own plan, else any that is described: a plan may have been changed. */
function exampleOf({ planId, workers }: PoolRecord): MachineShape | undefined {
  const usable = workers.filter(
    (worker) =>
      shapeOfWorker(worker) !== undefined && (planId === '' || ['', planId].includes(worker.planId)),
  );
  const example =
    usable.find(({ status, appStatus }) => workerPhase(status, appStatus) === 'running') ?? usable[0];
  return example === undefined ? undefined : shapeOfWorker(example);
}
