import { inject, injectable } from 'inversify';
import { CloudError } from '../../application/ports/cloud-provider.js';
import type {
  CloudProvider,
  GrowthResult,
  MachineReference,
  ReleaseResult,
} from '../../application/ports/cloud-provider.js';
import { Clock } from '../../application/ports/clock.js';
import { Random } from '../../application/ports/random.js';
import type { MachineExistence } from '../../domain/observation.js';
import type { MachineTemplate, NodeGroup } from '../../domain/node-group/node-group.js';
import type { Node } from '../../domain/kubernetes/node.js';
import { toCloudError } from './client/cloud-errors.js';
import { HetznerClient } from './client/hetzner-client.js';
import type { Server } from './client/records.js';
import { API_INCIDENT, Telemetry } from './client/telemetry.js';
import { HetznerConfiguration } from './configuration/hetzner-configuration.js';
import { assembleFleet } from './fleet.js';
import type { Fleet } from './fleet.js';
import { CSI_LOCATION_LABEL, GPU_LABEL, POOL_LABEL } from './labels.js';
import { orderScope } from './pool.js';
import type { Pool } from './pool.js';
import { startPools } from './start/start.js';
import { matchNode } from './state/match-node.js';
import type { NodeMatch } from './state/match-node.js';
import { offerOf } from './state/offer.js';
import { buildTemplate } from './state/template.js';

/** The API may be away for so long before its last data are too old to act upon (`hetzner` 3.2). */
const STALE_MS_MAX = 5 * 60_000;
/** After that the last good data stay in place, and the next loop tries again. */
const REFRESH_RETRIES_MAX = 2;
const PLACEMENT_GROUP_SERVERS_MAX = 10;

/** Hetzner Cloud as a {@link CloudProvider}. Pools are the `--nodes` specs; servers carry their pool as a label. */
@injectable()
export class HetznerProvider implements CloudProvider {
  readonly name = 'hetzner';
  readonly gpuLabel = GPU_LABEL;
  readonly ignoredSimilarityLabels: readonly string[] = [CSI_LOCATION_LABEL];
  private readonly fleet: Fleet;
  private pools: readonly Pool[] = [];
  private closed = false;

  constructor(
    @inject(HetznerConfiguration) private readonly configuration: HetznerConfiguration,
    @inject(HetznerClient) private readonly client: HetznerClient,
    @inject(Clock) private readonly clock: Clock,
    @inject(Random) random: Random,
    @inject(Telemetry) private readonly telemetry: Telemetry,
  ) {
    this.fleet = assembleFleet(configuration, client, clock, random, telemetry);
  }

  async start(signal: AbortSignal): Promise<void> {
    const { api, cache, catalogue, images } = this.fleet;
    const { configuration, clock, telemetry } = this;
    this.pools = await startPools({ configuration, api, cache, catalogue, images, clock, telemetry }, signal);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    this.assertOpen();
    const { cache, catalogue, oddities, orders, report, sightings } = this.fleet;
    sightings.beginRound();
    oddities.endRound();
    try {
      const deadlineMs = this.clock.now() + this.configuration.apiTimeoutMs;
      const options = { signal, deadlineMs, retriesMax: REFRESH_RETRIES_MAX };
      await cache.refresh(options);
      await catalogue.refresh(options, this.client.budget.isLow());
      this.telemetry.incidents.over(API_INCIDENT);
    } catch (error) {
      this.noteOutage(error, signal);
    }
    orders.reconcile(cache, this.clock.now());
    report.tell();
  }

  nodeGroups(): readonly NodeGroup[] {
    return this.fleet.view.groups(this.configuration.pools);
  }

  nodeGroupIdForNode(node: Node): string | null {
    const match = this.match(node);
    switch (match.kind) {
      case 'server':
        return this.poolIdOfServer(node, match.server);
      case 'vanished':
      case 'label':
        return this.poolIdOrNull(match.poolId);
      case 'unknown-id':
      case 'foreign':
        return null;
    }
  }

  async existence(node: Node, signal: AbortSignal): Promise<MachineExistence> {
    const match = this.match(node);
    switch (match.kind) {
      case 'server':
        return this.poolIdOrNull(match.server.labels.get(POOL_LABEL)) === null ? 'foreign' : 'exists';
      case 'vanished':
        return 'gone';
      case 'label':
        return 'unknown';
      case 'unknown-id':
        return this.fleet.existence.ask(match.serverId, signal);
      case 'foreign':
        return 'foreign';
    }
  }

  template(groupId: string): MachineTemplate {
    const pool = this.poolConfiguration(groupId);
    const offer = offerOf(pool, this.fleet.catalogue.type(pool.serverType), this.clock.now());
    return buildTemplate(pool, offer, this.configuration);
  }

