import type { CloudFailure, Instance, NodeGroup } from '../node-group/node-group.js';
import { isFailedInstance } from './registration.js';

/** Failed machines of one group that share kind and code. */
export interface CreationError {
  readonly failure: CloudFailure;
  /** Machines not reported before; at least one. */
  readonly count: number;
  /** Distinct, in order of appearance. */
  readonly messages: readonly string[];
  /** Order time of the youngest of them, where the cloud tells it. */
  readonly newestMs: number | null;
}

/** Ids of the failed instances of a group. */
export function failedInstanceIds(group: NodeGroup): readonly string[] {
  return group.instances.filter(isFailedInstance).map((instance) => instance.id);
}

/** What failed since the update before, by kind and code (`scale-up` 11.3). */
export function newCreationErrors(group: NodeGroup, reported: readonly string[]): readonly CreationError[] {
  const known = new Set(reported);
  const fresh = group.instances.filter((instance) => isFailedInstance(instance) && !known.has(instance.id));
  const byCode = new Map<string, Instance[]>();
  for (const instance of fresh) {
    const key = `${instance.failure!.kind} ${instance.failure!.code}`;
    const members = byCode.get(key);
    if (members === undefined) byCode.set(key, [instance]);
    else members.push(instance);
  }
  return [...byCode.values()].map(summarise);
}

function summarise(instances: readonly Instance[]): CreationError {
  const times = instances.map((instance) => instance.createdMs).filter((time) => time !== null);
  return {
    failure: instances[0]!.failure!,
    count: instances.length,
    messages: [...new Set(instances.map((instance) => instance.failure!.message))],
    newestMs: times.length === 0 ? null : Math.max(...times),
  };
}
