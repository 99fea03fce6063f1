import { execFile, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { kinds, KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import { LoopbackServer } from '../../../src/sandbox/http/loopback-server.js';
import { AcceleratedClock } from '../../../src/sandbox/world/accelerated-clock.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { budget, machine, workload } from '../../unit/sandbox-kubernetes/support.js';

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

  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };

  async function kubectl(...args: string[]): Promise<string> {
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

  it('watches, line by line', async () => {
    const child = spawn('kubectl', ['get', 'pods', '-A', '-w', '--no-headers'], { env });
    const lines: string[] = [];
    const seen = (pattern: RegExp): Promise<void> =>
      new Promise((resolve) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (pattern.test(line)) resolve();
        });
      });
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const watched = seen(/watched\s+1\/1\s+Running/);
    await seen(/^default\s+web-/);
    await kubectl('run', 'watched', '--image=nginx');
    await watched;
    child.kill();
    expect(lines.some((line) => /^default\s+watched\s+0\/1\s+Pending/.test(line))).toBe(true);
  }, 60_000);

  it('describes a pod, with its events', async () => {
    const text = await kubectl('describe', 'pod', 'watched');
    expect(text).toMatch(/Node:\s+n[12]\/10\.0\.0\.2/);
    expect(text).toMatch(/Ready\s+True/);
    expect(text).toContain('Successfully assigned default/watched to n');
    expect(await kubectl('get', 'events')).toMatch(/Normal\s+Scheduled\s+pod\/watched/);
    await kubectl('delete', 'pod', 'watched', '--timeout=20s');
  }, 60_000);

  it.each([
    ['deployment', ['made', '--image=nginx', '--replicas=2', '--port=80'], 'deployment.apps/made created'],
    ['job', ['once', '--image=busybox'], 'job.batch/once created'],
    ['cronjob', ['often', '--image=busybox', '--schedule=* * * * *'], 'cronjob.batch/often created'],
    ['configmap', ['text', '--from-literal=a=b'], 'configmap/text created'],
    ['secret', ['generic', 'hidden', '--from-literal=a=b'], 'secret/hidden created'],
    [
      'pdb',
      ['guard', '--selector=app=made', '--max-unavailable=0'],
      'poddisruptionbudget.policy/guard created',
    ],
    ['priorityclass', ['high', '--value=1000'], 'priorityclass.scheduling.k8s.io/high created'],
    ['serviceaccount', ['robot'], 'serviceaccount/robot created'],
    [
      'clusterrole',
      ['reader', '--verb=list', '--resource=nodes'],
      'clusterrole.rbac.authorization.k8s.io/reader created',
    ],
    ['clusterrolebinding', ['b', '--clusterrole=reader', '--serviceaccount=default:robot'], 'created'],
    ['quota', ['few', '--hard=cpu=1'], 'resourcequota/few created'],
    ['namespace', ['shop'], 'namespace/shop created'],
    ['service', ['clusterip', 'front', '--tcp=80:8080'], 'service/front created'],
  ])(
    'creates a %s by name, in protobuf',
    async (kind, args, answer) => {
      expect(await kubectl('create', kind, ...args)).toContain(answer);
    },
    60_000,
  );

  it('rolls what it created, and goes back', async () => {
    await kubectl('rollout', 'status', 'deployment/made', '--timeout=20s');
    await kubectl('set', 'image', 'deployment/made', 'nginx=nginx:2');
    await kubectl('rollout', 'status', 'deployment/made', '--timeout=20s');
    expect(await kubectl('rollout', 'undo', 'deployment/made')).toContain('rolled back');
    await kubectl('rollout', 'status', 'deployment/made', '--timeout=20s');
    expect(
      cluster.list(kinds.REPLICA_SETS).find(({ spec }) => spec.replicas === 2)!.spec.template.spec.containers,
    ).toEqual([expect.objectContaining({ image: 'nginx' })]);
    await kubectl('delete', 'pdb,deployment', '--all', '--timeout=20s');
    await kubectl('apply', '-f', manifests);
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=20s');
  }, 90_000);

  it.each<[string[], string]>([
    [['logs', 'deployment/web'], 'the pods of the sandbox have no containers: there is no log'],
    [['exec', 'deployment/web', '--', 'ls'], 'there is no exec'],
    [['top', 'nodes'], 'Metrics API not available'],
    [['apply', '--server-side', '-f', '-'], 'the sandbox has no server-side apply'],
    [['get', 'componentstatuses'], "the server doesn't have a resource type"],
  ])(
    'says plainly what is not there: %j',
    async (args, message) => {
      const outcome = await new Promise<string>((resolve) => {
        const child = execFile('kubectl', args, { env, timeout: 30_000 }, (_error, _out, errors) =>
          resolve(errors),
        );
        child.stdin!.end('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}');
      });
      expect(outcome).toContain(message);
    },
    60_000,
  );

  it('explains a kind, and that it knows no more', async () => {
    expect(await kubectl('explain', 'deployment')).toContain('The sandbox keeps no schemas');
  }, 60_000);

  it('cordons', async () => {
    expect(await kubectl('cordon', 'n2')).toContain('node/n2 cordoned');
    expect(await kubectl('get', 'node', 'n2')).toMatch(/n2\s+Ready,SchedulingDisabled/);
    await kubectl('uncordon', 'n2');
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
