import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import { LoopbackServer } from '../../../src/sandbox/http/loopback-server.js';
import { AcceleratedClock } from '../../../src/sandbox/world/accelerated-clock.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { budget, machine, workload } from './support.js';

const present = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
const whenPresent = present ? describe : describe.skip;
const run = promisify(execFile);

/** A stock kubectl is the judge of whether the API is spoken well. It needs a socket, and so a clock that runs. */
whenPresent('kubectl', () => {
  const clock = new AcceleratedClock(50);
  const fleet = new MachineFleet();
  const nodeProfile = (): object => ({ joinAfterMs: 0, readyAfterMs: 0 });
  const cluster = new KubernetesCluster({ clock, random: new SeededRandom(1), fleet, nodeProfile });
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-kubectl-'));
  const manifests = join(folder, 'manifests.yaml');
  let server: LoopbackServer;

  beforeAll(async () => {
    server = await LoopbackServer.listen(cluster.front);
    writeFileSync(join(folder, 'kubeconfig'), cluster.kubeconfig(server.origin));
    cluster.start();
    for (const name of ['n1', 'n2']) fleet.powerOn(machine(name));
    const web = workload('Deployment', 'web', { replicas: 2 });
    const objects = [web, workload('DaemonSet', 'agent'), budget('web', 'web', { maxUnavailable: 1 })];
    writeFileSync(manifests, objects.map((object) => stringify(object)).join('---\n'));
  });

  afterAll(async () => {
    cluster.stop();
    clock.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function kubectl(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };
    const { stdout } = await run('kubectl', [...args, '--request-timeout=20s'], { env, timeout: 30_000 });
    return stdout;
  }

  it('waits for nodes and prints them', async () => {
    await kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=20s');
    const table = await kubectl('get', 'nodes', '-o', 'wide');
    expect(table).toMatch(/^NAME\s+STATUS\s+ROLES\s+AGE\s+VERSION\s+INTERNAL-IP/);
    expect(table).toMatch(/n1\s+Ready\s+<none>/);
  }, 60_000);

  it('applies, applies again, and waits for the roll-out', async () => {
    expect(await kubectl('apply', '-f', manifests)).toContain('deployment.apps/web created');
    expect(await kubectl('apply', '-f', manifests)).toContain('deployment.apps/web unchanged');
    expect(await kubectl('rollout', 'status', 'deployment/web', '--timeout=20s')).toContain(
      'successfully rolled out',
    );
    expect(await kubectl('get', 'pods', '-l', 'app=web')).toMatch(/web-\S+\s+1\/1\s+Running/);
  }, 60_000);

  it('describes, labels, taints, scales', async () => {
    await kubectl('label', 'node', 'n1', 'team=a');
    await kubectl('taint', 'node', 'n1', 'soft=1:PreferNoSchedule');
    const text = await kubectl('describe', 'node', 'n1');
    expect(text).toContain('team=a');
    expect(text).toContain('soft=1:PreferNoSchedule');
    expect(await kubectl('scale', 'deployment', 'web', '--replicas=4')).toContain('scaled');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=20s');
    expect(cluster.pods().filter((pod) => pod.metadata.labels?.['app'] === 'web')).toHaveLength(4);
  }, 60_000);

  it('drains a node through the eviction API, within the budget', async () => {
    await kubectl('drain', 'n1', '--ignore-daemonsets', '--timeout=25s');
    expect(cluster.node('n1')!.spec!.unschedulable).toBe(true);
    const left = cluster.pods().filter((pod) => pod.spec.nodeName === 'n1');
    expect(left.map((pod) => pod.metadata.labels!['app'])).toEqual(['agent']);
    await kubectl('uncordon', 'n1');
  }, 60_000);

  it('deletes and waits until it is done', async () => {
    expect(await kubectl('delete', '-f', manifests, '--timeout=20s')).toContain(
      'deployment.apps "web" deleted',
    );
    await expect(kubectl('get', 'deployment', 'web')).rejects.toThrow('deployments.apps "web" not found');
  }, 60_000);
});
