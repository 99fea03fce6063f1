import { buildNode } from '../../../support/builders.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS } from '../scene.js';

export const IDENTITY: RuleGroup = {
  title: 'Identity',
  rules: [
    {
      id: 'I1',
      sentence:
        'A node leads to its machine and its group, and back, by `spec.providerID`, without a request',
      why: 'U005: servers never counted as nodes of their group, were deleted and made again',
      mandatory: true,
      liveSafe: true,
      cost: 3,
      port: ['C1', 'C9'],
      check: roundTrip,
    },
    {
      id: 'I2',
      sentence: "A node that is not ours is nobody's and `foreign`, never an error",
      why: "U033: 'server not found' for one foreign node ended each loop",
      mandatory: true,
      liveSafe: true,
      cost: 2,
      port: ['C1', 'C9'],
      check: foreignNodes,
    },
    {
      id: 'I3',
      sentence: 'A name that looks like an id is a name: ids match by id alone, names by name alone',
      why: 'hetzner B18: a server named `12345` could be deleted for the node with that id',
      mandatory: true,
      liveSafe: true,
      cost: 3,
      port: ['C1', 'C7'],
      check: namesLikeIds,
    },
    {
      id: 'I4',
      sentence: 'Ids and order of the groups stay the same over refreshes and failures',
      why: 'hetzner B25, utho B22: the order came from a map and was another one in each loop',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C2'],
      check: stableGroups,
    },
    {
      id: 'I5',
      sentence: 'A node without a provider id that has the name of a machine is treated as declared',
      why: 'U005, utho B49: matches by label or name counted the machine twice, or not at all',
      mandatory: true,
      liveSafe: true,
      cost: 1,
      port: ['C1'],
      check: nodesWithoutId,
    },
  ],
};

async function roundTrip(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2, beta: 1 });
  const before = scene.wire.calls();
  for (const machine of scene.seeded) {
    const groupId = scene.provider.nodeGroupIdForNode(scene.nodeOf(machine));
    expect([machine.name, groupId]).toEqual([machine.name, machine.groupId]);
    expect(scene.ids(machine.groupId!)).toContain(machine.providerId);
  }
  expect(scene.wire.calls()).toEqual(before);
  for (const machine of scene.seeded) expect(await scene.existence(scene.nodeOf(machine))).toBe('exists');
}

async function foreignNodes(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  const [foreign] = scene.seedForeign(1);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  const before = scene.wire.calls();
  const strangers = [foreign!.providerId, 'other://1', 'strange', '://', ''].map((providerId) =>
    buildNode('stranger', { providerId }),
  );
  for (const node of strangers) expect(scene.provider.nodeGroupIdForNode(node)).toBeNull();
  expect(scene.wire.calls()).toEqual(before);
  for (const node of strangers) expect(['foreign', 'unknown']).toContain(await scene.existence(node));
  expect(await scene.existence(strangers[0]!)).toBe('foreign');
  await scene.refresh();
  expect(scene.group('alpha').targetSize).toBe(1);
}

async function namesLikeIds(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const [machine] = scene.seeded;
  const bareId = machine!.providerId.replace(/^.*\/\//, '');
  const [foreign] = scene.seedForeign(1, bareId);
  await scene.loop(bench.capabilities.times.noticesWithinMs);

  for (const node of [
    buildNode(bareId, { providerId: foreign!.providerId }),
    buildNode(bareId, { providerId: 'other://1' }),
    buildNode(machine!.providerId, { providerId: 'other://1' }),
    buildNode(bareId, { providerId: '' }),
  ]) {
    expect([node.name, scene.provider.nodeGroupIdForNode(node)]).toEqual([node.name, null]);
  }
  for (const reference of [
    { instanceId: '', name: bareId },
    { instanceId: foreign!.providerId, name: machine!.name },
  ]) {
    const [result] = await scene.release('alpha', [{ ...reference, cause: 'scale-down' }]);
    expect([reference, result!.failure]).toEqual([reference, expect.anything()]);
  }
  await scene.loop(bench.capabilities.times.machineReadyMs);
  expect(scene.machinesOf('alpha')).toHaveLength(2);
}

async function stableGroups(bench: Bench): Promise<void> {
  const scene = await bench.scene({ beta: 1 });
  const outageMs = Math.max(bench.capabilities.times.staleAfterMs / 2, 3 * LOOP_MS);
  for (let loops = 0; loops < 5; loops++) {
    expect(scene.groupIds()).toEqual(['alpha', 'beta']);
    await scene.loop(LOOP_MS);
  }
  scene.wire.fail('any', { kind: 'no-connection' });
  await scene.loop(outageMs);
  expect(scene.groupIds()).toEqual(['alpha', 'beta']);
}

async function nodesWithoutId(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  const node = scene.nodeOf(scene.seeded[0]!, '');
  const expected = bench.capabilities.nodesWithoutId === 'matched by name' ? 'alpha' : null;
  expect(scene.provider.nodeGroupIdForNode(node)).toBe(expected);
}
