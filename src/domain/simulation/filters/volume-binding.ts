import type { Labels } from '../../kubernetes/labels.js';
import type { Node } from '../../kubernetes/node.js';
import { labelSelectorMatches } from '../../kubernetes/match-selector.js';
import type { TopologyTerm } from '../../kubernetes/storage.js';
import type { Reason } from '../../reason.js';
import type { PodVolumes } from '../volumes/pod-volumes.js';
import { claimsWithoutVolume, reachesVolume } from '../volumes/static-volumes.js';
import type { DelayedClaim } from '../volumes/static-volumes.js';
import type { StorageIndex } from '../volumes/storage-index.js';
import { claimRejection } from './claim-rejection.js';
import type { Filter } from './filter.js';

const PLUGIN = 'VolumeBinding';
const reason = (text: string): Reason => ({ rule: PLUGIN, text });
const NODE_CONFLICT = reason("node(s) didn't match PersistentVolume's node affinity");
const BIND_CONFLICT = reason("node(s) didn't find available persistent volumes to bind");
const NO_SPACE = reason('node(s) did not have enough free storage');
const VOLUME_MISSING = reason('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/**
 * The node reaches the volumes that are bound, and those that are not can be found or made there (`scheduling` 3.8).
 * Nothing is reserved: two pods that wait for one existing volume are both told that they may have it.
 */
export const volumeBinding: Filter = {
  plugin: PLUGIN,
  reads: 'node',
  preFilter: (demand) => claimRejection(PLUGIN, demand),
  concerns: ({ volumes }) => volumes !== null && volumes.volumes.claims.length > 0,
  accepts: ({ volumes }, nodes, row) => obstacles(volumes!.volumes, nodes.nodes[row]!).length === 0,
  explain: ({ volumes }, nodes, row) => obstacles(volumes!.volumes, nodes.nodes[row]!),
};

/** In the order in which they are told. */
function obstacles(volumes: PodVolumes, node: Node): readonly Reason[] {
  const bound = boundObstacle(volumes, node.labels);
  const delayed = delayedObstacle(volumes, node);
  const found = [bound, delayed].filter((each) => each !== null);
  return bound === VOLUME_MISSING ? found.reverse() : found;
}

function boundObstacle({ needs: { bound } }: PodVolumes, labels: Labels): Reason | null {
  for (const { volume } of bound) {
    if (volume === null) return VOLUME_MISSING;
    if (!reachesVolume(labels, volume)) return NODE_CONFLICT;
  }
  return null;
}

function delayedObstacle({ needs: { delayed }, index }: PodVolumes, node: Node): Reason | null {
  if (delayed.length === 0) return null;
  const selected = delayed.filter(({ claim }) => claim.selectedNode !== null);
  if (selected.some(({ claim }) => claim.selectedNode !== node.name)) return BIND_CONFLICT;
  const others = delayed.filter(({ claim }) => claim.selectedNode === null);
  const toProvision = [...selected, ...claimsWithoutVolume(others, node.labels)];
  for (const claim of toProvision) {
    const obstacle = provisioningObstacle(claim, node.labels, index);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

function provisioningObstacle(
  { claim, storageClass }: DelayedClaim,
  labels: Labels,
  index: StorageIndex,
): Reason | null {
  const { name, provisioner, allowedTopologies } = storageClass;
  if (provisioner === '' || provisioner === NO_PROVISIONER) return BIND_CONFLICT;
  if (!topologyAllows(allowedTopologies, labels)) return BIND_CONFLICT;
  const size = claim.requestBytes;
  if (size === null || !index.publishesCapacity(provisioner)) return null;
  const hasRoom = index
    .capacitiesOf(name)
    .some(
      ({ largestBytes, nodeTopology }) =>
        largestBytes !== null && largestBytes >= size && labelSelectorMatches(nodeTopology, labels),
    );
  return hasRoom ? null : NO_SPACE;
}

/** Without terms any node will do; a term without requirements allows none. */
function topologyAllows(terms: readonly TopologyTerm[], labels: Labels): boolean {
  if (terms.length === 0) return true;
  return terms.some(
    (term) =>
      term.length > 0 &&
      term.every(({ key, values }) => {
        const value = labels.get(key);
        return value !== undefined && values.includes(value);
      }),
  );
}
