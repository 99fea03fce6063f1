import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, rejection } from '../scene.js';
import type { Scene } from '../scene.js';

const MINUTE = 60_000;
/** A refusal may be kept for so long; no adapter has a longer back-off of its own. */
const REFUSAL_MS_MAX = 35 * MINUTE;
/** RFC 1123: a machine's name becomes its host name. */
const HOST_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export const GROWTH: RuleGroup = {
  title: 'Growth',
  rules: [
    {
      id: 'G1',
      sentence: 'A growth never lowers a group, not even one that somebody else has grown meanwhile',
      why: 'utho B27: an absolute number from an old list made "+1" delete random workers',
      mandatory: true,
      liveSafe: true,
      cost: 4,
      port: ['C5'],
      check: neverLowers,
    },
    {
      id: 'G2',
      sentence: 'A growth that succeeds buys exactly as many as were asked for, in that group',
      why: 'hetzner B05: counters without order bought more or fewer than asked',
      mandatory: true,
      liveSafe: true,
      cost: 5,
      port: ['C5'],
      check: exactly,
    },
    {
      id: 'G3',
      sentence: 'A growth in part says how many were accepted, and why not the others',
      why: 'hetzner B11: 9 of 10 created counted as failure, and as many were bought elsewhere',
      mandatory: true,
      liveSafe: false,
      cost: 2,
      port: ['C5'],
      needs: ['partial-growth'],
      check: inPart,
    },
    {
      id: 'G4',
      sentence: 'An order whose answer is lost is adopted or given up, never repeated blindly',
      why: 'hetzner B12, utho B29, U054: a retried order left a server nobody knew of; an accepted one was reported as failed',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C5'],
      check: lostAnswers,
    },
    {
      id: 'G5',
      sentence:
        'Sold out is said only after the cloud was asked for every offer of the group, and not for ever',
      why: 'U001, U006, hetzner B16: availability was guessed from price lists, and other groups were not tried',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C5'],
      check: stockOut,
    },
    {
      id: 'G6',
      sentence: 'A quota is told from a stock-out, and marks no offer as sold out',
      why: 'U043: capacity errors of one pool stopped provisioning for all',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C5'],
      check: quota,
    },
    {
      id: 'G7',
      sentence: "A growth returns within the loop's interval although machines take a quarter of an hour",
      why: 'hetzner B10: the loop waited for the slowest server until the liveness probe killed it',
      mandatory: true,
      liveSafe: false,
      cost: 2,
      port: ['C5'],
      check: slowMachines,
    },
    {
      id: 'G8',
      sentence: 'A delta below 1, in fractions or above the maximum is refused before any request',
      why: 'hetzner B05, utho B33: two increases both passed the maximum; a count of 0 removed the pool',
      mandatory: true,
      liveSafe: true,
      cost: 3,
      port: ['C5'],
      check: badDeltas,
    },
    {
      id: 'G9',
      sentence: 'Two groups grow at the same time, neither waiting for the other',
      why: 'hetzner B10: one lock for all pools',
      mandatory: true,
      liveSafe: false,
      cost: 4,
      port: ['C12'],
      check: sideBySide,
    },
    {
      id: 'G10',
      sentence: 'Names of machines are unique, valid host names of at most 63 characters',
      why: 'U089: names were invalid or taken, in every loop, until the vendor closed the account',
      mandatory: true,
      liveSafe: true,
      cost: 5,
      port: ['C5'],
      check: names,
    },
  ],
};

async function neverLowers(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 1 });
  const added = scene.cloud.seed('alpha', 2);
  await scene.grow('alpha', 1);
  await scene.converge(machineReadyMs + noticesWithinMs);
  const names = scene.machinesOf('alpha').map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...scene.seeded, ...added].map(({ name }) => name)));
}

async function exactly(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 1, beta: 1 });
  expect(await scene.grow('alpha', 3)).toEqual({ accepted: 3, failure: null });
  await scene.loop(machineReadyMs + noticesWithinMs);
  expect([scene.machinesOf('alpha').length, scene.machinesOf('beta').length]).toEqual([4, 1]);
  expect(scene.states('alpha')).toEqual(Array(4).fill('running'));
  expect(scene.group('alpha').targetSize).toBe(4);
}

async function inPart(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.cloud.setStock('alpha', 2);
  expect(await scene.grow('alpha', 4)).toMatchObject({ accepted: 2, failure: { kind: 'stock-out' } });
  expect(scene.group('alpha').targetSize).toBe(2);
}

async function lostAnswers(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs, settledWithinMs } = bench.capabilities.times;
  const done = await bench.scene();
  done.wire.failNext('order', { kind: 'cut-after' });
  await done.grow('alpha', 1).catch(() => undefined);
  await done.converge(machineReadyMs + noticesWithinMs);
  expect(done.machinesOf('alpha')).toHaveLength(1);
  expect(done.group('alpha').targetSize).toBe(1);

  for (const kind of ['cut-before', 'silence'] as const) {
    const undone = await bench.scene();
    undone.wire.failNext('order', { kind });
    await undone.grow('alpha', 1).catch(() => undefined);
    await undone.converge(settledWithinMs);
    expect(undone.machinesOf('alpha').length).toBeLessThanOrEqual(1);
  }
}

