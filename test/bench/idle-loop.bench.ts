import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_TOKEN } from '../../src/sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';
import { kinds } from '../../src/sandbox/kubernetes/index.js';
import { RealClock } from '../../src/sandbox/world/index.js';
import { bulkyNode, bulkyPod, bulkyReplicaSet } from './bulky-objects.js';
import { ProgramProcess } from './program-process.js';

/**
 * The built program at rest on a large cluster, with the environment of the image: memory, what one iteration and one
 * watch event cost, and for how long it listens to nothing else. Objects have realistic size (a pod 6 to 7 KB of JSON). Each cluster
 * is served by a process of its own, which needs some GiB.
 */

interface Case {
  readonly nodes: number;
  /** Of a pod, at least. 30 pods with 150 ask for more than half of a node, and with 50 for less than a third. */
  readonly cpuMilli: number;
  readonly title: string;
}

const SHORT_CASES: readonly Case[] = [{ nodes: 200, cpuMilli: 150, title: 'each node in use' }];
const CASES: readonly Case[] = [
  { nodes: 1_000, cpuMilli: 150, title: 'each node in use' },
  { nodes: 1_000, cpuMilli: 50, title: 'each node a third full, its removal tried in each iteration' },
  { nodes: 5_000, cpuMilli: 150, title: 'each node in use' },
];
const PODS_PER_NODE = 30;
const POOL = 'pool';
/** Of the process that serves the cluster. */
const SERVER_HEAP_MIB = 6_144;

const isShort = process.argv.includes('--short');
const cases = isShort ? SHORT_CASES : CASES;
const ITERATIONS = isShort ? 5 : 20;
/** The first iterations fill caches and compile. */
const WARM_UP_ITERATIONS = isShort ? 2 : 5;
const EVENTS_PER_SECOND = 1_000;
const EVENT_SECONDS = isShort ? 2 : 5;
const TOUCH_EVERY_MS = 20;

const chosen = process.argv.find((argument) => argument.startsWith('--case='));
if (chosen === undefined) runAll();
else void run(cases[Number(chosen.slice('--case='.length))]!).then(() => process.exit(0));

