import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { Bench } from '../bench.js';
import type { CloudMachine } from '../cloud-provider-subject.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, referenceTo, rejection } from '../scene.js';

export const LISTING: RuleGroup = {
  title: 'Listing',
  rules: [
    {
      id: 'L1',
      sentence: 'Instances and target size include machines whose nodes have not joined',
      why: 'U035: phantom nodes hid the need; what is really on its way has to be told from them',
      mandatory: true,
      liveSafe: true,
      cost: 3,
      port: ['C3'],
      check: unjoinedMachines,
    },
    {
      id: 'L2',
      sentence:
        'An order shows from its first moment, exactly once, until its machine runs, whatever an older list says',
      why: 'hetzner B07: the target fell back to the last list, and the same was ordered again',
      mandatory: true,
      liveSafe: false,
      cost: 4,
      port: ['C2', 'C3'],
      check: ordersShow,
    },
    {
      id: 'L3',
      sentence:
        'Creating, running, deleting and failed machines are told apart; failed ones say of which kind',
      why: 'U074, hetzner B01, utho B39: half of the states had no name, failed machines were awaited for 15 minutes',
      mandatory: true,
      liveSafe: false,
      cost: 3,
      port: ['C3', 'C6'],
      check: states,
    },
    {
      id: 'L4',
      sentence: 'A list whose pages move while it is read loses and doubles no machine',
      why: 'U015: the whole project is listed in pages of 50 while it changes; a machine lost between two pages is bought again',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C2'],
      needs: ['paging'],
      check: movingPages,
    },
    {
      id: 'L5',
      sentence:
        'A thousand foreign machines in the account do not raise the calls of a refresh above the declared number',
      why: 'U015, hetzner B34: a project with 1,000 unrelated servers cost 20 requests a minute',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: manyForeignMachines,
    },
    {
      id: 'L6',
      sentence: 'While the cloud is away the last list stays, and the error says how old it is (`<n> s old`)',
      why: 'utho B20, B09: trouble looked like an empty cluster, and autoscaling was off without a word',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: staleList,
    },
  ],
};

async function unjoinedMachines(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2, beta: 1 });
  const providerIds = scene.seeded.map((machine) => machine.providerId);
  expect(scene.ids('alpha').sort()).toEqual(providerIds.slice(0, 2).sort());
  expect(scene.ids('beta')).toEqual(providerIds.slice(2));
  expect([scene.group('alpha').targetSize, scene.group('beta').targetSize]).toEqual([2, 1]);
}

async function ordersShow(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 1 });
  const growing = scene.provider.increaseSize('alpha', 3, new AbortController().signal);
  expect(scene.sizeOf('alpha')).toEqual({ targetSize: 4, instances: 4 });
  await scene.complete(growing);
  scene.wire.fail('list', { kind: 'stale' });
  await scene.refresh();
  await scene.loop(bench.capabilities.times.listsLagMs);
  expect(scene.sizeOf('alpha')).toEqual({ targetSize: 4, instances: 4 });
  scene.wire.mend();
  for (let passedMs = 0; passedMs < machineReadyMs; passedMs += 1_000) {
    expect(scene.sizeOf('alpha')).toEqual({ targetSize: 4, instances: 4 });
    await scene.advance(1_000);
    if (passedMs % LOOP_MS === 0) await scene.refresh();
  }
  await scene.loop(noticesWithinMs);
  expect(scene.ids('alpha').sort()).toEqual(
    scene
      .machinesOf('alpha')
      .map((one) => one.providerId)
      .sort(),
  );
}

async function states(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ beta: 2 });
  expect(scene.states('beta')).toEqual(['running', 'running']);

  scene.cloud.failOrdersLater();
  await scene.grow('alpha', 1);
  expect(scene.states('alpha')).toEqual(['creating']);
  await scene.loop(machineReadyMs);
  const [failed] = scene.group('alpha').instances;
  expect(failed).toMatchObject({ state: 'creating', failure: { kind: expect.any(String) } });
  expect(scene.group('alpha').targetSize).toBe(1);
  expect(await scene.release('alpha', [referenceTo(failed!, 'create-error')])).toEqual([
    { instanceId: failed!.id, failure: null },
  ]);
  expect(scene.group('alpha').targetSize).toBe(0);
  expect(scene.states('alpha').filter((state) => state !== 'deleting')).toEqual([]);
  await scene.loop(noticesWithinMs);
  expect(scene.group('alpha').instances).toEqual([]);

  const [leaving] = scene.seeded;
  await scene.release('beta', [referenceTo(leaving!)]);
  const known = scene.group('beta').instances.find(({ id }) => id === leaving!.providerId);
  expect(known?.state ?? 'deleting').toBe('deleting');
}

async function movingPages(bench: Bench): Promise<void> {
  const { pageSize = 1, times } = bench.capabilities;
  const growing = await bench.scene({ alpha: 2 * pageSize + 2 });
  const added: CloudMachine[] = [];
  growing.wire.afterNextList(() => added.push(...growing.cloud.seed('alpha', 1)));
  for (let passedMs = 0; passedMs <= 2 * times.noticesWithinMs; passedMs += LOOP_MS) {
    await growing.loop(LOOP_MS);
    const listed = growing.ids('alpha').filter((id) => id !== added[0]?.providerId);
    expect(listed.sort()).toEqual(growing.seeded.map(({ providerId }) => providerId).sort());
  }
  expect(growing.group('alpha').targetSize).toBe(growing.seeded.length + 1);

  const scene = await bench.scene({ alpha: 2 * pageSize + 2 });
  const [gone, ...others] = scene.seeded;
  scene.wire.afterNextList(() => scene.cloud.removeBehindBack(gone!));
  for (let passedMs = 0; passedMs <= 2 * times.noticesWithinMs; passedMs += LOOP_MS) {
    await scene.loop(LOOP_MS);
    const listed = scene.ids('alpha').filter((id) => id !== gone!.providerId);
    expect(listed.sort()).toEqual(others.map(({ providerId }) => providerId).sort());
  }
  expect(scene.group('alpha').targetSize).toBe(others.length);
}

async function manyForeignMachines(bench: Bench): Promise<void> {
  const { calls } = bench.capabilities;
  const scene = await bench.scene({ alpha: 2 });
  scene.seedForeign(1_000);
  const before = scene.wire.calls();
  for (let loops = 1; loops <= 12; loops++) {
    await scene.loop(LOOP_MS);
    expect(scene.wire.calls().reads - before.reads).toBeLessThanOrEqual(loops * calls.perRefresh);
  }
  expect(scene.group('alpha').targetSize).toBe(2);
}

async function staleList(bench: Bench): Promise<void> {
  const { staleAfterMs, noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 2 });
  const before = scene.provider.nodeGroups();
  scene.wire.fail('any', { kind: 'no-connection' });
  await scene.loop(staleAfterMs / 2);
  expect(scene.provider.nodeGroups()).toEqual(before);
  await scene.advance(2 * staleAfterMs + LOOP_MS);
  const error = await rejection(scene.refresh());
  expect(error).toBeInstanceOf(CloudError);
  expect((error as CloudError).message).toMatch(/\b\d+ s old\b/);
  expect(scene.provider.nodeGroups()).toEqual(before);
  scene.wire.mend();
  await scene.loop(noticesWithinMs);
  expect(scene.provider.nodeGroups()).toEqual(before);
}
