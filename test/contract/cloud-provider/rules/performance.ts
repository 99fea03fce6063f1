import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS } from '../scene.js';
import type { Scene } from '../scene.js';

const EXTRA_GROUPS = 48;
const MACHINES_PER_GROUP = 20;
/** Of CPU time, which a busy machine does not lengthen; the fake's share is in it. */
const REFRESH_CPU_MS_MAX = 1_000;
const WARM_UP = 2_000;
const REFRESHES = 10_000;
/** Fakes remember each request, in about 1 KiB; an adapter that keeps one list of two machines is far above. */
const GROWTH_BYTES_MAX = 16 * 1024 ** 2;

export const PERFORMANCE: RuleGroup = {
  title: 'Performance',
  rules: [
    {
      id: 'Q1',
      sentence:
        '50 groups of 1,000 machines are refreshed within a second, with the declared number of reads',
      why: 'U011, U015: cost grew with the number of pools until the liveness probe killed the process',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: manyGroups,
    },
    {
      id: 'Q2',
      sentence: 'Memory stays flat over 10,000 refreshes',
      why: 'U002, U086: memory rose until the kernel killed the process',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: flatMemory,
    },
    {
      id: 'Q3',
      sentence: 'A machine costs no more than the declared number of calls until it runs',
      why: 'U015, hetzner B31: the whole project was listed after every order',
      mandatory: false,
      liveSafe: true,
      cost: 5,
      port: ['C5'],
      check: callsPerMachine,
    },
  ],
};

async function manyGroups(bench: Bench): Promise<void> {
  const extra = Array.from(
    { length: EXTRA_GROUPS },
    (_, index) => [`extra-${index}`, MACHINES_PER_GROUP] as const,
  );
  const seeds = { ...Object.fromEntries(extra), alpha: MACHINES_PER_GROUP, beta: MACHINES_PER_GROUP };
  const scene = await bench.scene(seeds, { extraGroups: EXTRA_GROUPS });
  expect(scene.groupIds()).toHaveLength(EXTRA_GROUPS + 2);
  for (let loops = 0; loops < 6; loops++) {
    const { reads } = scene.wire.calls();
    const started = process.cpuUsage();
    await scene.loop(LOOP_MS);
    const sizes = scene.provider.nodeGroups().map(({ targetSize }) => targetSize);
    const { user, system } = process.cpuUsage(started);
    expect(sizes).toEqual(Array(EXTRA_GROUPS + 2).fill(MACHINES_PER_GROUP));
    expect(scene.wire.calls().reads - reads).toBeLessThanOrEqual(bench.capabilities.calls.perLargeRefresh);
    expect((user + system) / 1_000).toBeLessThan(REFRESH_CPU_MS_MAX);
  }
}

async function flatMemory(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2, beta: 1 });
  await refreshes(scene, WARM_UP);
  const before = heapBytes(scene);
  await refreshes(scene, REFRESHES - WARM_UP);
  expect(heapBytes(scene) - before).toBeLessThan(GROWTH_BYTES_MAX);
}

async function refreshes(scene: Scene, count: number): Promise<void> {
  for (let done = 0; done < count; done++) await scene.loop(LOOP_MS);
}

/** After a collection, without the recorded log. */
function heapBytes({ subject }: Scene): number {
  subject.forgetLog();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

async function callsPerMachine(bench: Bench): Promise<void> {
  const { machineReadyMs } = bench.capabilities.times;
  const scene = await bench.scene();
  const before = scene.wire.calls();
  await scene.grow('alpha', 5);
  await scene.loop(machineReadyMs);
  const after = scene.wire.calls();
  expect(scene.states('alpha')).toEqual(Array(5).fill('running'));
  const calls = after.reads + after.writes - before.reads - before.writes;
  expect(calls / 5).toBeLessThanOrEqual(bench.capabilities.calls.perMachine);
}
