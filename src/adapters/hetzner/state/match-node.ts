import type { Node } from '../../../domain/kubernetes/node.js';
import type { Server } from '../client/records.js';
import { POOL_LABEL } from '../labels.js';
import type { ServerCache } from './server-cache.js';

export const PROVIDER_PREFIX = 'hcloud://';
const PENDING_PREFIX = 'hcloud-pending://';

export type NodeMatch =
  | { readonly kind: 'server'; readonly server: Server }
  /** The server is gone; its node lingers. */
  | { readonly kind: 'vanished'; readonly poolId: string }
  /** No server known, but the node may be one of ours that is about to be known. */
  | { readonly kind: 'label'; readonly poolId: string }
  /** An id of this cloud that is not in the cache. */
  | { readonly kind: 'unknown-id'; readonly serverId: number }
  | { readonly kind: 'foreign' };

export function instanceIdOf(serverId: number): string {
  return `${PROVIDER_PREFIX}${serverId}`;
}

export function pendingIdOf(poolId: string, name: string): string {
  return `${PENDING_PREFIX}${poolId}/${name}`;
}

/** Server id in `hcloud://<digits>`, or null for anything else, e.g. `hcloud://bm-7` of a dedicated machine. */
export function serverIdOf(providerId: string): number | null {
  const digits = /^hcloud:\/\/(\d{1,15})$/.exec(providerId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Name in a placeholder's id, or null. */
export function pendingNameOf(instanceId: string): string | null {
  if (!instanceId.startsWith(PENDING_PREFIX)) return null;
  return instanceId.slice(instanceId.lastIndexOf('/') + 1);
}

/** A provider id that this adapter did not expect on one of its servers. */
export function isOddProviderId(providerId: string): boolean {
  return providerId !== '' && !isRobotOrOwn(providerId);
}

/**
 * Which server a node runs on (`hetzner` 3.4). `youngerThanMs` bounds the age up to which the node's own label is
 * believed.
 *
 * differs from upstream: ids match by id only and names by name only, so a server named like an id is never confused
 * (B18). A node with the id form of another distribution (`k3s://…`) is ours if a server of ours has its exact name:
 * else it would count as never joined and be deleted while it works (U005, B19). Robot machines stay foreign.
 */
export function matchNode(
  node: Node,
  cache: ServerCache,
  times: { readonly nowMs: number; readonly youngerThanMs: number },
): NodeMatch {
  const { providerId } = node;
  const serverId = serverIdOf(providerId);
  if (serverId !== null) return matchById(serverId, cache);
  if (isRobotOrOwn(providerId)) return { kind: 'foreign' };
  const server = cache.byName(node.name);
  if (server !== undefined) return { kind: 'server', server };
  const label = node.labels.get(POOL_LABEL);
  const isYoung = times.nowMs - node.createdMs < times.youngerThanMs;
  if (providerId === '' && label !== undefined && isYoung) return { kind: 'label', poolId: label };
  return { kind: 'foreign' };
}

function matchById(serverId: number, cache: ServerCache): NodeMatch {
  const server = cache.byId(serverId);
  if (server !== undefined) return { kind: 'server', server };
  const poolId = cache.poolOfVanished(serverId);
  return poolId === undefined ? { kind: 'unknown-id', serverId } : { kind: 'vanished', poolId };
}

/** Dedicated machines (`hrobot://7`, in older clusters `hcloud://bm-7`), and ids of this cloud. */
export function isRobotOrOwn(providerId: string): boolean {
  return providerId.startsWith('hrobot://') || providerId.startsWith(PROVIDER_PREFIX);
}
