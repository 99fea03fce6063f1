import { inject, injectable } from 'inversify';
import { default as pLimit } from 'p-limit';
import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type {
  CloudProvider,
  GrowthResult,
  MachineReference,
  ReleaseResult,
} from '../../../src/application/ports/cloud-provider.js';
import { Clock } from '../../../src/application/ports/clock.js';
import { Incidents } from '../../../src/application/ports/incidents.js';
import { Logger } from '../../../src/application/ports/logger.js';
import { Random } from '../../../src/application/ports/random.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { CloudFailure, MachineTemplate, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import type { MachineExistence } from '../../../src/domain/observation.js';
import { Fleet, machineIdOf } from './fleet.js';
import type { Order } from './fleet.js';
import { POOL_LABEL, machineTemplate } from './machine-template.js';
import type { Machine, Size } from './records.js';
import { findTarget, foreign, keepMinimum } from './release.js';
import type { Target } from './release.js';
import { TinycloudApi } from './tinycloud-api.js';
import { TinycloudConfiguration } from './tinycloud-configuration.js';
import type { Pool } from './tinycloud-configuration.js';
import { TinycloudError, toFailure } from './tinycloud-error.js';

/** Older data are not acted upon. */
const STALE_MS = 5 * 60_000;
/** No advice keeps us away for longer. */
const PAUSE_MS_MAX = 5 * 60_000;
/** Orders on the wire at one time: Tinycloud throttles above. */
const PARALLEL_ORDERS_MAX = 5;
/** A machine is locked while a snapshot of it begins. Five looks end before the loop's interval of 10 s. */
const LOCKED_LOOKS_MAX = 5;
const LOCKED_PAUSE_MS = 1_500;
const INCIDENT = 'tinycloud-api';

/**
 * Tinycloud as a {@link CloudProvider}. Nothing runs in the background: what an order without an answer came to is found
 * out in the next refreshes. Nothing is kept on disk: each machine carries its pool from the order on.
 */
@injectable()
export class TinycloudProvider implements CloudProvider {
  readonly name = 'tinycloud';
  readonly gpuLabel = 'tinycloud.example/gpu';
  readonly ignoredSimilarityLabels: readonly string[] = [];
  private readonly fleet = new Fleet();
  private readonly orders = pLimit(PARALLEL_ORDERS_MAX);
  private sizes: ReadonlyMap<string, Size> = new Map();
  /** The cloud's last refusal with advice when to come back. */
  private pause: { readonly untilMs: number; readonly failure: CloudError } | null = null;
  private closed = false;

  constructor(
    @inject(TinycloudConfiguration) private readonly configuration: TinycloudConfiguration,
    @inject(TinycloudApi) private readonly api: TinycloudApi,
    @inject(Clock) private readonly clock: Clock,
    @inject(Random) private readonly random: Random,
    @inject(Logger) private readonly logger: Logger,
    @inject(Incidents) private readonly incidents: Incidents,
  ) {}

  async start(signal: AbortSignal): Promise<void> {
    try {
      this.sizes = new Map((await this.api.sizes(signal)).map((size) => [size.name, size]));
    } catch (error) {
      throw toCloudError(error, 'sizes cannot be listed');
    }
    const { pools } = this.configuration;
    const faults = pools.filter(({ size }) => !this.sizes.has(size)).map(unknownSize);
    if (faults[0] !== undefined && faults.length === pools.length) throw faults[0];
    // A size that is sold no longer must not stop the other pools.
    for (const { message } of faults) this.logger.warn('tinycloud-unknown-size', message);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    this.assertOpen();
    const begunMs = this.clock.now();
    if (this.pause !== null && begunMs < this.pause.untilMs) {
      return this.assertFresh(begunMs, this.pause.failure);
    }
    try {
      const machines = await this.api.machines(signal);
      const unwanted = this.fleet.relist(machines, begunMs, this.clock.now());
      this.incidents.over(INCIDENT);
      for (const machine of unwanted) await this.release(machine, signal);
    } catch (error) {
      const failure = toCloudError(error, 'machines cannot be listed');
      if (signal.aborted) throw failure;
      this.incidents.happened(INCIDENT, `Tinycloud: ${failure.message}`, error);
      const pauseMs = Math.min(failure.retryAfterMs ?? 0, PAUSE_MS_MAX);
      this.pause = { untilMs: begunMs + pauseMs, failure };
      this.assertFresh(begunMs, failure);
    }
  }

