import type { Clock } from '../../../application/ports/clock.js';
import type { Random } from '../../../application/ports/random.js';
import type { ServerList } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { Server } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';
import { POOL_LABEL } from '../labels.js';

/** Jitter taken off the lifetime of each fill, so that replicas and clusters spread out (`hetzner` 3.3). */
const JITTER_MS_MIN = 5_000;
const JITTER_MS_MAX = 60_000;
const LIFETIME_MS_MIN = 5_000;
/** While the request budget is low. */
const STRETCHED_LIFETIME_MS = 5 * 60_000;
/** Lists lag behind writes: for so long our own news about a server outweighs a list without it. */
const HOLD_MS = 2 * 60_000;
/** Vanished servers are remembered, since their nodes linger (`hetzner` 3.4). */
const MEMORY_MS = 15 * 60_000;
/** A list that suddenly lacks so many is asked for again before it is believed. */
const SUSPICIOUS_LOSS_MIN = 3;
const SUSPICIOUS_LOSS_SHARE = 0.5;
const SECOND_LOOK_AFTER_MS = 2_000;
/** A few servers that vanished without our doing are asked for one by one: a list alone may just have missed them. */
const CONFIRMED_MAX = 5;

export interface ServerSource {
  fetch(options: CallOptions): Promise<ServerList>;
  /** Null: the API says that there is no such server. */
  find(id: number, signal: AbortSignal): Promise<Server | null>;
  isBudgetLow(): boolean;
}

interface VanishedServer {
  readonly poolId: string;
  readonly vanishedMs: number;
}

/**
 * All servers with our labels, as last told by the API and corrected by our own writes since. A failed fetch leaves
 * everything as it was.
 */
export class ServerCache {
  private servers = new Map<number, Server>();
  private byNameIndex = new Map<string, Server>();
  private readonly heldUntilMs = new Map<number, number>();
  private readonly accepted = new Map<number, number>();
  private readonly vanished = new Map<number, VanishedServer>();
  private filledMs: number | null = null;
  private lifetimeMs = 0;
  private flight: Promise<void> | null = null;

  constructor(
    private readonly source: ServerSource,
    private readonly ttlMs: number,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly telemetry: Telemetry,
  ) {}

  /** Fetches if the last fill has expired; concurrent callers share one fetch. Throws what the source throws. */
  async refresh(options: CallOptions): Promise<void> {
    if (this.isFresh()) return;
    this.flight ??= this.fill(options).finally(() => {
      this.flight = null;
    });
    await this.flight;
  }

  /** Age of the data; infinite before the first fill. */
  ageMs(): number {
    return this.filledMs === null ? Infinity : this.clock.now() - this.filledMs;
  }

  /** The next refresh fetches. */
  invalidate(): void {
    this.lifetimeMs = 0;
  }

  /** News about a server, newer than any list. */
  put(server: Server): void {
    this.servers.set(server.id, server);
    this.byNameIndex.set(server.name.toLowerCase(), server);
    this.heldUntilMs.set(server.id, this.clock.now() + HOLD_MS);
  }

  /** The API accepted the deletion: it leaves the target now, and no late list brings it back. */
  acceptDeletion(id: number): void {
    this.accepted.set(id, this.clock.now());
    this.heldUntilMs.delete(id);
    const server = this.servers.get(id);
    if (server !== undefined) this.remember(server);
  }

  /** The deletion failed for good: it counts again. */
  forgetDeletion(id: number): void {
    this.accepted.delete(id);
    this.vanished.delete(id);
  }

  /** The API said that it is gone. */
  remove(id: number): void {
    const server = this.servers.get(id);
    if (server === undefined) return;
    this.remember(server);
    this.servers.delete(id);
    this.heldUntilMs.delete(id);
    this.indexNames();
  }

  isDeletionAccepted(id: number): boolean {
    return this.accepted.has(id);
  }

  byId(id: number): Server | undefined {
    return this.servers.get(id);
  }

  /** Host names have no case. */
  byName(name: string): Server | undefined {
    return this.byNameIndex.get(name.toLowerCase());
  }

  all(): IterableIterator<Server> {
    return this.servers.values();
  }

