import type { Instance, NodeGroup } from '../node-group/node-group.js';
import type { Node } from '../kubernetes/node.js';
import { entryOf } from './keyed.js';
import type { Keyed } from './keyed.js';

/** A node may still join for it: neither failed nor on its way out. */
export function isExpectedToRegister(instance: Instance): boolean {
  return instance.state !== 'deleting' && instance.failure === null;
}

/** Creation failed for good; the machine wants to be deleted (`scale-up` 11.3). Acted upon in state `creating` only. */
export function isFailedInstance(instance: Instance): boolean {
  return instance.state === 'creating' && instance.failure !== null;
}

/** Machines that count against the target: all but those whose deletion was accepted. */
export function existingCount(group: NodeGroup): number {
  return group.instances.filter((instance) => instance.state !== 'deleting').length;
}

export interface RegistrationInput {
  readonly nowMs: number;
  readonly nodes: readonly Node[];
  readonly groups: readonly NodeGroup[];
  readonly groupIdByNode: ReadonlyMap<string, string>;
  readonly provisionTimeMs: (group: NodeGroup) => number;
  /** Time of the update before, null in the first one of a process without saved memory. */
  readonly previousUpdateMs: number | null;
}

/**
 * Since when each instance is without its node (`scale-up` 3.4), by instance id. A node of the group that has the
 * machine's name counts as joined too.
 *
 * differs from upstream: there the provider id alone decides, so nodes that joined without one, or with the id of
 * another cloud integration, look as if they never came and their machines are deleted.
 */
export function trackUnregistered(known: Keyed<number>, input: RegistrationInput): Keyed<number> {
  const providerIds = new Set(input.nodes.map((node) => node.providerId));
  const since: [string, number][] = [];
  for (const group of input.groups) {
    for (const instance of group.instances) {
      if (!isExpectedToRegister(instance) || providerIds.has(instance.id)) continue;
      if (input.groupIdByNode.get(instance.name) === group.id) continue;
      since.push([instance.id, entryOf(known, instance.id) ?? firstSeenMs(group, instance, input)]);
    }
  }
  return Object.fromEntries(since);
}

/**
 * differs from upstream: a machine's age counts from its order where the cloud tells it, so that a restart does not
 * start the wait anew (`scale-up` 15.2). Two bounds keep that safe: a machine that an earlier update must have seen has
 * just lost its node, so its wait starts now; and one that looks overdue at first sight keeps a third of the provision
 * time, so that a wrong provider id does not cost a whole cluster in the first iteration.
 */
function firstSeenMs(group: NodeGroup, instance: Instance, input: RegistrationInput): number {
  const { createdMs } = instance;
  if (createdMs === null || createdMs > input.nowMs) return input.nowMs;
  if (input.previousUpdateMs !== null && createdMs < input.previousUpdateMs) return input.nowMs;
  const earliestMs = input.nowMs - (input.provisionTimeMs(group) * 2) / 3;
  return Math.max(createdMs, earliestMs);
}