  nodeGroups(): readonly NodeGroup[] {
    return this.configuration.pools.map((pool) => this.group(pool));
  }

  nodeGroupIdForNode(node: Node): string | null {
    const machine = this.machineOf(node);
    // The label stands in for a machine that the list does not show yet, or no more.
    const isOurs = node.providerId === '' || machineIdOf(node.providerId) !== null;
    const poolId = machine === undefined && isOurs ? node.labels.get(POOL_LABEL) : machine?.pool;
    return this.configuration.pools.find(({ id }) => id === poolId)?.id ?? null;
  }

  async existence(node: Node, signal: AbortSignal): Promise<MachineExistence> {
    const id = machineIdOf(node.providerId);
    if (node.providerId !== '' && id === null) return 'foreign';
    const listed = this.machineOf(node);
    if (listed !== undefined) return this.ownership(listed);
    if (id === null) return 'unknown';
    try {
      // The list may be older than the machine; asked by its id, the cloud can't be misunderstood.
      const machine = await this.api.machine(id, signal);
      return machine === null ? 'gone' : this.ownership(machine);
    } catch {
      return 'unknown';
    }
  }

  template(groupId: string): MachineTemplate {
    const pool = this.pool(groupId);
    return machineTemplate(pool, this.sizeOf(pool));
  }

  async increaseSize(groupId: string, delta: number, signal: AbortSignal): Promise<GrowthResult> {
    this.assertOpen();
    const pool = this.pool(groupId);
    const { targetSize, maxSize } = this.group(pool);
    if (!Number.isInteger(delta) || delta < 1 || targetSize + delta > maxSize) {
      const sizes = `it has ${targetSize} of at most ${maxSize} machines`;
      throw refusal('bad_delta', `pool ${groupId} cannot grow by ${delta}: ${sizes}`);
    }
    // All placeholders are there before the first request: nobody who looks meanwhile orders the same again.
    const orders = Array.from({ length: delta }, () =>
      this.fleet.place(groupId, `${groupId}-${this.random.hex(12)}`, this.clock.now()),
    );
    const batch: Batch = { refusal: null };
    await Promise.all(orders.map((order) => this.orders(() => this.send(order, pool, batch, signal))));
    const accepted = orders.filter((order) => order.failure === null).length;
    if (accepted === 0 && batch.refusal !== null) throw new CloudError(batch.refusal);
    return { accepted, failure: batch.refusal };
  }

  async deleteInstances(
    groupId: string,
    machines: readonly MachineReference[],
    { force, signal }: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]> {
    this.assertOpen();
    const pool = this.pool(groupId);
    const requests = machines.map((machine) => ({ machine, target: findTarget(pool, machine, this.fleet) }));
    const targets = force
      ? requests.map(({ target }) => target)
      : keepMinimum(pool, this.group(pool).targetSize, requests);
    return Promise.all(
      machines.map(async (machine, index) => ({
        instanceId: machine.instanceId,
        failure: await this.carryOut(pool, machine, targets[index]!, signal),
      })),
    );
  }

  decreaseTargetSize(groupId: string, count: number): Promise<void> {
    return new Promise((resolve) => {
      const orders = this.fleet.ordersOf(this.pool(groupId).id);
      if (!(count >= 1 && count <= orders.length)) {
        const problem = `${orders.length} orders are open, ${count} of them cannot be cancelled`;
        throw refusal('bad_count', `pool ${groupId}: ${problem}`);
      }
      for (const order of orders.slice(orders.length - count)) order.cancelled = true;
      resolve();
    });
  }

