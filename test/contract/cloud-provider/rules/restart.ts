import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, referenceTo } from '../scene.js';
import type { Scene } from '../scene.js';

/** Requests after which a process dies: each of the first few, and some of those that follow. */
const DEATHS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15];

export const RESTART: RuleGroup = {
  title: 'Restart and several instances',
  rules: [
    {
      id: 'S1',
      sentence:
        'A process may die after any request: its successor finds everything, and nothing is left without an owner',
      why: 'hetzner B13: half-made servers were left behind after a crash, off and without a node, and paid for',
      mandatory: false,
      liveSafe: false,
      cost: 3,
      port: ['C2', 'C6'],
      check: suddenDeath,
    },
    {
      id: 'S2',
      sentence:
        'An instance that only refreshes writes nothing and sees the same machines; one that is shut down writes nothing',
      why: 'U085: without an election two instances buy for the same pods',
      mandatory: false,
      liveSafe: true,
      cost: 3,
      port: ['C4', 'C5'],
      check: standby,
    },
    {
      id: 'S3',
      sentence: "A group that is no longer configured is nobody's: its machines are left alone",
      why: 'hetzner B36, U029: a removed pool stranded its servers; changes showed after a restart only',
      mandatory: false,
      liveSafe: true,
      cost: 3,
      port: ['C1', 'C7'],
      check: groupRemoved,
    },
  ],
};

async function suddenDeath(bench: Bench): Promise<void> {
  const { machineReadyMs, settledWithinMs } = bench.capabilities.times;
  for (const requests of DEATHS) {
    const growing = await bench.scene();
    const heir = await successor(bench, growing, requests, () => growing.grow('alpha', 3), machineReadyMs);
    await heir.converge(settledWithinMs);
    expect({ requests, residue: heir.residue() }).toEqual({ requests, residue: [] });
  }
  for (const requests of DEATHS.slice(0, 4)) {
    const releasing = await bench.scene({ alpha: 3 });
    const references = releasing.seeded.slice(0, 2).map((machine) => referenceTo(machine));
    const heir = await successor(
      bench,
      releasing,
      requests,
      () => releasing.release('alpha', references),
      machineReadyMs,
    );
    await heir.converge(settledWithinMs);
    expect({ requests, residue: heir.residue() }).toEqual({ requests, residue: [] });
    expect(heir.machinesOf('alpha').map(({ name }) => name)).toContain(releasing.seeded[2]!.name);
  }
}

/** Who takes over from a process that died in the middle of its work. */
async function successor(
  bench: Bench,
  scene: Scene,
  requests: number,
  work: () => Promise<unknown>,
  passMs: number,
): Promise<Scene> {
  scene.subject.line.dieAfter(requests);
  await work().catch(() => undefined);
  await scene.advance(passMs);
  scene.retired = true;
  return bench.twin(scene);
}

async function standby(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs } = bench.capabilities.times;
  const active = await bench.scene();
  const passive = await bench.twin(active);
  await active.grow('alpha', 3);
  for (let passedMs = 0; passedMs < machineReadyMs + noticesWithinMs; passedMs += LOOP_MS) {
    await active.loop(LOOP_MS);
    const { writes } = active.wire.calls();
    await passive.refresh();
    expect(active.wire.calls().writes).toBe(writes);
  }
  expect(active.machinesOf('alpha')).toHaveLength(3);
  await passive.loop(noticesWithinMs);
  expect(passive.ids('alpha').sort()).toEqual(active.ids('alpha').sort());
  await shutDown(active, machineReadyMs);
}

async function shutDown(scene: Scene, passMs: number): Promise<void> {
  scene.retired = true;
  const [machine] = scene.group('alpha').instances;
  await scene.complete(scene.provider.cleanup());
  const { writes } = scene.wire.calls();
  await scene.grow('alpha', 1).catch(() => undefined);
  await scene.release('alpha', [referenceTo(machine!)]).catch(() => undefined);
  await scene.advance(10 * passMs);
  expect(scene.wire.calls().writes).toBe(writes);
}

async function groupRemoved(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1, beta: 2 });
  scene.retired = true;
  const twin = await bench.twin(scene, { without: 'beta' });
  const orphan = scene.seeded[1]!;
  expect(twin.groupIds()).toEqual(['alpha']);
  expect(twin.provider.nodeGroupIdForNode(twin.nodeOf(orphan))).toBeNull();
  expect(await twin.existence(twin.nodeOf(orphan))).not.toBe('gone');
  const [result] = await twin.release('alpha', [referenceTo(orphan)]);
  expect(result!.failure).not.toBeNull();
  await twin.loop(bench.capabilities.times.noticesWithinMs);
  expect(twin.machinesOf('beta')).toHaveLength(2);
}
