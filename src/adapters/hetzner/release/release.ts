import type { MachineReference, ReleaseResult } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { PoolConfiguration } from '../configuration/hetzner-configuration.js';
import { toFailure } from '../client/cloud-errors.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { Server } from '../client/records.js';
import type { GroupView } from '../group-view.js';
import type { Order } from '../growth/order.js';
import type { Deletion } from './deletion.js';
import { refuse, resolveMachine } from './resolve-machine.js';
import type { Resolved, ResolverParts } from './resolve-machine.js';
import { SlidingWindow } from './sliding-window.js';

/** For the volume driver to detach before the API does it the hard way (`hetzner` 3.8). */
const DETACH_WAIT_MS = 60_000;
const DETACH_LOOK_MS = 5_000;

export interface ReleaseParts extends ResolverParts {
  readonly api: HetznerApi;
  readonly view: GroupView;
  readonly deletion: Deletion;
  readonly clock: Clock;
  readonly maxDeletesPerMinute: number;
}

interface Request {
  readonly machine: MachineReference;
  readonly resolved: Resolved;
}

/** Deletes exactly the named machines of a pool; what must not go is refused, and the others go all the same. */
export class Release {
  private readonly releasing = new Set<number>();
  private readonly recent: SlidingWindow;

  constructor(private readonly parts: ReleaseParts) {
    this.recent = new SlidingWindow(parts.clock, 60_000, parts.maxDeletesPerMinute);
  }

  /** How many machines the brake lets go now. */
  budget(): number {
    return this.recent.left();
  }

  async delete(
    pool: PoolConfiguration,
    machines: readonly MachineReference[],
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]> {
    // Everything up to the first request is decided at once, so that calls side by side see each other (B05).
    const requests = machines.map((machine) => ({
      machine,
      resolved: resolveMachine(pool.id, machine, this.parts),
    }));
    const admitted = options.force ? requests : this.keepMinimum(pool, requests);
    const budgeted = admitted.map((request) => this.keepPace(request));
    return Promise.all(budgeted.map((request) => this.carryOut(pool.id, request, options.signal)));
  }

  /** Failed machines never count against the minimum; if the others would go below it, none of them goes. */
  private keepMinimum(pool: PoolConfiguration, requests: readonly Request[]): readonly Request[] {
    const counts = ({ machine, resolved }: Request): boolean =>
      machine.cause !== 'create-error' &&
      (resolved.kind === 'server' || (resolved.kind === 'order' && resolved.order.failure === null));
    const leaving = requests.filter(counts).length;
    const failed = requests.filter((request) => this.isFailedMachine(request)).length;
    const inPool = new Set(this.parts.cache.inPool(pool.id).map((server) => server.id));
    const others = [...this.releasing].filter((id) => inPool.has(id) && !this.isAccepted(id)).length;
    const left = this.parts.view.size(pool.id).target - others - failed - leaving;
    if (leaving === 0 || left >= pool.minSize) return requests;
    const problem = `size decrease is too large: ${left} machines would be left, the minimum is ${pool.minSize}`;
    return requests.map((request) =>
      counts(request) ? { ...request, resolved: refuse('min-size', request.machine, problem) } : request,
    );
  }

  private isFailedMachine({ machine, resolved }: Request): boolean {
    if (resolved.kind === 'order') return resolved.order.failure !== null || machine.cause === 'create-error';
    return resolved.kind === 'server' && machine.cause === 'create-error';
  }

  private isAccepted(serverId: number): boolean {
    return this.parts.cache.isDeletionAccepted(serverId);
  }

  /** A brake on deletions gone wild (`hetzner` 6.10); machines that never came up are exempt. */
  private keepPace(request: Request): Request {
    const { machine, resolved } = request;
    if (resolved.kind !== 'server' || machine.cause === 'create-error') return this.reserve(request);
    if (this.recent.take()) return this.reserve(request);
    const failure: CloudFailure = {
      kind: 'throttled',
      code: 'deletes-per-minute',
      message: `${machine.name} is not deleted now: HCLOUD_MAX_DELETES_PER_MINUTE is reached`,
      retryAfterMs: this.recent.freeInMs(),
    };
    return { machine, resolved: { kind: 'refused', failure } };
  }

  private reserve(request: Request): Request {
    if (request.resolved.kind === 'server') this.releasing.add(request.resolved.server.id);
    return request;
  }

  private async carryOut(poolId: string, request: Request, signal: AbortSignal): Promise<ReleaseResult> {
    const { machine, resolved } = request;
    try {
      const failure = await this.carryOutResolved(poolId, machine, resolved, signal);
      return { instanceId: machine.instanceId, failure };
    } catch (error) {
      return { instanceId: machine.instanceId, failure: toFailure(error, `pool ${poolId}: ${machine.name}`) };
    } finally {
      if (resolved.kind === 'server') this.releasing.delete(resolved.server.id);
    }
  }

  private async carryOutResolved(
    poolId: string,
    machine: MachineReference,
    resolved: Resolved,
    signal: AbortSignal,
  ): Promise<CloudFailure | null> {
    switch (resolved.kind) {
      case 'refused':
        return resolved.failure;
      case 'gone':
        return null;
      case 'order':
        this.cancel(resolved.order);
        return null;
      case 'server':
        await this.deleteServer(resolved.server, signal);
        return null;
      case 'unlisted':
        return this.confirmGone(poolId, machine, resolved.serverId, signal);
    }
  }

  /** A creation on the wire is not cut off: its server goes when the answer names it. */
  private cancel(order: Order): void {
    const { orders, deletion } = this.parts;
    const ended = order.failure !== null;
    order.end('cancelled');
    orders.remove(order);
    if (ended && order.serverId !== null && !this.isAccepted(order.serverId)) {
      deletion.dispose(order.serverId);
    }
  }

  private async deleteServer(server: Server, signal: AbortSignal): Promise<void> {
    if (server.volumeCount > 0) await this.waitForDetach(server.id, signal);
    const order = this.parts.orders.byName(server.name);
    if (order !== undefined) {
      // Work on it ends first, so that nothing is switched on that is about to go.
      order.end('hands-off');
      this.parts.orders.remove(order);
    }
    await this.parts.deletion.request(server.id, signal);
  }

  private async waitForDetach(serverId: number, signal: AbortSignal): Promise<void> {
    const { api, clock } = this.parts;
    const deadlineMs = clock.now() + DETACH_WAIT_MS;
    while (clock.now() < deadlineMs) {
      const server = await api.server(serverId, { signal });
      if (server === null || server.volumeCount === 0) return;
      await clock.sleep(DETACH_LOOK_MS, signal);
    }
  }

  private async confirmGone(
    poolId: string,
    machine: MachineReference,
    serverId: number,
    signal: AbortSignal,
  ): Promise<CloudFailure | null> {
    const { api, cache } = this.parts;
    const server = await api.server(serverId, { signal });
    if (server === null) return null;
    cache.invalidate();
    const problem = `it exists, but is not listed as a server of pool ${poolId} yet`;
    return refuse('not-listed', machine, problem).failure;
  }
}
