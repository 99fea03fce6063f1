import type { ClusterRecord } from '../client/records.js';

const HEALTHY_STATUS = ['', 'active'];
const HEALTHY_POWER = ['', 'running', 'on'];
/** Clearly bad: nothing may be changed. Other words than these and the healthy ones are only told (`utho` 4.2). */
const BAD_STATUS = [
  'stopped',
  'stopping',
  'deleting',
  'deleted',
  'destroying',
  'destroyed',
  'terminating',
  'terminated',
  'suspended',
];
const BAD_POWER = ['off', 'stopped', 'poweroff', 'powered off', 'shutdown'];

/** Why nothing may be changed in this cluster, or null. */
export function clusterObstacle({ id, status, powerStatus }: ClusterRecord): string | null {
  if (says(BAD_STATUS, status)) return `cluster ${id} is ${status}`;
  if (says(BAD_POWER, powerStatus)) return `the power of cluster ${id} is ${powerStatus}`;
  return null;
}

/** Words about the cluster that this adapter has no meaning for. */
export function oddClusterWords({ status, powerStatus }: ClusterRecord): readonly string[] {
  return [
    ...(says([...HEALTHY_STATUS, ...BAD_STATUS], status) ? [] : [status]),
    ...(says([...HEALTHY_POWER, ...BAD_POWER], powerStatus) ? [] : [powerStatus]),
  ];
}

function says(words: readonly string[], text: string): boolean {
  return words.includes(text.trim().toLowerCase());
}
