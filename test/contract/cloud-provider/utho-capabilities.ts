import type { CloudCapabilities } from './capabilities.js';

const MINUTE = 60_000;

export const UTHO_CAPABILITIES: CloudCapabilities = {
  lacks: {
    paging: 'One answer holds the whole cluster.',
    'partial-growth': 'A growth is one absolute count, accepted or refused as a whole.',
    locks: "The API knows no locks; what it can't do it refuses.",
    volumes: 'Nothing is known of what becomes of volumes; the adapter has no say in it.',
    'attach-limits': 'Nothing is known of a limit of volumes on one worker.',
    catalogue: "A pool's plan is chosen when the pool is made; nothing is ordered from a catalogue.",
  },
  knownGaps: {
    M2: 'No real worker has been measured: what stands for one in the test is what is sold, less what every kubelet keeps. What kernel and firmware keep of the memory is unknown, and promised too much unless `reserved` names it. And where no DaemonSet of kube-proxy shows, 100m of CPU are kept for it: more than 2 % of a small worker.',
  },
  times: {
    staleAfterMs: 0,
    listsLagMs: 2_000,
    noticesWithinMs: 10_000,
    noticesBadGroupsWithinMs: 10_000,
    machineReadyMs: MINUTE,
    settledWithinMs: 20 * MINUTE,
    callMs: 4 * MINUTE,
  },
  calls: { perRefresh: 1, perLargeRefresh: 1, perHourAtRest: 370, perMachine: 3 },
  errors: {
    documented: {
      'out of stock': 'stock-out',
      'quota exceeded': 'quota',
      'credit used up': 'quota',
      unauthorized: 'configuration',
      'read-only key': 'configuration',
      'no such pool': 'configuration',
      'bad request': 'configuration',
      'slow down': 'throttled',
    },
    unknown: { error: 'out of cheese', code: 'api_error' },
    throttled: 'slow down',
    unauthorized: { error: 'unauthorized', setting: 'API key' },
    tls: 'transient',
  },
  nodesWithoutId: 'matched by name',
  labelsOfOneNode: ['node_id'],
  prices: { currency: 'INR', billingStepMs: 60 * MINUTE },
};
