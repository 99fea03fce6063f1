import { KubernetesClusterReader, KubernetesClusterWriter } from '../../../src/adapters/kubernetes/index.js';
import { connectKubernetes } from '../../../src/adapters/kubernetes/index.js';
import type {
  KubernetesConnection,
  KubernetesConnectionOptions,
} from '../../../src/adapters/kubernetes/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { ApiServerProxy } from './api-server-proxy.js';
import type { ReaderWorld } from './cluster-reader-contract.js';
import type { WriterWorld } from './cluster-writer-contract.js';
import type { LockWorld } from './leader-lock-contract.js';
import { lockWorldOn } from './lock-candidates.js';
import type { ApiServerAccess } from './real-api-server.js';
import { Process, SERVER } from './sandbox.js';

const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const EVENTS = '/api/v1/namespaces/default/events';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const STATUS_MAP = '/api/v1/namespaces/kube-system/configmaps/cluster-autoscaler-status';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cluster-autoscaler';
const MERGE = 'application/merge-patch+json';
const AT_ONCE = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };

/** A real API server, emptied, and the wire to it under virtual time. */
class RealWorld {
  readonly clock = new VirtualClock();
  readonly proxy: ApiServerProxy;
  private readonly dispatcher: InProcessDispatcher;

  constructor(server: ApiServerAccess) {
    this.proxy = new ApiServerProxy(server, this.clock);
    this.dispatcher = new InProcessDispatcher({ clock: this.clock }).mount(SERVER, this.proxy);
  }

  static async empty(server: ApiServerAccess): Promise<RealWorld> {
    const world = new RealWorld(server);
    for (const path of [PODS, NODES, EVENTS, BUDGETS]) await world.proxy.ask('DELETE', path, AT_ONCE);
    for (const path of [STATUS_MAP, LEASE]) await world.proxy.ask('DELETE', path, AT_ONCE);
    return world;
  }

  process(seed = 'test'): Process {
    return new Process(this.clock, seed);
  }

  connect(options: Partial<KubernetesConnectionOptions> = {}): Promise<KubernetesConnection> {
    return connectKubernetes({
      address: { kind: 'url', url: `${SERVER}?inClusterConfig=false` },
      clock: this.clock,
      dispatcher: this.dispatcher,
      qps: 1_000,
      burst: 1_000,
      ...options,
    });
  }

  async createNode(name: string): Promise<void> {
    await this.proxy.ask('POST', NODES, { kind: 'Node', apiVersion: 'v1', metadata: { name } });
  }

  async createPod(name: string, spec: object = {}): Promise<string> {
    const containers = [{ name: 'main', image: 'x' }];
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name }, spec: { containers, ...spec } };
    return (await this.proxy.ask('POST', PODS, pod)).metadata!['uid' as 'name']!;
  }

  async patchStatus(path: string, status: object): Promise<void> {
    await this.proxy.ask('PATCH', `${path}/status`, { status }, MERGE);
  }

  async deletePod(name: string): Promise<void> {
    await this.proxy.ask('DELETE', `${PODS}/${name}`, AT_ONCE);
  }
}

export async function realReaderWorld(server: ApiServerAccess): Promise<ReaderWorld> {
  const world = await RealWorld.empty(server);
  const { clock, proxy } = world;
  const { random, incidents, logger } = world.process();
  const reader = new KubernetesClusterReader(await world.connect(), random, incidents, logger);
  const broken = new Set<string>();
  // No real server stores such a quantity.
  proxy.distort = (object) => {
    if (!broken.has(object.metadata?.name ?? '')) return object;
    const [container, ...others] = object['spec'].containers;
    const resources = { requests: { cpu: 'much' } };
    return { ...object, spec: { ...object['spec'], containers: [{ ...container, resources }, ...others] } };
  };
  let touched = 0;
  let counted = 0;
  return {
    reader,
    pass: (ms) => clock.advance(ms),
    complete: (promise) => clock.complete(promise),
    createNode: (name) => world.createNode(name),
    createPod: async (name) => {
      await world.createPod(name);
    },
    markUnschedulable: (name) => {
      const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+/, '');
      const condition = {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        lastTransitionTime,
      };
      return world.patchStatus(`${PODS}/${name}`, { conditions: [condition] });
    },
    finishPod: (name) => world.patchStatus(`${PODS}/${name}`, { phase: 'Succeeded' }),
    breakPod: async (name) => {
      broken.add(name);
      const labels = { touched: `${++touched}` };
      await proxy.ask('PATCH', `${PODS}/${name}`, { metadata: { labels } }, MERGE);
    },
    deletePod: (name) => world.deletePod(name),
    skipReports: () => logger.events().filter((event) => event === 'object-skipped').length,
    requestsSince: () => {
      const since = proxy.requestCount - counted;
      counted = proxy.requestCount;
      return since;
    },
    faults: {
      down: (isDown) => {
        proxy.down = isDown;
      },
      cutWatches: () => proxy.cutWatches(),
      silenceWatches: () => proxy.silenceWatches(),
      expireWatches: () => proxy.expireWatches(),
      duplicateEvents: () => {
        proxy.duplicates = 2;
      },
    },
  };
}

