import { KubeConfig, CoreV1Api, makeInformer } from '@kubernetes/client-node';
import type { Informer, ObjectCache, V1Pod } from '@kubernetes/client-node';
import { LoopbackServer } from '../../../src/sandbox/http/index.js';
import {
  applyFaultDocument,
  frontWithAdmin,
  kinds,
  KubernetesCluster,
} from '../../../src/sandbox/kubernetes/index.js';
import { MachineFleet, RealClock, SeededRandom } from '../../../src/sandbox/world/index.js';

/**
 * A stranger's client: the informer of client-node over a socket, as its readme shows it, started again when it gives
 * up. Real time, for its timers are its own; so the patience of all is short.
 */
class Stranger {
  readonly cache: Informer<V1Pod> & ObjectCache<V1Pod>;
  private stopped = false;

  constructor(server: string) {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'sandbox', server, skipTLSVerify: true }],
      users: [{ name: 'stranger' }],
      contexts: [{ name: 'sandbox', cluster: 'sandbox', user: 'stranger' }],
      currentContext: 'sandbox',
    });
    const api = config.makeApiClient(CoreV1Api);
    this.cache = makeInformer(config, '/api/v1/namespaces/default/pods', () =>
      api.listNamespacedPod({ namespace: 'default' }),
    );
    this.cache.on('error', () => this.restartSoon());
  }

  start(): Promise<void> {
    return this.cache.start();
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.cache.stop();
  }

  /** `name@version`, sorted. */
  known(): string[] {
    return this.cache
      .list()
      .map(({ metadata }) => `${metadata!.name}@${metadata!.resourceVersion}`)
      .sort();
  }

  private restartSoon(): void {
    setTimeout(() => {
      if (!this.stopped) void this.cache.start();
    }, 50);
  }
}

describe("a stranger's informer", () => {
  const clock = new RealClock();
  let cluster: KubernetesCluster;
  let server: LoopbackServer;
  let stranger: Stranger;
  let serial = 0;

  beforeEach(async () => {
    cluster = new KubernetesCluster({ clock, random: new SeededRandom(1), fleet: new MachineFleet() });
    server = await LoopbackServer.listen(frontWithAdmin(cluster));
    stranger = new Stranger(server.origin);
    churn();
    await stranger.start();
  });

  afterEach(async () => {
    await stranger.stop();
    cluster.stop();
    await server.close();
  });

  afterAll(() => clock.stop());

  /** Three pods come, the oldest goes, and one changes. */
  function churn(): void {
    for (let count = 0; count < 3; count++) {
      const name = `p-${serial++}`;
      cluster.create({ kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'a', image: 'b' }] } });
    }
    const [oldest, next] = cluster.pods();
    cluster.delete(kinds.PODS, oldest!.metadata.name);
    cluster.modify(kinds.PODS, { namespace: 'default', name: next!.metadata.name }, (pod) => {
      pod.metadata.labels = { seen: `${serial}` };
    });
  }

  function truth(): string[] {
    return cluster
      .pods()
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .sort();
  }

  async function expectAgreement(): Promise<void> {
    const endMs = Date.now() + 15_000;
    while (stranger.known().join() !== truth().join() && Date.now() < endMs) await clock.sleep(20);
    expect(stranger.known()).toEqual(truth());
  }

  it('agrees with a healthy server', async () => {
    churn();
    await expectAgreement();
  });

  it.each<[string, object]>([
    ['a watch that is cut', { action: { kind: 'watch-cut' } }],
    ['a watch that ends', { action: { kind: 'watch-cut', cleanly: true } }],
    ['history that is lost', { action: { kind: 'watch-expired' } }],
    ['duplicated events', { action: { kind: 'watch-duplicates', count: 2 } }],
    ['events out of order', { action: { kind: 'watch-reordered' } }],
    ['late events', { action: { kind: 'watch-slow', ms: 300 } }],
    ['a server that is away', { forMs: 500, action: { kind: 'api-down' } }],
    ['watches that are refused', { path: 'pods', times: 2, action: { kind: 'answer', status: 500 } }],
    ['too many requests', { path: 'pods', times: 2, action: { kind: 'answer', status: 429 } }],
    ['slow answers', { path: 'pods', times: 3, action: { kind: 'delay', ms: 200 } }],
    ['lost replies', { path: 'pods', times: 2, action: { kind: 'cut-after' } }],
  ])(
    'survives %s',
    async (_what, fault) => {
      applyFaultDocument(cluster, fault);
      churn();
      // What is refused or lost only shows when a watch begins anew.
      cluster.faults.cutWatches();
      churn();
      await clock.sleep(100);
      churn();
      await expectAgreement();
    },
    30_000,
  );

  it('recovers from half a list, and from a stale one, with the next list', async () => {
    applyFaultDocument(cluster, { forMs: 700, action: { kind: 'list-half', resource: 'pods' } });
    applyFaultDocument(cluster, { forMs: 700, action: { kind: 'list-stale', resource: 'pods' } });
    churn();
    cluster.faults.expireWatches();
    await clock.sleep(800);
    expect(stranger.known()).not.toEqual(truth());
    cluster.faults.expireWatches();
    await expectAgreement();
  }, 30_000);
});
