import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_TOKEN } from '../../src/sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';
import { RealClock } from '../../src/sandbox/world/index.js';
import { bulkyNode, bulkyPod, bulkyReplicaSet } from './bulky-objects.js';

/**
 * The built program in a process of its own, at rest on a large cluster: resident memory and what one iteration costs.
 * Objects have realistic size (a pod 6 to 7 KB of JSON), a workload has 50 pods. Limits as in deploy/Dockerfile.
 */

const isShort = process.argv.includes('--short');
const SIZES = isShort ? [{ nodes: 200, podsPerNode: 30 }] : [{ nodes: 1_000, podsPerNode: 30 }];
const ITERATIONS = isShort ? 5 : 15;
const POOL = 'pool';

interface Reading {
  readonly rssMib: number;
  readonly peakMib: number;
  readonly cpuMs: number;
}

void (async () => {
  spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const size of SIZES) await run(size.nodes, size.podsPerNode);
  process.exit(0);
})();

async function run(nodes: number, podsPerNode: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const world = createWorld(nodes, podsPerNode);
  const served = await world.serve();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, world.cluster.kubeconfig(served.kubernetesUrl));
  const startedMs = performance.now();
  const { child, log } = startProgram(kubeconfig, served.hetznerUrl, nodes);
  await until(() => log().includes('autoscaler-started'), log);
  const syncedMs = performance.now() - startedMs;
  const afterSync = read(child);
  // The first iterations fill caches and compile.
  await iterationsSince(world, 3);
  const before = read(child);
  await iterationsSince(world, ITERATIONS);
  const after = read(child);
  const pods = nodes * podsPerNode;
  say(`  ${nodes} nodes, ${pods} pods`);
  say(
    `    start to synced caches          ${(syncedMs / 1000).toFixed(1)} s, ${(afterSync.cpuMs / 1000).toFixed(1)} CPU-s`,
  );
  say(`    one idle iteration              ${((after.cpuMs - before.cpuMs) / ITERATIONS).toFixed(0)} CPU-ms`);
  say(
    `    resident memory                 ${after.rssMib.toFixed(0)} MiB (peak ${after.peakMib.toFixed(0)} MiB)`,
  );
  child.kill('SIGKILL');
  await served.close();
  world.stop();
  rmSync(folder, { recursive: true, force: true });
}

function createWorld(nodes: number, podsPerNode: number): HetznerSandbox {
  const world = new HetznerSandbox({ clock: new RealClock(), seed: 1 });
  world.cloud.setQuotas({ servers: nodes + 10, dedicatedCores: 1_000_000 });
  let serial = 0;
  for (let index = 0; index < nodes; index++) {
    const name = `${POOL}-${index.toString().padStart(16, '0')}`;
    const server = world.cloud.seedServer({
      name,
      type: 'cpx42',
      location: 'nbg1',
      labels: { [POOL_LABEL]: POOL },
    });
    world.cluster.plant(bulkyNode(name, `hcloud://${server.id}`, POOL));
    for (let pod = 0; pod < podsPerNode; pod++) world.cluster.plant(bulkyPod(serial++, name));
  }
  for (let workload = 0; workload * 50 < serial; workload++) world.cluster.plant(bulkyReplicaSet(workload));
  return world;
}

function startProgram(
  kubeconfig: string,
  endpoint: string,
  nodes: number,
): { child: ChildProcess; log: () => string } {
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=170',
      'dist/evenkeel.cjs',
      'run',
      '--cloud-provider=hetzner',
      `--nodes=1:${nodes}:cpx42:nbg1:${POOL}`,
      `--kubeconfig=${kubeconfig}`,
      '--scan-interval=1s',
      '--address=127.0.0.1:0',
    ],
    {
      env: {
        HCLOUD_TOKEN: DEFAULT_TOKEN,
        HCLOUD_ENDPOINT: endpoint,
        HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\n').toString('base64'),
        HCLOUD_IMAGE: 'ubuntu-24.04',
      },
    },
  );
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)));
  return { child, log: () => chunks.join('') };
}

/** Each iteration writes the status once. */
async function iterationsSince(world: HetznerSandbox, count: number): Promise<void> {
  const writes = (): number =>
    world.cluster.requests
      .list()
      .filter(({ method, path }) => method !== 'GET' && path.includes('/configmaps')).length;
  const start = writes();
  await until(
    () => writes() >= start + count,
    () => 'no iterations',
  );
}

function read(child: ChildProcess): Reading {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  // Fields 14 and 15 of proc(5), in ticks of 10 ms.
  const cpuMs = (Number(stat[11]) + Number(stat[12])) * 10;
  return { rssMib: kib('VmRSS') / 1024, peakMib: kib('VmHWM') / 1024, cpuMs };
}

async function until(isSo: () => boolean, log: () => string): Promise<void> {
  const endMs = performance.now() + 180_000;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`it takes too long\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
