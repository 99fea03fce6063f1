import type { Clock } from '../../../application/ports/clock.js';
import { toFailure } from '../client/cloud-errors.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoApi } from '../client/utho-api.js';
import { UthoError } from '../client/utho-error.js';
import { refused } from '../refusal.js';

/** The start waits no longer: the first refresh asks again anyway. Our decision. */
const PROBE_MS_MAX = 10_000;
/** As many cluster ids as fit on a line. */
const SUGGESTIONS_MAX = 20;

/**
 * Asks for the cluster once, so that a wrong key or id is told at the start. Only warns: upstream starts with them, and
 * the refreshes fail (`utho` 1.4).
 */
export async function probeCluster(
  clusterId: string,
  parts: { readonly api: UthoApi; readonly clock: Clock; readonly telemetry: Telemetry },
  signal: AbortSignal,
): Promise<void> {
  const { api, clock, telemetry } = parts;
  const options = { signal, deadlineMs: clock.now() + PROBE_MS_MAX };
  try {
    const { label, dcslug, pools } = await api.cluster(clusterId, options);
    const message = `cluster ${clusterId} (${label}) in ${dcslug} has ${pools.size} node pools`;
    telemetry.logger.info('utho-cluster', message);
  } catch (error) {
    if (signal.aborted) throw refused('aborted', 'the start was given up', 'transient');
    const { message } = toFailure(error, `cluster ${clusterId} cannot be read`);
    const isUnknown = error instanceof UthoError && error.class === 'notFound';
    const suggestion = isUnknown ? await suggestClusters(api, options) : '';
    telemetry.logger.warn('utho-probe', `${message}${suggestion}`);
  }
}

async function suggestClusters(api: UthoApi, options: Parameters<UthoApi['clusters']>[0]): Promise<string> {
  try {
    const clusters = await api.clusters(options);
    if (clusters.length === 0) return '; the account of this API key has no cluster';
    const names = clusters.slice(0, SUGGESTIONS_MAX).map(({ id, label }) => `${id} (${label})`);
    return `; clusters of this account: ${names.join(', ')}`;
  } catch {
    // The suggestion is a courtesy; what matters is told already.
    return '';
  }
}