export async function realWriterWorld(server: ApiServerAccess): Promise<WriterWorld> {
  const world = await RealWorld.empty(server);
  const { clock, proxy } = world;
  const { random, incidents, logger } = world.process();
  const writer = new KubernetesClusterWriter(await world.connect(), random, incidents, logger);
  let rivals = 0;
  let rival = 0;
  let counted = 0;
  // Another client that is always a little faster.
  proxy.beforeWrite = async ({ method, path }) => {
    if (method !== 'PUT' || !path.startsWith(`${NODES}/`) || rivals === 0) return;
    rivals--;
    const taints: unknown[] = (await proxy.ask('GET', path))['spec']?.taints ?? [];
    const key = `rival-${++rival}`;
    await proxy.ask('PATCH', path, { spec: { taints: [...taints, { key, effect: 'NoSchedule' }] } }, MERGE);
  };
  return {
    writer,
    pass: (ms) => clock.advance(ms),
    complete: (promise) => clock.complete(promise),
    createNode: (name) => world.createNode(name),
    node: async (name) => {
      const { metadata, spec } = await proxy.ask('GET', `${NODES}/${name}`);
      return {
        taints: spec?.taints ?? [],
        unschedulable: spec?.unschedulable === true,
        resourceVersion: metadata?.resourceVersion ?? '',
      };
    },
    createPod: async (name, nodeName) => {
      const uid = await world.createPod(name, { nodeName });
      const conditions = [{ type: 'Ready', status: 'True' }];
      await world.patchStatus(`${PODS}/${name}`, { phase: 'Running', conditions });
      return uid;
    },
    deletePod: (name) => world.deletePod(name),
    podExists: async (name) => {
      const { metadata } = await proxy.ask('GET', `${PODS}/${name}`);
      return metadata?.name !== undefined && !('deletionTimestamp' in metadata);
    },
    forbidDisruptions: async () => {
      const spec = { minAvailable: 1, selector: {} };
      const metadata = { name: 'all' };
      await proxy.ask('POST', BUDGETS, {
        kind: 'PodDisruptionBudget',
        apiVersion: 'policy/v1',
        metadata,
        spec,
      });
      await world.patchStatus(`${BUDGETS}/all`, {
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        observedGeneration: 1,
      });
    },
    events: async () => {
      const items = ((await proxy.ask('GET', EVENTS))['items'] ?? []) as Record<string, any>[];
      return items.map(({ reason = '', message = '', count = 0 }) => ({ reason, message, count }));
    },
    status: async () => {
      const { metadata, data } = await proxy.ask('GET', STATUS_MAP);
      if (metadata === undefined) return null;
      const annotations = (metadata as Record<string, any>)['annotations'] as Record<string, string>;
      const lastUpdated = annotations['cluster-autoscaler.kubernetes.io/last-updated']!;
      return { yaml: data.status as string, lastUpdated };
    },
    writesSince: () => {
      const since = proxy.writeCount - counted;
      counted = proxy.writeCount;
      return since;
    },
    faults: {
      down: (isDown) => {
        proxy.down = isDown;
      },
      rivals: (times) => {
        rivals = times;
      },
    },
  };
}

export async function realLockWorld(server: ApiServerAccess): Promise<LockWorld> {
  const world = await RealWorld.empty(server);
  const { proxy } = world;
  const holder = async () => (await proxy.ask('GET', LEASE))['spec']?.holderIdentity ?? '';
  return lockWorldOn(world, proxy.failing, holder);
}
