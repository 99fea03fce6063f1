import type { CloudCapabilities } from './capabilities.js';

const MINUTE = 60_000;

export const HETZNER_CAPABILITIES: CloudCapabilities = {
  lacks: {
    'attach-limits':
      'The template leaves the limit of 16 volumes to the domain, which knows it for `csi.hetzner.cloud` wherever the driver has not registered.',
  },
  knownGaps: {},
  times: {
    staleAfterMs: 5 * MINUTE,
    listsLagMs: 0,
    noticesWithinMs: MINUTE,
    noticesBadGroupsWithinMs: 11 * MINUTE,
    machineReadyMs: MINUTE,
    settledWithinMs: 30 * MINUTE,
    callMs: 6 * MINUTE,
  },
  calls: { perRefresh: 2, perLargeRefresh: 22, perHourAtRest: 360, perMachine: 20 },
  errors: {
    documented: {
      resource_unavailable: 'stock-out',
      placement_error: 'stock-out',
      no_subnet_available: 'stock-out',
      resource_limit_exceeded: 'quota',
      invalid_input: 'configuration',
      unauthorized: 'configuration',
      token_readonly: 'configuration',
      forbidden: 'configuration',
    },
    unknown: { error: 'out_of_cheese', code: 'out_of_cheese' },
    throttled: 'rate_limit_exceeded',
    unauthorized: { error: 'unauthorized', setting: 'HCLOUD_TOKEN' },
    tls: 'transient',
  },
  nodesWithoutId: 'matched by name',
  labelsOfOneNode: [],
  pageSize: 50,
  prices: { currency: 'EUR', billingStepMs: 60 * MINUTE },
};
