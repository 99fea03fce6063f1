import { KubernetesClusterWriter } from '../../../src/adapters/kubernetes/index.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { Front } from '../../../src/sandbox/world/front.js';
import { describeClusterWriterContract } from './cluster-writer-contract.js';
import type { WriterWorld } from './cluster-writer-contract.js';
import { Sandbox } from './sandbox.js';

async function makeWorld(): Promise<WriterWorld> {
  const sandbox = new Sandbox();
  const { clock, cluster } = sandbox;
  const { random, incidents, logger } = sandbox.process();
  const writer = new KubernetesClusterWriter(await sandbox.connect(), random, incidents, logger);
  let counted = 0;
  let rivals = 0;
  let rival = 0;
  // Another client that is always a little faster.
  const contested: Front = {
    handle: (request) => {
      const name = /^\/api\/v1\/nodes\/(.+)$/.exec(request.path)?.[1];
      if (request.method === 'PUT' && name !== undefined && rivals > 0) {
        rivals--;
        const key = `rival-${++rival}`;
        cluster.modify(kinds.NODES, { namespace: '', name }, (node) => {
          node.spec = { ...node.spec, taints: [...(node.spec?.taints ?? []), { key, effect: 'NoSchedule' }] };
        });
      }
      return cluster.front.handle(request);
    },
  };
  sandbox.mount(contested);
  const writes = (): number => cluster.requests.list((request) => request.method !== 'GET').length;
  return {
    writer,
    pass: (ms) => clock.advance(ms),
    complete: (promise) => clock.complete(promise),
    createNode: (name) => void sandbox.createNode(name),
    node: (name) => {
      const node = cluster.node(name);
      return {
        taints: node?.spec?.taints ?? [],
        unschedulable: node?.spec?.unschedulable === true,
        resourceVersion: node?.metadata.resourceVersion ?? '',
      };
    },
    createPod: (name, nodeName) => {
      const pod = sandbox.createPod(name, { nodeName });
      cluster.setPodRunning(name);
      return pod.metadata.uid;
    },
    deletePod: (name) => sandbox.delete(kinds.PODS, name),
    podExists: (name) => {
      const pod = cluster.pod(name);
      return pod !== undefined && pod.metadata.deletionTimestamp === undefined;
    },
    forbidDisruptions: () =>
      void cluster.create({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'all', namespace: 'default' },
        spec: { minAvailable: 1, selector: {} },
        status: {
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
          observedGeneration: 1,
        },
      }),
    events: () =>
      cluster.events().map((event) => ({
        reason: event.reason ?? '',
        message: event.message ?? '',
        count: event.count ?? 0,
      })),
    status: () => {
      const map = cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system') as any;
      if (map === undefined) return null;
      const lastUpdated = map.metadata.annotations['cluster-autoscaler.kubernetes.io/last-updated'];
      return { yaml: map.data.status, lastUpdated };
    },
    writesSince: () => {
      const since = writes() - counted;
      counted = writes();
      return since;
    },
    faults: {
      down: (isDown) => {
        cluster.faults.down = isDown;
      },
      rivals: (times) => {
        rivals = times;
      },
    },
  };
}

describeClusterWriterContract('kubernetes', makeWorld);