  async increaseSize(groupId: string, delta: number, signal: AbortSignal): Promise<GrowthResult> {
    this.assertOpen();
    if (signal.aborted)
      throw new CloudError({ kind: 'transient', code: 'aborted', message: 'the growth was given up' });
    const pool = this.startedPool(groupId);
    const { maxSize, serverType } = pool.configuration;
    const { target } = this.fleet.view.size(groupId);
    if (!Number.isInteger(delta) || delta < 1) {
      throw refused('invalid-delta', `pool ${groupId}: size increase must be positive, got ${delta}`);
    }
    if (target + delta > maxSize) {
      const sizes = `current: ${target} desired: ${target + delta} max: ${maxSize}`;
      throw refused('max-size', `pool ${groupId}: size increase is too large. ${sizes}`);
    }
    offerOf(pool.configuration, this.fleet.catalogue.type(serverType), this.clock.now());
    this.fleet.backoffs.check(orderScope(pool));
    return this.growWithin(pool, delta, signal);
  }

  async deleteInstances(
    groupId: string,
    machines: readonly MachineReference[],
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]> {
    this.assertOpen();
    return this.fleet.release.delete(this.poolConfiguration(groupId), machines, options);
  }

  decreaseTargetSize(groupId: string, count: number): Promise<void> {
    return new Promise((resolve) => {
      const { id } = this.poolConfiguration(groupId);
      this.fleet.orders.cancelYoungest(id, count, this.fleet.view.size(id));
      resolve();
    });
  }

  releaseBudget(): number {
    return this.fleet.release.budget();
  }

  async cleanup(): Promise<void> {
    this.closed = true;
    this.fleet.close();
    await this.fleet.growth.cleanup();
  }

  /** A spread placement group holds ten servers; what has no room is refused without a request. */
  private async growWithin(pool: Pool, delta: number, signal: AbortSignal): Promise<GrowthResult> {
    const room = this.placementRoom(pool);
    if (room >= delta) return this.fleet.growth.increase(pool, delta, signal);
    const failure = {
      kind: 'stock-out',
      code: 'placement-group-full',
      message: `pool ${pool.configuration.id}: its placement group has room for ${Math.max(0, room)} servers, not ${delta}`,
    } as const;
    if (room < 1) throw new CloudError(failure);
    const result = await this.fleet.growth.increase(pool, room, signal);
    return { accepted: result.accepted, failure: result.failure ?? failure };
  }

  private placementRoom(pool: Pool): number {
    const group = pool.resources.placementGroup;
    if (group === null) return Infinity;
    const sharing = this.pools.filter((other) => other.resources.placementGroup?.id === group.id);
    const members = sharing.reduce(
      (sum, other) => sum + this.fleet.view.size(other.configuration.id).target,
      0,
    );
    return PLACEMENT_GROUP_SERVERS_MAX - group.foreignMembers - members;
  }

  private match(node: Node): NodeMatch {
    const nowMs = this.clock.now();
    this.fleet.sightings.note(node, nowMs);
    return matchNode(node, this.fleet.cache, {
      nowMs,
      youngerThanMs: 2 * this.configuration.creationTimeoutMs,
    });
  }

  /** Keeps going on the last good data for a while. Throws where they are too old, or there are none. */
  private noteOutage(error: unknown, signal: AbortSignal): void {
    const failure = toCloudError(error, 'servers cannot be listed');
    if (signal.aborted) throw failure;
    this.telemetry.incidents.happened(API_INCIDENT, `Hetzner Cloud API: ${failure.message}`, error);
    const ageMs = this.fleet.cache.ageMs();
    if (ageMs <= STALE_MS_MAX) return;
    const age = Number.isFinite(ageMs) ? `${Math.round(ageMs / 1_000)} s old` : 'not there';
    throw new CloudError(
      { ...failure.toFailure(), message: `${failure.message}; the last list is ${age}` },
      { cause: error },
    );
  }

  private poolIdOfServer(node: Node, server: Server): string | null {
    const poolId = this.poolIdOrNull(server.labels.get(POOL_LABEL));
    if (poolId !== null) this.fleet.oddities.examine(node, server.id, this.poolConfiguration(poolId));
    return poolId;
  }

  private poolIdOrNull(poolId: string | undefined): string | null {
    return this.configuration.pools.some((pool) => pool.id === poolId) ? (poolId ?? null) : null;
  }

  private poolConfiguration(groupId: string): Pool['configuration'] {
    const pool = this.configuration.pools.find((candidate) => candidate.id === groupId);
    if (pool === undefined) throw refused('unknown-group', `there is no pool ${groupId}`);
    return pool;
  }

  private startedPool(groupId: string): Pool {
    this.poolConfiguration(groupId);
    const pool = this.pools.find((candidate) => candidate.configuration.id === groupId);
    if (pool === undefined)
      throw refused('not-started', `pool ${groupId}: the start-up checks have not passed`);
    return pool;
  }

  private assertOpen(): void {
    if (!this.closed) return;
    throw new CloudError({ kind: 'transient', code: 'closed', message: 'the provider is shut down' });
  }
}

function refused(code: string, message: string): CloudError {
  return new CloudError({ kind: 'configuration', code, message });
}
