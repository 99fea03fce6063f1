import { INSTANCE_TYPE_LABEL, REGION_LABEL, ZONE_LABEL } from '../kubernetes/labels.js';
import type { Labels } from '../kubernetes/labels.js';

const TWINS: readonly (readonly [stable: string, deprecated: string])[] = [
  [INSTANCE_TYPE_LABEL, 'beta.kubernetes.io/instance-type'],
  [REGION_LABEL, 'failure-domain.beta.kubernetes.io/region'],
  [ZONE_LABEL, 'failure-domain.beta.kubernetes.io/zone'],
];

/** Labels with the deprecated twins that old selectors still ask for; twins that are set stay as they are. */
export function withDeprecatedTwins(labels: Labels): Labels {
  const all = new Map(labels);
  for (const [stable, deprecated] of TWINS) {
    const value = labels.get(stable);
    if (value !== undefined && !all.has(deprecated)) all.set(deprecated, value);
  }
  return all;
}
