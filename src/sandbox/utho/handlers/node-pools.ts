import { ok, statusError, written } from '../api/answers.js';
import type { Answer } from '../api/answers.js';
import type { Call, Route } from '../api/router.js';
import type { Views } from '../api/views.js';
import { COUNT_MAX } from '../state/records.js';
import type { Pool } from '../state/records.js';
import type { Place, UthoWorld } from '../state/world.js';
import type { Workforce } from '../state/workforce.js';
import { newPool } from '../state/new-pool.js';
import { changeablePool, clusterOf } from './lookup.js';

/** Add, update, and the deletion of one worker (`utho` 3.6, 3.7, 3.8). */
export class NodePoolHandlers {
  constructor(
    private readonly world: UthoWorld,
    private readonly workforce: Workforce,
    private readonly views: Views,
  ) {}

  routes(): readonly Route[] {
    const pools = '/kubernetes/{cluster}/nodepool';
    return [
      { method: 'POST', path: `${pools}/add`, handler: (call) => this.add(call) },
      { method: 'POST', path: `${pools}/{pool}/update`, handler: (call) => this.update(call) },
      { method: 'DELETE', path: `${pools}/{pool}/{worker}/delete`, handler: (call) => this.remove(call) },
    ];
  }

  private update(call: Call): Answer {
    const { world } = this;
    const place = changeablePool(world, call);
    const { cluster, pool } = place;
    const fields = call.body ?? {};
    const bounds = boundsIn(fields);
    const count = this.countFor(pool, fields, bounds);
    this.checkExtraFields(place, fields);
    world.readLag.beforeWrite(cluster);
    Object.assign(pool, bounds, settingsIn(fields));
    this.applyExtraFields(place, fields, call);
    if (count !== undefined) this.workforce.setCount(place, count, call.cause);
    world.readLag.changed(cluster);
    const isGone = !cluster.pools.has(pool.id);
    const answer = written(world.settings, updateMessage(isGone, fields, count), cluster.id);
    return world.settings.updateResponse === 'minimal' || isGone
      ? answer
      : ok({ ...this.views.updatedPool(pool, cluster), status: 'success', message: '' });
  }

  /** What the pool's count becomes; undefined when the request says nothing of it. */
  private countFor(pool: Pool, fields: Fields, bounds: Bounds): number | undefined {
    const asked = wholeNumber(fields, 'count');
    if (asked === undefined) {
      if (KNOWN_FIELDS.some((name) => fields[name] !== undefined)) return undefined;
      // The sentence is invented.
      throw statusError('The count field is required.');
    }
    const count = this.withinBounds(asked, { ...pool, ...bounds });
    if (count <= pool.count) return count;
    switch (pool.capacity ?? this.world.settings.capacity) {
      case 'reject':
        throw statusError(this.world.settings.capacityMessage);
      case 'clip':
        return pool.count;
      default:
        return count;
    }
  }

  private withinBounds(count: number, { minSize = 0, maxSize = COUNT_MAX }: Bounds): number {
    switch (this.world.settings.enforceBounds) {
      case 'off':
        return count;
      case 'on':
        return Math.min(count, maxSize);
      case 'error':
        if (count >= minSize && count <= maxSize) return count;
        // The sentence is invented.
        throw statusError(`The count must be between ${minSize} and ${maxSize}.`);
    }
  }

  private checkExtraFields({ cluster, pool }: Place, fields: Fields): void {
    const { settings, plans } = this.world;
    const size = textIn(fields, 'size');
    // The sentences are invented.
    if (settings.extraFields === 'reject' && size !== undefined && !plans.has(size)) {
      throw statusError('Invalid plan id.');
    }
    const label = textIn(fields, 'label') ?? pool.id;
    if (settings.extraFields === 'apply' && label !== pool.id && cluster.pools.has(label)) {
      throw statusError('A node pool of this name exists.');
    }
  }

  /** A label renames the pool, a size makes it another plan's: workers that exist stay what they are. */
  private applyExtraFields(place: Place, fields: Fields, { cause }: Call): void {
    if (this.world.settings.extraFields !== 'apply') return;
    const { pool } = place;
    const label = textIn(fields, 'label');
    if (label !== undefined && label !== '') this.workforce.rename(place, label, cause);
    const size = textIn(fields, 'size');
    if (size === undefined || size === '' || size === pool.planId) return;
    const event = { clusterId: place.cluster.id, poolId: pool.id, to: size, cause };
    this.world.events.add({ kind: 'plan-changed', ...event });
    pool.planId = size;
  }

