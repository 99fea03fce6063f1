import type { ClaimObject, NodeObject, StorageClassObject, Texts } from './api-objects.js';
import { findNamed, labelsOf } from './cluster.js';
import type { Cluster } from './cluster.js';
import { parseQuantity, toUnits } from './quantity.js';
import { selectsLeniently } from './requirements.js';
import { requestedSize } from './static-volumes.js';
import { classNameOf } from './volumes.js';

/** `allowedTopologies` (`scheduling` 3.8): no terms allow any node, an empty term matches nothing. */
export function topologyAllows(storageClass: StorageClassObject, labels: Texts): boolean {
  const terms = storageClass.allowedTopologies ?? [];
  if (terms.length === 0) return true;
  return terms.some((term) => {
    const expressions = term.matchLabelExpressions ?? [];
    return (
      expressions.length > 0 &&
      expressions.every(({ key, values }) => {
        const value = labels[key ?? ''];
        return value !== undefined && (values ?? []).includes(value);
      })
    );
  });
}

/** Each claim is checked alone; sizes are not added up. */
export function hasEnoughCapacity(
  cluster: Cluster,
  provisioner: string,
  claim: ClaimObject,
  node: NodeObject,
): boolean {
  const size = requestedSize(claim);
  if (size === null) return true;
  if (findNamed(cluster.csiDrivers, provisioner)?.spec?.storageCapacity !== true) return true;
  return cluster.storageCapacities.some((entry) => {
    const limit = parseQuantity(entry.maximumVolumeSize ?? entry.capacity);
    return (
      (entry.storageClassName ?? '') === classNameOf(claim) &&
      selectsLeniently(entry.nodeTopology, labelsOf(node)) &&
      (entry.maximumVolumeSize ?? entry.capacity) != null &&
      limit !== null &&
      toUnits(limit) >= toUnits(size)
    );
  });
}