  inPool(poolId: string): readonly Server[] {
    return [...this.servers.values()].filter((server) => server.labels.get(POOL_LABEL) === poolId);
  }

  /** Pool that a vanished server had, for as long as it is remembered. */
  poolOfVanished(id: number): string | undefined {
    return this.vanished.get(id)?.poolId;
  }

  private isFresh(): boolean {
    if (this.filledMs === null || this.lifetimeMs === 0) return false;
    const lifetimeMs = this.source.isBudgetLow() ? STRETCHED_LIFETIME_MS : this.lifetimeMs;
    return this.clock.now() - this.filledMs < lifetimeMs;
  }

  private async fill(options: CallOptions): Promise<void> {
    const { signal } = options;
    let list = await this.fetch(options);
    if (list.unsteady || this.isSuspicious(list.servers)) {
      await this.clock.sleep(SECOND_LOOK_AFTER_MS, signal);
      list = await this.fetch(options);
    }
    const found = await this.findMissing(list.servers, signal);
    this.apply([...list.servers, ...found]);
    this.filledMs = this.clock.now();
    // One draw per fill: a draw per check would expire the cache almost at once (B06).
    const jitterMs = JITTER_MS_MIN + this.random.next() * (JITTER_MS_MAX - JITTER_MS_MIN);
    this.lifetimeMs = Math.max(LIFETIME_MS_MIN, this.ttlMs - jitterMs);
  }

  private async fetch(options: CallOptions): Promise<ServerList> {
    this.telemetry.logger.debug('hcloud-fetch-servers', 'Fetching servers from Hetzner API');
    return this.source.fetch(options);
  }

  private isSuspicious(list: readonly Server[]): boolean {
    const lost = this.missingIn(list).length;
    const known = [...this.servers.keys()].filter((id) => !this.accepted.has(id)).length;
    return lost >= SUSPICIOUS_LOSS_MIN && lost > known * SUSPICIOUS_LOSS_SHARE;
  }

  /** Known servers that the list lacks, without those that we deleted or have newer news of. */
  private missingIn(list: readonly Server[]): readonly Server[] {
    const listed = new Set(list.map((server) => server.id));
    return [...this.servers.values()].filter(
      ({ id }) => !listed.has(id) && !this.accepted.has(id) && !this.isHeld(id),
    );
  }

  /** Those of the missing that exist all the same, or that nobody can tell about. */
  private async findMissing(list: readonly Server[], signal: AbortSignal): Promise<readonly Server[]> {
    const missing = this.missingIn(list);
    if (missing.length > CONFIRMED_MAX) return [];
    const found = missing.map((server) => this.source.find(server.id, signal).catch(() => server));
    return (await Promise.all(found)).filter((server): server is Server => server !== null);
  }

  private apply(list: readonly Server[]): void {
    const next = new Map(list.map((server) => [server.id, server]));
    for (const [id, server] of this.servers) {
      if (next.has(id)) continue;
      if (this.isHeld(id)) next.set(id, server);
      else this.remember(server);
    }
    this.servers = next;
    this.indexNames();
    this.prune();
  }

  private isHeld(id: number): boolean {
    return (this.heldUntilMs.get(id) ?? 0) > this.clock.now();
  }

  private remember(server: Server): void {
    const poolId = server.labels.get(POOL_LABEL);
    if (poolId === undefined || this.vanished.has(server.id)) return;
    this.vanished.set(server.id, { poolId, vanishedMs: this.clock.now() });
  }

  private indexNames(): void {
    this.byNameIndex = new Map(
      [...this.servers.values()].map((server) => [server.name.toLowerCase(), server]),
    );
  }

  /** Keeps all maps bounded by the servers of the last quarter of an hour. */
  private prune(): void {
    const horizonMs = this.clock.now() - MEMORY_MS;
    for (const [id, entry] of this.vanished) if (entry.vanishedMs < horizonMs) this.vanished.delete(id);
    // A server that is still there by then was not deleted after all, and counts again.
    for (const [id, ms] of this.accepted) if (ms < horizonMs) this.accepted.delete(id);
    for (const id of this.heldUntilMs.keys()) if (!this.isHeld(id)) this.heldUntilMs.delete(id);
  }
}