  private remove(call: Call): Answer {
    const { world } = this;
    const place = changeablePool(world, call);
    const worker = place.pool.workers.find(({ cloudId }) => cloudId === call.segments[2]);
    // Both sentences are invented. Whether a second request for one worker is refused is not known.
    if (worker === undefined) throw statusError('Node not found in this node pool.');
    world.readLag.beforeWrite(place.cluster);
    if (worker.state !== 'deleting') this.workforce.dismiss(place, worker, call.cause);
    return ok({ status: 'success', message: 'Node removed from the node pool.' });
  }

  private add(call: Call): Answer {
    const { world, workforce } = this;
    const cluster = clusterOf(world, call);
    const orders = call.body?.['nodepools'];
    // The sentences of refusals are invented.
    if (!Array.isArray(orders) || orders.length === 0) throw statusError('The nodepools field is required.');
    const pools = (orders as readonly unknown[]).map((order) => this.poolFor(order));
    const ids = [...cluster.pools.keys(), ...pools.map(({ id }) => id)];
    if (new Set(ids).size < ids.length) throw statusError('A node pool of this name exists.');
    world.readLag.beforeWrite(cluster);
    for (const pool of pools) {
      cluster.pools.set(pool.id, pool);
      workforce.reconcile({ cluster, pool }, call.cause);
    }
    const message = 'New Node Pool added to cluster and a progress started to add nodes to the cluster.';
    return written(world.settings, message, cluster.id);
  }

  private poolFor(order: unknown): Pool {
    const fields = (typeof order === 'object' && order !== null ? order : {}) as Fields;
    const id = textIn(fields, 'label') ?? '';
    const planId = textIn(fields, 'size') ?? '';
    if (id === '') throw statusError('The label field is required.');
    if (!this.world.plans.has(planId)) throw statusError('Invalid plan id.');
    const bounds = boundsIn(fields);
    const ebs = Array.isArray(fields['ebs']) ? (fields['ebs'] as readonly unknown[]) : [];
    const isScaled = bounds.minSize !== undefined || bounds.maxSize !== undefined;
    const count = wholeNumber(fields, 'count') ?? 1;
    return { ...newPool({ id, planId, count, autoScale: isScaled, ebs }), ...bounds, ...settingsIn(fields) };
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Bounds = Partial<Pick<Pool, 'minSize' | 'maxSize'>>;

/** All others are ignored, as those that the Go client leaks. */
const KNOWN_FIELDS = ['label', 'size', 'pool_type', 'min_nodes', 'max_nodes', 'policies'];

/** Undefined when absent. Throws for what is no whole number from 0 on. */
function wholeNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'number' ? value.toString() : value;
  const number = typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
  // The sentence is invented.
  if (!(number <= COUNT_MAX)) throw statusError(`The ${name} field must be a number from 0 to ${COUNT_MAX}.`);
  return number;
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? value.toString() : undefined;
}

function boundsIn(fields: Fields): Bounds {
  const minSize = wholeNumber(fields, 'min_nodes');
  const maxSize = wholeNumber(fields, 'max_nodes');
  return { ...(minSize !== undefined && { minSize }), ...(maxSize !== undefined && { maxSize }) };
}

function settingsIn(fields: Fields): Partial<Pool> {
  const type = fields['pool_type'];
  const policies = fields['policies'];
  return {
    ...((type === 'static' || type === 'autoscale') && { autoScale: type === 'autoscale' }),
    ...(Array.isArray(policies) && { policies: policies as Pool['policies'] }),
  };
}

function updateMessage(isGone: boolean, fields: Fields, count: number | undefined): string {
  if (isGone) return 'Node Pool removed successfully';
  // That it repeats the number asked for, also where the platform had less, is a guess. So is the other sentence.
  return count === undefined
    ? 'Node Pool updated'
    : `Node Pool updated and node count adjusted to ${wholeNumber(fields, 'count') ?? count}`;
}
