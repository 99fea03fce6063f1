import type { Clock } from '../../application/ports/clock.js';
import type { Telemetry } from './client/telemetry.js';
import type { GroupView } from './group-view.js';
import type { OrderBook } from './growth/order-book.js';
import type { Backoffs } from './growth/backoffs.js';
import { POOL_LABEL } from './labels.js';
import type { ServerCache } from './state/server-cache.js';

/** `hetzner` 3.7d and 6.11. */
const ORPHAN_LOOK_MS = 5 * 60_000;
const STRANDED_REPEAT_MS = 24 * 3_600_000;

/** Tells about servers that cost money and serve nobody, and counts the others. */
export class FleetReport {
  private lastOrphanLookMs = -Infinity;
  private lastStrandedReportMs = -Infinity;

  constructor(
    private readonly parts: {
      readonly cache: ServerCache;
      readonly view: GroupView;
      readonly orders: OrderBook;
      readonly backoffs: Backoffs;
      readonly poolIds: ReadonlySet<string>;
      readonly clock: Clock;
      readonly telemetry: Telemetry;
    },
  ) {}

  tell(): void {
    this.countServers();
    this.countBackoffs();
    this.tellStranded();
    const nowMs = this.parts.clock.now();
    if (nowMs - this.lastOrphanLookMs < ORPHAN_LOOK_MS) return;
    this.lastOrphanLookMs = nowMs;
    this.tellOrphans();
  }

  private countServers(): void {
    const { metrics } = this.parts.telemetry;
    const servers = new Map<string, number>();
    for (const server of this.parts.cache.all()) {
      const key = JSON.stringify([server.labels.get(POOL_LABEL) ?? '', server.status]);
      servers.set(key, (servers.get(key) ?? 0) + 1);
    }
    metrics.reset('hcloud_servers');
    for (const [key, count] of servers) {
      const [pool, status] = JSON.parse(key) as [string, string];
      metrics.set('hcloud_servers', count, { pool, status });
    }
    for (const pool of this.parts.poolIds) {
      const pending = this.parts.orders.placeholders(pool).filter((order) => order.failure === null).length;
      metrics.set('hcloud_pending_creates', pending, { pool });
    }
  }

  private countBackoffs(): void {
    const { backoffs, telemetry } = this.parts;
    telemetry.metrics.reset('hcloud_candidate_backoff_seconds');
    for (const { serverType, location, leftMs } of backoffs.offers()) {
      const labels = { server_type: serverType, location };
      telemetry.metrics.set('hcloud_candidate_backoff_seconds', leftMs / 1_000, labels);
    }
  }

  /** Servers of a pool that is no longer configured: nobody scales them in. */
  private tellStranded(): void {
    const { clock, telemetry } = this.parts;
    const stranded = [...this.parts.cache.all()].filter(
      (server) => !this.parts.poolIds.has(server.labels.get(POOL_LABEL) ?? ''),
    );
    telemetry.metrics.set('hcloud_stranded_servers', stranded.length);
    if (stranded.length === 0 || clock.now() - this.lastStrandedReportMs < STRANDED_REPEAT_MS) return;
    this.lastStrandedReportMs = clock.now();
    const names = stranded.map((server) => server.name).join(', ');
    const problem = `servers that belong to no configured pool cost money and are never scaled down: ${names}`;
    const message = `${problem}; delete them, or name their pools in --nodes`;
    telemetry.logger.warn('hcloud-stranded-servers', message, { servers: stranded.length });
  }

  /** Left behind by a run that ended in the middle of a creation; they show as failed and are deleted as such. */
  private tellOrphans(): void {
    const { telemetry } = this.parts;
    const orphans = [...this.parts.cache.all()].filter((server) => {
      return (
        this.parts.poolIds.has(server.labels.get(POOL_LABEL) ?? '') &&
        this.parts.view.stateOf(server).failure !== null
      );
    });
    telemetry.metrics.set('hcloud_orphan_servers', orphans.length);
    for (const server of orphans) {
      const message = `server ${server.name} (${server.status}) has no node and nobody works on it: it is given up`;
      telemetry.logger.warn('hcloud-orphan-server', message, { serverId: server.id });
    }
  }
}