async function stockOut(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.cloud.setStock('alpha', 0);
  const asked = ordersSeen(scene);
  const error = await rejection(scene.grow('alpha', 2));
  expect(error).toMatchObject({ name: 'CloudError', kind: 'stock-out' });
  expect(ordersSeen(scene)).toBeGreaterThan(asked);
  expect(scene.group('alpha')).toMatchObject({ targetSize: 0, instances: [] });
  expect(await scene.grow('beta', 1)).toEqual({ accepted: 1, failure: null });

  scene.cloud.setStock('alpha', 5);
  await scene.loop(REFUSAL_MS_MAX);
  expect(await scene.grow('alpha', 1)).toEqual({ accepted: 1, failure: null });
}

async function quota(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.cloud.setQuota(0);
  // The second answer for `alpha` tells whether the first one has left a mark.
  for (const groupId of ['alpha', 'beta', 'alpha']) {
    const error = await rejection(scene.grow(groupId, 1));
    expect([groupId, error]).toEqual([
      groupId,
      expect.objectContaining({ name: 'CloudError', kind: 'quota' }),
    ]);
  }
  scene.cloud.setQuota(null);
  await scene.loop(REFUSAL_MS_MAX);
  for (const groupId of ['alpha', 'beta']) {
    expect([groupId, await scene.grow(groupId, 1)]).toEqual([groupId, { accepted: 1, failure: null }]);
  }
}

async function slowMachines(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.cloud.slowBoots(15 * MINUTE);
  const startMs = scene.nowMs();
  expect(await scene.grow('alpha', 2)).toEqual({ accepted: 2, failure: null });
  expect(scene.nowMs() - startMs).toBeLessThanOrEqual(LOOP_MS);
  expect(scene.group('alpha').instances).toMatchObject([
    { state: 'creating', failure: null },
    { state: 'creating', failure: null },
  ]);
}

async function badDeltas(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  const before = scene.wire.calls();
  for (const delta of [0, -1, 0.5, 5, Number.NaN]) {
    const error = await rejection(scene.grow('alpha', delta));
    expect([delta, error]).toEqual([delta, expect.any(CloudError)]);
    expect((error as CloudError).kind).toBe('configuration');
  }
  expect(scene.wire.calls()).toEqual(before);
  expect(scene.group('alpha').targetSize).toBe(1);

  // What is on order counts, be it still on the wire.
  const growing = scene.provider.increaseSize('alpha', 2, new AbortController().signal);
  expect(
    await rejection(scene.provider.increaseSize('alpha', 3, new AbortController().signal)),
  ).toMatchObject({
    name: 'CloudError',
    kind: 'configuration',
  });
  expect(await scene.complete(growing)).toEqual({ accepted: 2, failure: null });
  expect(await rejection(scene.grow('alpha', 3))).toMatchObject({ kind: 'configuration' });
  expect(scene.group('alpha').targetSize).toBe(3);
}

async function sideBySide(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const alone = await bench.scene();
  const aloneMs = await slowly(alone, ['alpha']);
  const both = await bench.scene();
  expect(await slowly(both, ['beta', 'alpha'])).toBeLessThan(aloneMs + 1_000);
  await both.loop(machineReadyMs + noticesWithinMs);
  expect([both.states('alpha'), both.states('beta')]).toEqual([
    ['running', 'running'],
    ['running', 'running'],
  ]);
}

/** How long it takes to grow the groups by two machines each while each order takes two seconds. */
async function slowly(scene: Scene, groupIds: readonly string[]): Promise<number> {
  scene.wire.fail('order', { kind: 'late', ms: 2_000 });
  const startMs = scene.nowMs();
  const { signal } = new AbortController();
  const growths = groupIds.map((groupId) => scene.provider.increaseSize(groupId, 2, signal));
  for (const result of await scene.complete(Promise.all(growths))) {
    expect(result).toEqual({ accepted: 2, failure: null });
  }
  return scene.nowMs() - startMs;
}

async function names(bench: Bench): Promise<void> {
  const { machineReadyMs } = bench.capabilities.times;
  const scene = await bench.scene();
  await scene.grow('alpha', 3);
  await scene.grow('beta', 2);
  await scene.loop(machineReadyMs);
  const machines = scene.cloud.machines().map(({ name }) => name);
  expect(new Set(machines).size).toBe(5);
  for (const name of machines) expect(name).toMatch(HOST_NAME);
}

function ordersSeen(scene: Scene): number {
  return scene.wire.seen().filter(({ kind }) => kind === 'order').length;
}
