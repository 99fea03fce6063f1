import type { Pod } from '../../kubernetes/pod.js';
import type { DrainRule } from './rule.js';
import { block } from './rule.js';

/** Data on the node's own disk would be lost. Volumes named in the pod's annotation may be lost. */
export const localStorage: DrainRule = (pod, { policy }) => {
  if (!policy.skipNodesWithLocalStorage) return undefined;
  const volume = lastingLocalVolume(pod);
  return volume === undefined ? undefined : block('LocalStorageRequested', `volume ${volume}`);
};

function lastingLocalVolume(pod: Pod): string | undefined {
  if (pod.shape.volumes.length === 0) return undefined;
  const dispensable = pod.shape.directives.safeToEvictLocalVolumes?.split(',') ?? [];
  const local = pod.shape.volumes.filter(({ kind }) => kind === 'hostPath' || kind === 'emptyDir');
  return local.find(({ name }) => !dispensable.includes(name))?.name;
}
