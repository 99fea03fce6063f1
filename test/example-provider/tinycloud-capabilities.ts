import type { CloudCapabilities } from '../contract/cloud-provider/capabilities.js';
import { BOOT_MS, PAGE_SIZE } from './fake/tinycloud.js';

const MINUTE = 60_000;

export const TINYCLOUD_CAPABILITIES: CloudCapabilities = {
  lacks: { retries: 'The adapter asks once in each loop; the next loop is its retry.' },
  knownGaps: {},
  times: {
    staleAfterMs: 5 * MINUTE,
    listsLagMs: 10_000,
    noticesWithinMs: 10_000,
    noticesBadGroupsWithinMs: 10_000,
    machineReadyMs: BOOT_MS + 10_000,
    settledWithinMs: 20 * MINUTE,
    callMs: 10_000,
  },
  calls: {
    perRefresh: 1_000 / PAGE_SIZE + 1,
    perLargeRefresh: 1_000 / PAGE_SIZE,
    perHourAtRest: 360,
    perMachine: 2,
  },
  errors: {
    documented: {
      sold_out: 'stock-out',
      limit_reached: 'quota',
      slow_down: 'throttled',
      unauthorized: 'configuration',
      unknown_size: 'configuration',
    },
    unknown: { error: 'out_of_cheese', code: 'out_of_cheese' },
    throttled: 'slow_down',
    unauthorized: { error: 'unauthorized', setting: 'TINYCLOUD_TOKEN' },
    tls: 'configuration',
  },
  nodesWithoutId: 'matched by name',
  labelsOfOneNode: [],
  pageSize: PAGE_SIZE,
  prices: { currency: 'EUR', billingStepMs: 60 * MINUTE },
};
