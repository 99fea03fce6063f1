import type { LegacyDisk } from './pod.js';

/** Two mounts of one disk on a node that its plugin refuses (`scheduling` 3.7). */
export function disksConflict(left: LegacyDisk, right: LegacyDisk): boolean {
  if (left.type !== right.type || left.name !== right.name) return false;
  if (left.type === 'awsElasticBlockStore') return true;
  if (left.readOnly && right.readOnly) return false;
  return left.type !== 'rbd' || left.monitors.some((monitor) => right.monitors.includes(monitor));
}
