import { UthoApi, UthoTelemetry, readUthoConfiguration } from '../../../src/adapters/utho/index.js';
import { toFailure } from '../../../src/adapters/utho/client/cloud-errors.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { DEFAULT_CLUSTER, DEFAULT_PLAN, DEFAULT_TOKEN, UthoCloud } from '../../../src/sandbox/utho/index.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';
import { MachineFleet, SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';
import { RecordedIncidents, RecordedLog, RecordedMetrics, source } from '../../support/recorders.js';
import { CONFIG_PATH, ORIGIN } from './scripted-api.js';

const READ_ONLY_TOKEN = 'sandbox-utho-key-that-only-reads';
const POOL = { clusterId: DEFAULT_CLUSTER, poolId: 'workers' };

interface World {
  readonly settings?: SettingsChange;
  readonly token?: string;
  readonly seed?: number;
}

/** The real client on the simulated cloud, with a running pool of three and a fixed one of two. */
function clientOn({ settings = {}, token = DEFAULT_TOKEN, seed = 7 }: World = {}) {
  const clock = new VirtualClock();
  const cloud = new UthoCloud({ clock, fleet: new MachineFleet(), random: new SeededRandom(seed), settings });
  cloud.seedPool({ id: 'workers', workers: 3 });
  cloud.seedPool({ id: 'fixed', workers: 2, autoScale: false });
  cloud.addToken(READ_ONLY_TOKEN, { writable: false });
  const text = JSON.stringify({ token, cluster_id: DEFAULT_CLUSTER });
  const configuration = readUthoConfiguration(source({}, { [CONFIG_PATH]: text }), CONFIG_PATH);
  const telemetry = new UthoTelemetry(new RecordedLog(), new RecordedMetrics(), new RecordedIncidents());
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, cloud.front);
  const api = new UthoApi(configuration, dispatcher, clock, new SeededRandom(seed), telemetry);
  const { signal } = new AbortController();
  return {
    api,
    clock,
    cloud,
    signal,
    cluster: () => clock.complete(api.cluster(DEFAULT_CLUSTER, { signal })),
    failure: (work: Promise<unknown>) =>
      clock.complete(
        work.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
  };
}

const product = <A, B>(left: readonly A[], right: readonly B[]): (readonly [A, B])[] =>
  left.flatMap((one) => right.map((other) => [one, other] as const));

describe('the client on simulated Utho', () => {
  // utho 8/18
  it.each(
    product(
      ['documented', 'strings', 'numbers', 'legacy', 'random'] as const,
      ['none', 'newline', 'BOM', 'text'] as const,
    ),
  )('reads the same cluster with %s types and %s before the JSON', async (typing, junkPrefix) => {
    const plain = await clientOn().cluster();
    expect(plain.pools.get('workers')).toMatchObject({ count: 3, autoScale: true, minSize: 1, maxSize: 5 });
    expect(plain.pools.get('workers')?.workers).toHaveLength(3);
    for (const emptyCollections of ['[]', '{}', 'null', 'omitted'] as const) {
      for (const readRcode of ['success', '0', 'omitted'] as const) {
        const settings = { typing, junkPrefix, emptyCollections, readRcode, poolIds: 'omitted' } as const;
        expect(await clientOn({ settings }).cluster()).toEqual(plain);
      }
    }
  });

  // utho 8/16
  it.each(['E1', 'E4', 'E5', '404'] as const)(
    'never takes an unknown cluster for an empty one: %s',
    async (shape) => {
      const { api, failure, signal } = clientOn({ settings: { unknownCluster: shape } });
      expect(await failure(api.cluster('999', { signal }))).toMatchObject({
        class: 'notFound',
        outcome: 'refused',
      });
    },
  );

  // utho 8/17
  it.each(['401+E2', '200+E2', '403'] as const)('knows a bad key by %s', async (badToken) => {
    const { api, failure, signal } = clientOn({ settings: { badToken }, token: 'wrong-key' });
    const error = await failure(api.cluster(DEFAULT_CLUSTER, { signal }));
    expect(error).toMatchObject({ class: 'auth', code: 'unauthorized' });
    expect((error as Error).message).not.toContain('wrong-key');
  });

  it.each(['403', '200'] as const)('knows a key that may only read by %s', async (readOnlyToken) => {
    const { api, cluster, cloud, failure, signal } = clientOn({
      settings: { readOnlyToken },
      token: READ_ONLY_TOKEN,
    });
    await cluster();
    const error = await failure(api.setCount(POOL, 4, { signal }));
    expect(toFailure(error, 'p').message).toContain('read-only');
    expect(cloud.events('count')).toEqual([]);
  });

  it.each([
    ['The selected plan is out of stock in this location.', 'stock-out'],
    ['Your account has reached its limit of instances.', 'quota'],
  ])('knows why there is no growth: %s', async (capacityMessage, kind) => {
    const { api, failure, signal } = clientOn({ settings: { capacity: 'reject', capacityMessage } });
    const error = await failure(api.setCount(POOL, 4, { signal }));
    expect(toFailure(error, 'p')).toMatchObject({ kind });
  });

  it.each(product(['minimal', 'rich'] as const, ['off', 'on'] as const))(
    'takes a %s answer to a write, with a numeric id %s',
    async (updateResponse, numericId) => {
      const { api, clock, cloud, signal } = clientOn({ settings: { updateResponse, numericId } });
      await clock.complete(api.setCount(POOL, 4, { signal }));
      expect(cloud.pool('workers').count).toBe(4);
      const [worker] = cloud.workers('workers');
      await clock.complete(api.deleteWorker(POOL, worker!.cloudId!, { signal }));
      expect(cloud.pool('workers').count).toBe(3);
      expect(cloud.events('victim')).toEqual([]);
    },
  );

  it('is told that a worker is gone already', async () => {
    const { api, failure, signal } = clientOn();
    expect(await failure(api.deleteWorker(POOL, '5', { signal }))).toMatchObject({ class: 'notFound' });
  });

  it('reads both catalogues of plans, and the list of clusters', async () => {
    const { api, clock, cloud, signal } = clientOn();
    const [worker] = cloud.workers('workers');
    const plans = await clock.complete(api.plans('inmumbaizone2', { signal }));
    const others = await clock.complete(api.resizePlans(worker!.cloudId!, { signal }));
    for (const list of [plans, others]) {
      expect(list.find((plan) => plan.id === DEFAULT_PLAN)).toMatchObject({
        cpu: 4,
        ramMb: 8192,
        diskGb: 160,
      });
    }
    expect(await clock.complete(api.clusters({ signal }))).toMatchObject([{ id: DEFAULT_CLUSTER }]);
  });
});
