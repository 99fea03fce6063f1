import { Agent } from 'undici';
import { LoopbackServer } from '../../../src/sandbox/http/loopback-server.js';
import { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import { MachineFleet, RealClock, SeededRandom } from '../../../src/sandbox/world/index.js';
import { describeClusterReaderContract } from './cluster-reader-contract.js';
import { describeClusterWriterContract } from './cluster-writer-contract.js';
import { describeLeaderLockContract } from './leader-lock-contract.js';
import { startRealApiServer } from './real-api-server.js';
import type { RunningApiServer } from './real-api-server.js';
import { realLockWorld, realReaderWorld, realWriterWorld } from './real-worlds.js';

/**
 * The contracts against an API server in a process of its own. `KUBEBUILDER_ASSETS` names a folder with `etcd` and
 * `kube-apiserver`; without it the sandbox stands in over loopback, so that what drives the real one is tested too.
 */

const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
const name = assets === '' ? 'kubernetes, the sandbox over loopback' : 'kubernetes, a real API server';

let server: RunningApiServer;

beforeAll(async () => {
  server = assets === '' ? await serveSandbox() : await startRealApiServer(assets);
}, 120_000);

afterAll(() => server.stop(), 30_000);

// A real server needs real time, though the adapters live in virtual time.
jest.setTimeout(120_000);

describeClusterReaderContract(name, () => realReaderWorld(server));
describeClusterWriterContract(name, () => realWriterWorld(server));
describeLeaderLockContract(name, () => realLockWorld(server));

/** An API server without controllers, as a real one in these tests is. */
async function serveSandbox(): Promise<RunningApiServer> {
  const clock = new RealClock();
  const parts = { clock, random: new SeededRandom(1), fleet: new MachineFleet() };
  const cluster = new KubernetesCluster(parts);
  const loopback = await LoopbackServer.listen(cluster.front);
  const dispatcher = new Agent();
  return {
    url: loopback.origin,
    dispatcher,
    stop: async () => {
      await dispatcher.destroy();
      cluster.stop();
      clock.stop();
      await loopback.close();
    },
  };
}
