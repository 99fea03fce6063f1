import { duration } from './duration.js';
import { object, optional } from './object-shape.js';
import { amount, anything, count, flag, integer, mapOf, named, text } from './shape.js';
import type { ValueOf } from './shape.js';

/** Settings of the autoscaler in words of the case notation; `flags` says all the others. */
export const settingsShape = named(
  'settings',
  object(
    'settings',
    {
      loop: optional(duration(), 'Pause between iterations. Default 10s.'),
      unneeded: optional(duration(), 'A node is unneeded this long before it goes. Default 10m.'),
      unreadyTime: optional(duration(), 'The same for an unready node. Default 20m.'),
      useThreshold: optional(amount(), 'Use below which a node is a candidate. Default 0.5.'),
      provisionTimeout: optional(duration(), 'Wait for a machine to become a node. Default 15m.'),
      expander: optional(text(), 'How to choose among groups. Default least-waste.'),
      maxDrain: optional(count(), 'Drains at once. Default 1.'),
      maxEmptyBulk: optional(count(), 'Deletions at once. Default 10.'),
      cooldownAfterAdd: optional(duration(), 'No removal so long after a growth. Default 10m.'),
      cooldownAfterDelete: optional(duration(), 'No removal so long after a removal. Default 0s.'),
      cooldownAfterFailure: optional(duration(), 'No removal so long after a failed one. Default 3m.'),
      maxUnreadyPercent: optional(amount(), 'Share of unready nodes at which all stands still. Default 45.'),
      okUnready: optional(count(), 'Unready nodes that are always tolerated. Default 3.'),
      maxNodesTotal: optional(count(), 'Most nodes of the cluster; 0 is no limit.'),
      expendableBelow: optional(integer(), 'Pods below this priority cause nothing. Default -10.'),
      backoffInitial: optional(duration(), 'First back-off of a failed group. Default 5m.'),
      backoffMax: optional(duration(), 'Longest back-off. Default 30m.'),
      enforceMin: optional(flag(), 'Groups below their minimum are brought up to it.'),
      ignoreDaemonSets: optional(flag(), 'DaemonSet pods do not count for use.'),
      balance: optional(flag(), 'Spread growth over similar groups.'),
      salvo: optional(flag(), 'Grow several groups in one iteration.'),
      newPodDelay: optional(duration(), 'Pods younger than this are not looked at.'),
      lease: optional(duration(), 'Lease of the leader. Default 15s.'),
      renew: optional(duration(), 'Renew deadline of the leader. Default 10s.'),
      retry: optional(duration(), 'Pause between attempts to lead. Default 2s.'),
      flags: optional(mapOf(anything()), 'Any other flag of `evenkeel run`, without dashes.'),
      environment: optional(mapOf(text()), 'Environment variables of the program.'),
    },
    { backoff: 'backoffInitial', unneededTime: 'unneeded', threshold: 'useThreshold' },
  ),
);

export type Settings = ValueOf<typeof settingsShape>;
