import type { MachineReference } from '../../../application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { OrderBook } from '../growth/order-book.js';
import type { Order } from '../growth/order.js';
import type { Server } from '../client/records.js';
import { POOL_LABEL } from '../labels.js';
import { isRobotOrOwn, pendingNameOf, serverIdOf } from '../state/match-node.js';
import type { NodeSightings } from '../state/node-sightings.js';
import type { ServerCache } from '../state/server-cache.js';

/** What a reference points at. */
export type Resolved =
  | { readonly kind: 'server'; readonly server: Server }
  | { readonly kind: 'order'; readonly order: Order }
  /** Not known here: the API has to say whether it is gone. */
  | { readonly kind: 'unlisted'; readonly serverId: number }
  /** Nothing is left to delete. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly failure: CloudFailure };

export interface ResolverParts {
  readonly cache: ServerCache;
  readonly orders: OrderBook;
  readonly sightings: NodeSightings;
}

/** Finds the machine without a request, and refuses what must not be deleted (`hetzner` 3.8, 6.10). */
export function resolveMachine(poolId: string, machine: MachineReference, parts: ResolverParts): Resolved {
  const found = find(machine, parts);
  if (found.kind === 'order' && found.order.poolId !== poolId) {
    return refuse('other-pool', machine, `it belongs to pool ${found.order.poolId}, not to ${poolId}`);
  }
  if (found.kind !== 'server') return found;
  const { server } = found;
  const label = server.labels.get(POOL_LABEL);
  if (label !== poolId) {
    return refuse('other-pool', machine, `it belongs to pool ${label ?? 'none'}, not to ${poolId}`);
  }
  if (parts.cache.isDeletionAccepted(server.id)) return { kind: 'gone' };
  return guard(machine, server, parts.sightings) ?? found;
}

function find(machine: MachineReference, parts: ResolverParts): Resolved {
  const { cache, orders, sightings } = parts;
  const pendingName = pendingNameOf(machine.instanceId);
  if (pendingName !== null) return findPlaceholder(pendingName, machine, parts);
  const serverId = serverIdOf(machine.instanceId);
  if (serverId !== null) {
    const server = cache.byId(serverId);
    return server === undefined ? { kind: 'unlisted', serverId } : { kind: 'server', server };
  }
  // Where the node carries an odd id, the name decides; where there is no id, the name is all there is.
  const name = machine.instanceId === '' ? machine.name : sightings.nameOf(machine.instanceId);
  const server = name === undefined ? undefined : cache.byName(name);
  if (server !== undefined && !isRobotOrOwn(machine.instanceId)) return { kind: 'server', server };
  const order = machine.instanceId === '' ? orders.byName(machine.name) : undefined;
  if (order !== undefined) return { kind: 'order', order };
  return refuse('foreign', machine, 'it is no server of this autoscaler');
}

function findPlaceholder(
  name: string,
  machine: MachineReference,
  { cache, orders }: ResolverParts,
): Resolved {
  const order = orders.byName(name);
  if (order !== undefined) return { kind: 'order', order };
  const server = cache.byName(name);
  if (server === undefined) return { kind: 'gone' };
  if (machine.cause !== 'create-error') return { kind: 'server', server };
  return refuse('came-up', machine, 'it was given up, but came up after all');
}

/** Guards against deleting what works: a wrong provider id must not cost a server (B19), nor a label a control plane. */
function guard(machine: MachineReference, server: Server, sightings: NodeSightings): Resolved | null {
  const sighting = sightings.of(server.name);
  if (sighting?.controlPlane === true) {
    return refuse('control-plane', machine, 'it runs a control-plane node');
  }
  if (machine.cause === 'unregistered' && sighting?.ready === true) {
    const problem = `server ${server.name} has a Ready node with provider ID ${sighting.providerId || '(none)'}`;
    return refuse('foreign-provider-id', machine, `${problem}; fix the provider ID`);
  }
  if (server.deleteProtected) {
    return refuse('protected', machine, `server ${server.name} is protected from deletion`);
  }
  return null;
}

export function refuse(
  code: string,
  machine: MachineReference,
  problem: string,
): Resolved & { kind: 'refused' } {
  const subject = machine.name === '' ? machine.instanceId : machine.name;
  const failure: CloudFailure = {
    kind: 'configuration',
    code,
    message: `${subject} is not deleted: ${problem}`,
  };
  return { kind: 'refused', failure };
}