  cleanup(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  private async send(order: Order, pool: Pool, batch: Batch, signal: AbortSignal): Promise<void> {
    // Cancelled while it waited for its turn.
    if (order.cancelled) return this.fleet.drop(order);
    // What is sold out for one is sold out for the rest.
    if (batch.refusal !== null) return this.refuse(order, batch.refusal);
    try {
      this.assertOpen();
      const { name } = order;
      const machine = await this.api.order({ name, size: pool.size, pool: pool.id }, signal);
      this.fleet.fulfil(order, machine, this.clock.now());
      if (order.cancelled) await this.release(machine, signal);
    } catch (error) {
      if (error instanceof TinycloudError && error.outcome === 'unknown') return this.leaveOpen(order);
      batch.refusal ??= toFailure(error, `pool ${pool.id}: ${pool.size}`);
      this.refuse(order, batch.refusal);
    }
  }

  private refuse(order: Order, failure: CloudFailure): void {
    order.failure = failure;
    this.fleet.drop(order);
  }

  /** It may have been bought, so it counts as bought until the list has told for long enough that it was not. */
  private leaveOpen({ name, poolId }: Order): void {
    const text = `the order of ${name} was not answered; the next lists will tell`;
    this.logger.warn('tinycloud-order-open', text, { group: poolId });
  }

  /** Never throws: null, or why not. */
  private async carryOut(
    pool: Pool,
    machine: MachineReference,
    target: Target,
    signal: AbortSignal,
  ): Promise<CloudFailure | null> {
    switch (target.kind) {
      case 'refused':
        return target.failure;
      case 'gone':
        return null;
      case 'order':
        target.order.cancelled = true;
        return null;
      case 'machine':
        return this.release(target.machine, signal);
      case 'unlisted':
        return this.confirmGone(pool, machine, target.id, signal);
    }
  }

  private async release(machine: Machine, signal: AbortSignal): Promise<CloudFailure | null> {
    this.fleet.markLeaving(machine.id);
    try {
      await this.deleteOnceFree(machine.id, signal);
      return null;
    } catch (error) {
      this.fleet.unmarkLeaving(machine.id);
      return toFailure(error, `machine ${machine.name} is not deleted`);
    }
  }

  private async deleteOnceFree(id: string, signal: AbortSignal): Promise<void> {
    for (let look = 1; ; look++) {
      try {
        return await this.api.delete(id, signal);
      } catch (error) {
        const isLocked = error instanceof TinycloudError && error.code === 'locked';
        if (!isLocked || look >= LOCKED_LOOKS_MAX) throw error;
      }
      await this.clock.sleep(LOCKED_PAUSE_MS, signal);
    }
  }

  private async confirmGone(
    pool: Pool,
    machine: MachineReference,
    id: string,
    signal: AbortSignal,
  ): Promise<CloudFailure | null> {
    try {
      const found = await this.api.machine(id, signal);
      return found === null ? null : foreign(pool, machine);
    } catch (error) {
      return toFailure(error, `machine ${machine.name} is not deleted`);
    }
  }

  private ownership({ pool }: Machine): MachineExistence {
    return this.configuration.pools.some(({ id }) => id === pool) ? 'exists' : 'foreign';
  }

  private machineOf({ providerId, name }: Node): Machine | undefined {
    const id = machineIdOf(providerId);
    if (id !== null) return this.fleet.byId(id);
    return providerId === '' ? this.fleet.byName(name) : undefined;
  }

  private group({ id, minSize, maxSize }: Pool): NodeGroup {
    const instances = this.fleet.instances(id);
    const targetSize = instances.filter(({ state }) => state !== 'deleting').length;
    return { id, minSize, maxSize, targetSize, instances, options: {} };
  }

  private pool(groupId: string): Pool {
    const pool = this.configuration.pools.find(({ id }) => id === groupId);
    if (pool === undefined) throw refusal('unknown_group', `there is no pool ${groupId}`);
    return pool;
  }

  private sizeOf(pool: Pool): Size {
    const size = this.sizes.get(pool.size);
    if (size !== undefined) return size;
    throw unknownSize(pool);
  }

  /** The last list may still be acted upon, whatever has failed since. */
  private assertFresh(nowMs: number, failure: CloudError): void {
    const ageMs = nowMs - this.fleet.listedMs;
    if (ageMs > STALE_MS) throw tooOld(failure, ageMs);
  }

  private assertOpen(): void {
    if (!this.closed) return;
    throw new CloudError({ kind: 'transient', code: 'closed', message: 'the provider is shut down' });
  }
}

/** The orders of one growth; the first refusal spares the others the same. */
interface Batch {
  refusal: CloudFailure | null;
}

function toCloudError(error: unknown, subject: string): CloudError {
  return new CloudError(toFailure(error, subject), { cause: error });
}

function tooOld(failure: CloudError, ageMs: number): CloudError {
  const age = Number.isFinite(ageMs) ? `${Math.round(ageMs / 1_000)} s old` : 'not there';
  const message = `${failure.message}; the last list is ${age}`;
  return new CloudError({ ...failure.toFailure(), message }, { cause: failure });
}

function unknownSize({ id, size }: Pool): CloudError {
  return refusal('unknown_size', `pool ${id}: Tinycloud sells no ${size}; correct its --nodes`);
}

function refusal(code: string, message: string): CloudError {
  return new CloudError({ kind: 'configuration', code, message });
}
