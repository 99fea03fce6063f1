import { flag, noEffect } from '../flag-definition.js';
import type { FlagDefinition } from '../flag-definition.js';
import { boolean, duration, integer, string } from '../flag-types.js';
import { SECOND_MS } from './units.js';

const AWS = noEffect('it belongs to AWS');
const GCE = noEffect('it belongs to GCE');

/** `interface` 1.6: flags of other providers, accepted because shared manifests carry them. */
export const FOREIGN_FLAGS = {
  'aws-use-static-instance-list': flag(boolean, false, 'AWS only.', AWS),
  'bulk-mig-instances-listing-enabled': flag(boolean, false, 'GCE only.', GCE),
  'gce-concurrent-refreshes': flag(integer, 1, 'GCE only.', GCE),
  'gce-mig-instances-min-refresh-wait-time': flag(duration, 5 * SECOND_MS, 'GCE only.', GCE),
  'clusterapi-cloud-config-authoritative': flag(
    boolean,
    false,
    'Cluster API only.',
    noEffect('it belongs to Cluster API'),
  ),
  'cloud-provider-gce-lb-src-cidrs': flag(string, '', 'GCE only.', GCE),
  'cloud-provider-gce-l7lb-src-cidrs': flag(string, '', 'GCE only.', GCE),
};

function removed<Value, Suffix extends string>(
  definition: FlagDefinition<Value, Suffix>,
): FlagDefinition<Value, Suffix> {
  return { ...definition, removed: true };
}

/**
 * `interface` 1.11. differs from upstream: flags that the Go program dropped are accepted with a warning instead of
 * ending the start, because old manifests still carry them.
 */
export const REMOVED_FLAGS = {
  'max-empty-bulk-delete': removed(
    flag(integer, 10, 'Removed.', noEffect('removed in 1.33; use --max-scale-down-parallelism')),
  ),
  'node-autoprovisioning-enabled': removed(flag(boolean, false, 'Removed.', noEffect('removed in 1.33'))),
  'max-autoprovisioned-node-group-count': removed(flag(integer, 15, 'Removed.', noEffect('removed in 1.33'))),
  'gce-expander-ephemeral-storage-support': removed(
    flag(boolean, true, 'Removed.', noEffect('removed in 1.33')),
  ),
  'parallel-drain': removed(
    flag(boolean, true, 'Removed.', noEffect('removed in 1.32; draining is parallel')),
  ),
  'lease-resource-name': removed(
    flag(string, '', 'Removed.', noEffect('removed in 1.33; use --leader-elect-resource-name')),
  ),
};