function runAll(): void {
  spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const index of cases.keys()) {
    const script = [process.argv[1]!, `--case=${index}`, ...(isShort ? ['--short'] : [])];
    const { status } = spawnSync(process.execPath, [`--max-old-space-size=${SERVER_HEAP_MIB}`, ...script], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}

async function run(size: Case): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const world = createWorld(size);
  const served = await world.serve();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, world.cluster.kubeconfig(served.kubernetesUrl));
  const program = new ProgramProcess(folder, flags(size, kubeconfig), environment(served.cloudUrl));
  try {
    say(`  ${number(size.nodes)} nodes, ${number(size.nodes * PODS_PER_NODE)} pods, ${size.title}`);
    await measure(program, world, size);
  } finally {
    program.kill();
    await served.close();
    world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(program: ProgramProcess, world: HetznerSandbox, size: Case): Promise<void> {
  const startedMs = performance.now();
  await until(() => program.log.includes('autoscaler-started'), program);
  const syncedMs = performance.now() - startedMs;
  row('start to synced caches', `${(syncedMs / 1_000).toFixed(1)} s, ${program.read().cpuMs} CPU-ms`);
  await iterations(world, WARM_UP_ITERATIONS, program);
  const before = program.read();
  const quietSeconds = program.stretchesMs().length;
  await iterations(world, ITERATIONS, program);
  const idle = program.read();
  const idleMs = (idle.cpuMs - before.cpuMs) / ITERATIONS;
  row('one idle iteration', `${idleMs.toFixed(0)} CPU-ms`);
  const stretches = program.stretchesMs().slice(quietSeconds);
  row(
    'longest stretch in a second',
    `${median(stretches).toFixed(0)} CPU-ms (most ${Math.max(...stretches).toFixed(0)} CPU-ms)`,
  );
  row('resident memory', `${idle.rssMib.toFixed(0)} MiB (peak ${idle.peakMib.toFixed(0)} MiB)`);
  await measureEvents(program, world, size, idleMs);
}

/** Pods change in fields that the program does not keep, as most updates of pods do. */
async function measureEvents(
  program: ProgramProcess,
  world: HetznerSandbox,
  size: Case,
  idleMs: number,
): Promise<void> {
  const before = program.read();
  const writesBefore = statusWrites(world);
  const perTurn = (EVENTS_PER_SECOND * TOUCH_EVERY_MS) / 1_000;
  const startedMs = performance.now();
  let touched = 0;
  while (touched < EVENTS_PER_SECOND * EVENT_SECONDS) {
    for (let index = 0; index < perTurn; index++) touch(world, touched++ % (size.nodes * PODS_PER_NODE));
    await sleep(Math.max(0, startedMs + (touched / EVENTS_PER_SECOND) * 1_000 - performance.now()));
  }
  // The last events are on their way.
  await sleep(500);
  const after = program.read();
  const spentMs = after.cpuMs - before.cpuMs - (statusWrites(world) - writesBefore) * idleMs;
  const seconds = (performance.now() - startedMs) / 1_000;
  row(
    'one watch event of a pod',
    `${((1_000 * spentMs) / touched).toFixed(0)} CPU-µs at ${(touched / seconds).toFixed(0)} a second`,
  );
  row('resident memory after these', `${after.rssMib.toFixed(0)} MiB (peak ${after.peakMib.toFixed(0)} MiB)`);
}

function touch(world: HetznerSandbox, serial: number): void {
  const { metadata } = bulkyPod(serial, '');
  const ref = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
  world.cluster.modify(
    kinds.PODS,
    ref,
    (draft) => {
      const status = draft.status?.containerStatuses?.[0];
      if (status !== undefined) status.restartCount++;
    },
    { status: true },
  );
}

function createWorld({ nodes, cpuMilli }: Case): HetznerSandbox {
  const world = new HetznerSandbox({ clock: new RealClock(), seed: 1 });
  world.cloud.setQuotas({ servers: nodes + 10, dedicatedCores: 1_000_000 });
  let serial = 0;
  for (let index = 0; index < nodes; index++) {
    const name = `${POOL}-${index.toString().padStart(16, '0')}`;
    const labels = { [POOL_LABEL]: POOL };
    const server = world.cloud.seedServer({ name, type: 'cpx42', location: 'nbg1', labels });
    world.cluster.plant(bulkyNode(name, `hcloud://${server.id}`, POOL));
    for (let pod = 0; pod < PODS_PER_NODE; pod++) world.cluster.plant(bulkyPod(serial++, name, cpuMilli));
  }
  for (let workload = 0; workload * 50 < serial; workload++) world.cluster.plant(bulkyReplicaSet(workload));
  return world;
}

function flags({ nodes }: Case, kubeconfig: string): readonly string[] {
  return [
    '--cloud-provider=hetzner',
    `--nodes=1:${nodes}:cpx42:nbg1:${POOL}`,
    `--kubeconfig=${kubeconfig}`,
    '--scan-interval=1s',
    '--address=127.0.0.1:0',
    // Marks are written five a second: they would stretch the iterations, and belong to no cluster at rest.
    '--max-bulk-soft-taint-count=0',
  ];
}

function environment(endpoint: string): Record<string, string> {
  return {
    HCLOUD_TOKEN: DEFAULT_TOKEN,
    HCLOUD_ENDPOINT: endpoint,
    HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\n').toString('base64'),
    HCLOUD_IMAGE: 'ubuntu-24.04',
  };
}

/** Each iteration writes the status once. */
async function iterations(world: HetznerSandbox, count: number, program: ProgramProcess): Promise<void> {
  const start = statusWrites(world);
  await until(() => statusWrites(world) >= start + count, program);
}

function statusWrites(world: HetznerSandbox): number {
  return world.cluster.requests.list(({ method, path }) => method !== 'GET' && path.includes('/configmaps'))
    .length;
}

async function until(isSo: () => boolean, program: ProgramProcess): Promise<void> {
  const endMs = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`it takes too long\n${program.log}`);
    await sleep(50);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function row(what: string, value: string): void {
  say(`    ${what.padEnd(32)}${value}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
