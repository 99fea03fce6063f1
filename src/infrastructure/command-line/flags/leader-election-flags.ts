import { flag, noEffect } from '../flag-definition.js';
import { boolean, duration, string } from '../flag-types.js';
import { SECOND_MS } from './units.js';

/** `interface` 1.9. */
export const LEADER_ELECTION_FLAGS = {
  'leader-elect': flag(boolean, true, 'Work only while holding the lease.'),
  'leader-elect-lease-duration': flag(duration, 15 * SECOND_MS, 'Wait of others before they take over.'),
  'leader-elect-renew-deadline': flag(duration, 10 * SECOND_MS, 'Time to renew before the leader gives up.'),
  'leader-elect-retry-period': flag(duration, 2 * SECOND_MS, 'Wait between attempts.'),
  'leader-elect-resource-lock': flag(string, 'leases', 'Kind of lock; leases is the only one.'),
  'leader-elect-resource-name': flag(string, 'cluster-autoscaler', 'Name of the lease.'),
  'leader-elect-resource-namespace': flag(
    string,
    '',
    'Namespace of the lease.',
    noEffect('the lease is in --namespace, as upstream'),
  ),
};
