import type { Pool } from '../state/records.js';
import { DEFAULT_TOKEN } from '../utho-cloud.js';
import type { UthoCloud } from '../utho-cloud.js';
import { applyFaultDocument } from './fault-documents.js';

type Scenario = (cloud: UthoCloud) => void;

/** The path of an update. */
const UPDATE = '/nodepool/[^/]+/update$';

/**
 * Situations by name (`utho` 5.4); each says what differs from a healthy platform. 'The pool' is the first of the
 * first cluster that is scaled by an autoscaler; it must be there, with a worker that runs.
 */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'happy-scale-up': () => undefined,
  'scale-down-named': () => undefined,
  'read-lag-3-reads': (cloud) => cloud.configure({ readLagReads: 3 }),
  'read-lag-60s': (cloud) => cloud.configure({ readLagMs: 60_000 }),
  'write-applied-then-reset': (cloud) =>
    fault(cloud, { method: 'POST', path: UPDATE, times: 1, action: { kind: 'cut-after' } }),
  'manual-growth': (cloud) => cloud.resizePool(thePool(cloud).id, thePool(cloud).count + 3),
  'policy-grows-pool': (cloud) => cloud.playPolicy([{ afterMs: 1_000, pool: thePool(cloud).id, change: 2 }]),
  'quota-count-stays': (cloud) => cloud.configure({ capacity: 'clip' }),
  'quota-refused': (cloud) =>
    cloud.configure({
      capacity: 'reject',
      capacityMessage: 'Account limit reached. Please contact support.',
    }),
  'sold-out': (cloud) => cloud.configure({ capacity: 'reject' }),
  'worker-failed': (cloud) => cloud.failNextWorkers(1, { message: 'Deployment failed.' }),
  'delete-recreates': (cloud) =>
    cloud.configure({ deleteDecrements: false, timings: { recreateAfterMs: 5_000 } }),
  'delete-hits-another': (cloud) => cloud.configure({ deleteVictim: 'other' }),
  'out-of-band-destroy': (cloud) => cloud.destroyWorker(aWorker(cloud)),
  'growth-half-stuck': (cloud) => cloud.stallNextWorkers(2, thePool(cloud).id),
  'count-0-removes': (cloud) => cloud.configure({ zeroCount: 'remove' }),
  'count-0-empties': (cloud) => cloud.configure({ zeroCount: 'keepEmpty' }),
  'pool-renamed': (cloud) => cloud.renamePool(thePool(cloud).id, 'renamed'),
  'pool-removed': (cloud) => cloud.removePool(thePool(cloud).id),
  'pool-switched-off': (cloud) => cloud.setAutoScale(thePool(cloud).id, false),
  'all-pools-off': (cloud) => {
    for (const id of cloud.cluster().pools.keys()) cloud.setAutoScale(id, false);
  },
  'cluster-stopped': (cloud) => cloud.stopCluster(),
  ...Object.fromEntries(
    (['E1', 'E4', 'E5', '404'] as const).map((shape): [string, Scenario] => [
      `unknown-cluster-${shape.toLowerCase()}`,
      (cloud) => {
        cloud.configure({ unknownCluster: shape });
        cloud.destroyCluster();
      },
    ]),
  ),
  'bad-token': (cloud) => cloud.revokeToken(DEFAULT_TOKEN),
  'read-only-token': (cloud) => cloud.setTokenWritable(DEFAULT_TOKEN, false),
  'refused-everywhere': (cloud) =>
    fault(cloud, { action: { kind: 'refusal', message: 'Something went wrong.' } }),
  'reads-refused': (cloud) =>
    fault(cloud, { method: 'GET', action: { kind: 'refusal', message: 'Something went wrong.' } }),
  'updates-refused': (cloud) =>
    fault(cloud, { method: 'POST', action: { kind: 'refusal', message: 'Something went wrong.' } }),
  'deletions-refused': (cloud) =>
    fault(cloud, { method: 'DELETE', action: { kind: 'refusal', message: 'Something went wrong.' } }),
  ...Object.fromEntries(
    (['documented', 'strings', 'numbers', 'legacy', 'random'] as const).map((typing): [string, Scenario] => [
      `typing-${typing}`,
      (cloud) => cloud.configure({ typing }),
    ]),
  ),
  'broken-worker': (cloud) => cloud.distortWorker(aWorker(cloud), { cloudid: '', ram: '', cpu: '' }),
  'slow-5s': (cloud) => fault(cloud, { action: { kind: 'delay', ms: 5_000 } }),
  'slow-bodies-5s': (cloud) => fault(cloud, { action: { kind: 'slow-body', ms: 5_000 } }),
  'bad-gateway-5-times': (cloud) => fault(cloud, { times: 5, action: { kind: 'bad-gateway' } }),
  'rate-limited-3-times': (cloud) =>
    fault(cloud, { times: 3, action: { kind: 'rate-limited', retryAfterSeconds: 2 } }),
  'legacy-payload-ignored': (cloud) => cloud.configure({ extraFields: 'ignore' }),
  'legacy-payload-applied': (cloud) => cloud.configure({ extraFields: 'apply' }),
};

/** Throws a RangeError for an unknown name. */
export function applyScenario(cloud: UthoCloud, name: string): void {
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (scenario === undefined)
    throw new RangeError(`no scenario '${name}'; known: ${Object.keys(SCENARIOS).join(', ')}`);
  scenario(cloud);
}

function fault(cloud: UthoCloud, document: Readonly<Record<string, unknown>>): void {
  applyFaultDocument(cloud, document);
}

function thePool(cloud: UthoCloud): Pool {
  const pool = [...cloud.cluster().pools.values()].find(({ autoScale }) => autoScale);
  if (pool === undefined) throw new RangeError('no pool of the first cluster is autoscaled');
  return pool;
}

function aWorker(cloud: UthoCloud): string {
  const worker = thePool(cloud).workers.find(({ state }) => state === 'active');
  if (worker?.cloudId == null) throw new RangeError(`no worker of pool ${thePool(cloud).id} runs`);
  return worker.cloudId;
}
