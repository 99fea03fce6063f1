import type { Node } from './node.js';
import type { ClusterStorage, VolumeLimits } from './storage.js';

/**
 * Limits that drivers are known to report on every node, for nodes where they have not done so yet: a driver registers
 * some time after its node, and not at all on one that is only thought of.
 *
 * differs from upstream: it has no limit there, or fails, and plans any number of volumes onto one node
 * (`scheduling` 4.4 item 6, kubernetes/autoscaler#10131).
 */
export const KNOWN_VOLUME_LIMITS: VolumeLimits = new Map([['csi.hetzner.cloud', 16]]);

/** Nodes with the limits that their CSINodes state; as they are where no claim exists that could be counted. */
export function withVolumeLimits(
  nodes: readonly Node[],
  { csiNodes, claims }: Pick<ClusterStorage, 'csiNodes' | 'claims'>,
): readonly Node[] {
  if (claims.length === 0) return nodes;
  const byNode = new Map(csiNodes.map(({ nodeName, limits }) => [nodeName, limits]));
  return nodes.map((node) => ({ ...node, volumeLimits: orKnown(byNode.get(node.name)) }));
}

/** What is stated, and what is known of drivers that state nothing. */
export function orKnown(stated: VolumeLimits | undefined): VolumeLimits {
  if (stated === undefined || stated.size === 0) return KNOWN_VOLUME_LIMITS;
  return new Map([...KNOWN_VOLUME_LIMITS, ...stated]);
}
