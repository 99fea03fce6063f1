import { KubernetesClusterReader } from '../../../src/adapters/kubernetes/index.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { describeClusterReaderContract } from './cluster-reader-contract.js';
import type { ReaderWorld } from './cluster-reader-contract.js';
import { Sandbox } from './sandbox.js';

async function makeWorld(): Promise<ReaderWorld> {
  const sandbox = new Sandbox();
  const { clock, cluster } = sandbox;
  const { random, incidents, logger } = sandbox.process();
  const reader = new KubernetesClusterReader(await sandbox.connect(), random, incidents, logger);
  let counted = 0;
  return {
    reader,
    pass: (ms) => clock.advance(ms),
    complete: (promise) => clock.complete(promise),
    createNode: (name) => void sandbox.createNode(name),
    createPod: (name) => void sandbox.createPod(name),
    markUnschedulable: (name) => cluster.setPodUnschedulable(name),
    finishPod: (name) =>
      void cluster.registry.modifyStatus(kinds.PODS, { namespace: 'default', name }, (pod) => {
        pod.status = { ...pod.status, phase: 'Succeeded' };
      }),
    breakPod: (name) => {
      const pod = structuredClone(cluster.pod(name)) as any;
      pod.spec.containers[0].resources = { requests: { cpu: 'much' } };
      cluster.plant(pod);
    },
    deletePod: (name) => sandbox.delete(kinds.PODS, name),
    skipReports: () => logger.events().filter((event) => event === 'object-skipped').length,
    requestsSince: () => {
      const since = cluster.requests.count - counted;
      counted = cluster.requests.count;
      return since;
    },
    faults: {
      down: (isDown) => {
        cluster.faults.down = isDown;
      },
      cutWatches: () => cluster.faults.cutWatches(),
      silenceWatches: () => cluster.faults.silenceWatches(),
      expireWatches: () => cluster.faults.expireWatches(),
      duplicateEvents: () => {
        cluster.faults.duplicates = 2;
      },
    },
  };
}

describeClusterReaderContract('kubernetes', makeWorld);
