import type { Clock } from '../../../application/ports/clock.js';
import { toFailure } from '../client/cloud-errors.js';
import type { ClusterRecord, PlanRecord } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';
import type { CallOptions, UthoApi } from '../client/utho-api.js';

/** `utho` 4.9. */
const LIFETIME_MS = 60 * 60_000;
/** Our decision: a catalogue that can't be had is no reason for two requests in each loop. */
const RETRY_MS = 5 * 60_000;

/** Machine plans of the cluster's data centre, fetched when somebody asks for one that is not known. */
export class PlanCatalogue {
  private plans: ReadonlyMap<string, PlanRecord> = new Map();
  private nextLookMs = 0;

  constructor(
    private readonly api: UthoApi,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  plan(planId: string): PlanRecord | undefined {
    return this.plans.get(planId);
  }

  /** Fetches once an hour at most. A failure is told, the plans known before stay, and it is tried again sooner. */
  async refresh(wanted: ReadonlySet<string>, cluster: ClusterRecord, options: CallOptions): Promise<void> {
    if (wanted.size === 0 || this.clock.now() < this.nextLookMs) return;
    this.nextLookMs = this.clock.now() + RETRY_MS;
    const listed = await this.fetch(() => this.api.plans(cluster.dcslug, options));
    const isMissing = [...wanted].some((id) => listed?.every((plan) => plan.id !== id) ?? true);
    const others = isMissing ? await this.fetchResizePlans(cluster, options) : [];
    const isWhole = listed !== null && others !== null;
    const plans = [...(others ?? []), ...(listed ?? [])];
    this.plans = new Map([...(isWhole ? [] : this.plans), ...plans.map((plan) => [plan.id, plan] as const)]);
    if (isWhole) this.nextLookMs = this.clock.now() + LIFETIME_MS;
  }

  /** Second choice: what some machine of the cluster could change to. */
  private async fetchResizePlans(
    { pools, masterId }: ClusterRecord,
    options: CallOptions,
  ): Promise<readonly PlanRecord[] | null> {
    const workerIds = [...pools.values()].flatMap((pool) => pool.workers.map(({ id }) => id));
    const machineId = workerIds[0] ?? masterId;
    return machineId === '' ? [] : this.fetch(() => this.api.resizePlans(machineId, options));
  }

  private async fetch(request: () => Promise<readonly PlanRecord[]>): Promise<readonly PlanRecord[] | null> {
    try {
      return await request();
    } catch (error) {
      const { message } = toFailure(error, 'the catalogue of plans cannot be read');
      this.telemetry.logger.warn('utho-plans', message);
      return null;
    }
  }
}
