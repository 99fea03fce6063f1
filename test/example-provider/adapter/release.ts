import type { MachineReference } from '../../../src/application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../src/domain/node-group/node-group.js';
import { machineIdOf, orderNameOf } from './fleet.js';
import type { Fleet, Order } from './fleet.js';
import type { Machine } from './records.js';
import type { Pool } from './tinycloud-configuration.js';

/** What a reference points at. */
export type Target =
  | { readonly kind: 'machine'; readonly machine: Machine }
  | { readonly kind: 'order'; readonly order: Order }
  /** Not listed: the cloud has to say whether it is gone. */
  | { readonly kind: 'unlisted'; readonly id: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly failure: CloudFailure };

export interface Request {
  readonly machine: MachineReference;
  readonly target: Target;
}

/** Finds what is meant, without a request; machines of other pools and of nobody are refused (C7). */
export function findTarget(pool: Pool, machine: MachineReference, fleet: Fleet): Target {
  const orderName = orderNameOf(machine.instanceId) ?? (machine.instanceId === '' ? machine.name : '');
  const order = fleet.order(orderName);
  if (order !== undefined)
    return order.poolId === pool.id ? { kind: 'order', order } : refuse(foreign(pool, machine));
  const id = machineIdOf(machine.instanceId);
  const known = id === null ? fleet.byName(orderName) : fleet.byId(id);
  if (known !== undefined) {
    if (known.pool !== pool.id) return refuse(foreign(pool, machine));
    return fleet.isLeaving(known.id) ? { kind: 'gone' } : { kind: 'machine', machine: known };
  }
  if (id !== null) return { kind: 'unlisted', id };
  // A placeholder whose order is settled without a machine.
  return orderNameOf(machine.instanceId) === null ? refuse(foreign(pool, machine)) : { kind: 'gone' };
}

/** Refuses those that would take the pool below its minimum. What never worked does not count. */
export function keepMinimum(pool: Pool, targetSize: number, requests: readonly Request[]): readonly Target[] {
  const isThere = ({ target }: Request): boolean => target.kind === 'machine' || target.kind === 'order';
  const counts = (request: Request): boolean => isThere(request) && request.machine.cause !== 'create-error';
  if (targetSize - requests.filter(isThere).length >= pool.minSize)
    return requests.map(({ target }) => target);
  return requests.map((request) =>
    counts(request) ? refuse(belowMinimum(pool, request.machine)) : request.target,
  );
}

export function foreign(pool: Pool, { instanceId, name }: MachineReference): CloudFailure {
  const message = `${instanceId || name} is no machine of pool ${pool.id}`;
  return { kind: 'configuration', code: 'foreign_machine', message };
}

function belowMinimum({ id, minSize }: Pool, { name }: MachineReference): CloudFailure {
  const message = `pool ${id}: ${name} stays, for the minimum of ${minSize} machines`;
  return { kind: 'configuration', code: 'min_size', message };
}

function refuse(failure: CloudFailure): Target {
  return { kind: 'refused', failure };
}
