import { CloudError } from '../../application/ports/cloud-provider.js';
import type { Clock } from '../../application/ports/clock.js';
import { toFailure } from './client/cloud-errors.js';
import { API_INCIDENT } from './client/telemetry.js';
import type { Telemetry } from './client/telemetry.js';
import type { FleetReport } from './fleet-report.js';
import type { ClusterRead, ClusterReads } from './state/cluster-reads.js';
import type { Pools } from './state/pools.js';
import type { PlanCatalogue } from './template/plan-catalogue.js';
import type { Shapes } from './template/shapes.js';
import { withinTime } from './within-time.js';

/** Or the main loop would hang (`utho` 3.9). */
const REFRESH_MS_MAX = 60_000;
/** Plans are asked for in the same minute as the cluster; none is begun later than this. */
const PLANS_BEGIN_MS_MAX = 20_000;
/** Longest pause that the API may ask for between two reads: longer, and nobody would see the pools recover. */
const PAUSE_MS_MAX = 5 * 60_000;

export interface RefreshParts {
  readonly reads: ClusterReads;
  readonly pools: Pools;
  readonly shapes: Shapes;
  readonly catalogue: PlanCatalogue;
  readonly report: FleetReport;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly lifetime: AbortSignal;
}

/** Brings the cache up to date (`utho` 4.2). Callers at the same time share one request. */
export class Refresh {
  private flight: Promise<void> | null = null;
  /** The API asked for a pause until then. */
  private pausedUntilMs = -Infinity;

  constructor(private readonly parts: RefreshParts) {}

  /** Throws CloudError, and then everything stays as it was. */
  run(signal: AbortSignal): Promise<void> {
    this.flight ??= this.begin(signal).finally(() => {
      this.flight = null;
    });
    return this.flight;
  }

  private begin(signal: AbortSignal): Promise<void> {
    const { clock, lifetime } = this.parts;
    const signals = [signal, lifetime];
    const isGivenUp = (): boolean => signals.some(({ aborted }) => aborted);
    return withinTime(clock, { signals, ms: REFRESH_MS_MAX }, (limited) => this.fill(limited, isGivenUp));
  }

  private async fill(signal: AbortSignal, isGivenUp: () => boolean): Promise<void> {
    const { pools, shapes, catalogue, report, clock } = this.parts;
    report.begins();
    const read = await this.read(signal, isGivenUp);
    const changes = pools.publish(read);
    shapes.learn(read.record);
    const deadlineMs = read.startedMs + PLANS_BEGIN_MS_MAX;
    if (clock.now() < deadlineMs) {
      await catalogue.refresh(shapes.wantedPlans(read.record), read.record, { signal, deadlineMs });
    }
    report.tell(read, changes);
  }

  private async read(signal: AbortSignal, isGivenUp: () => boolean): Promise<ClusterRead> {
    const { reads, telemetry, clock } = this.parts;
    const pauseMs = this.pausedUntilMs - clock.now();
    if (pauseMs > 0) throw this.paused(pauseMs);
    try {
      const read = await reads.read(signal);
      telemetry.incidents.over(API_INCIDENT);
      return read;
    } catch (error) {
      const failure = toFailure(error, `cluster ${reads.clusterId ?? ''} cannot be read`);
      if (!isGivenUp() && !(error instanceof CloudError)) {
        telemetry.incidents.happened(API_INCIDENT, `Utho API: ${failure.message}`, error);
        this.pausedUntilMs = clock.now() + Math.min(failure.retryAfterMs ?? 0, PAUSE_MS_MAX);
      }
      const message = `${failure.message}; the last list is ${this.age()}`;
      throw new CloudError({ ...failure, message }, { cause: error });
    }
  }

  private paused(pauseMs: number): CloudError {
    const pause = `the API asked for a pause, ${Math.ceil(pauseMs / 1_000)} s of it are left`;
    const message = `cluster ${this.parts.reads.clusterId ?? ''} is not read: ${pause}; the last list is ${this.age()}`;
    return new CloudError({ kind: 'throttled', code: 'paused', message, retryAfterMs: pauseMs });
  }

  private age(): string {
    const { pools, clock } = this.parts;
    if (pools.lastRead === null) return 'not there';
    return `${Math.round((clock.now() - pools.lastRead.startedMs) / 1_000)} s old`;
  }
}
