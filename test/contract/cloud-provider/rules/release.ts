import type { Instance } from '../../../../src/domain/node-group/node-group.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { referenceTo } from '../scene.js';
import type { Scene } from '../scene.js';

/** More than an iteration deletes by default (`--max-scale-down-parallelism`), so more than any plan counts on untold. */
const MANY = 12;
/** Others finish with a machine within this time. */
const SHORT_LOCK_MS = 3_000;

export const RELEASE: RuleGroup = {
  title: 'Release',
  rules: [
    {
      id: 'R1',
      sentence: 'Exactly the named machines go, and the target falls by their number at once',
      why: 'U055, U095: the cloud chose the victim, or the removal stopped half way',
      mandatory: true,
      liveSafe: true,
      cost: 4,
      port: ['C2', 'C7'],
      check: exactlyTheNamed,
    },
    {
      id: 'R2',
      sentence: 'A machine that is gone already is a success',
      why: "U069, hetzner B17: 'not found' on a delete was a failure and repeated for ever",
      mandatory: true,
      liveSafe: false,
      cost: 2,
      port: ['C7'],
      check: goneAlready,
    },
    {
      id: 'R3',
      sentence:
        'A machine that is locked for a moment goes all the same; one that stays locked is no configuration error',
      why: 'hetzner B13, B17: deletions that met a lock were not retried, and the server was paid for ever',
      mandatory: true,
      liveSafe: false,
      cost: 2,
      port: ['C7'],
      needs: ['locks'],
      check: locked,
    },
    {
      id: 'R4',
      sentence: 'A machine of another group or of nobody is refused without a write',
      why: "utho B35, hetzner B17: a stale or foreign id was sent with this pool's name",
      mandatory: true,
      liveSafe: true,
      cost: 4,
      port: ['C7'],
      check: foreignMachines,
    },
    {
      id: 'R5',
      sentence: 'The minimum is kept; `force` lifts it, and machines that never worked do not count',
      why: 'hetzner B32, utho B36: broken nodes at the minimum could never be removed, healthy ones went below it',
      mandatory: true,
      liveSafe: false,
      cost: 2,
      port: ['C7'],
      check: minimum,
    },
    {
      id: 'R6',
      sentence: 'The provider id is enough: no name, no label, no node',
      why: 'utho B34, U095: unregistered machines could never be deleted for want of a label',
      mandatory: true,
      liveSafe: true,
      cost: 2,
      port: ['C7'],
      check: byIdAlone,
    },
    {
      id: 'R7',
      sentence: 'A machine that was ordered and never joined can be released, running or still on its way',
      why: 'U035, U074: what never came stayed, paid for and in the way',
      mandatory: true,
      liveSafe: true,
      cost: 2,
      port: ['C6', 'C7'],
      check: neverJoined,
    },
    {
      id: 'R8',
      sentence: 'One bad member of a batch is reported and leaves the others alone',
      why: 'utho B37, hetzner B17: the first error ended the batch, or made all of it fail',
      mandatory: true,
      liveSafe: false,
      cost: 4,
      port: ['C7'],
      check: badMember,
    },
    {
      id: 'R9',
      sentence: 'Volumes of a released machine survive it',
      why: 'U067: machines were deleted before their volumes were let go',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C7'],
      needs: ['volumes'],
      check: volumes,
    },
    {
      id: 'R10',
      sentence:
        '`releaseBudget` tells how many machines may go: so many are let go, it falls with each, and no more go; without it any number may go',
      why: 'hetzner 6.10: a node that is drained for a deletion that is then refused has lost its pods for nothing',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C1', 'C7'],
      check: budget,
    },
  ],
};

async function exactlyTheNamed(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 4 });
  const [, second, , fourth] = scene.seeded;
  const references = [referenceTo(fourth!), referenceTo(second!)];
  expect(await scene.release('alpha', references)).toEqual(
    references.map(({ instanceId }) => ({ instanceId, failure: null })),
  );
  expect(scene.group('alpha').targetSize).toBe(2);
  await scene.converge(bench.capabilities.times.settledWithinMs);
  expect(scene.machinesOf('alpha').map(({ name }) => name)).toEqual([
    scene.seeded[0]!.name,
    scene.seeded[2]!.name,
  ]);
}

async function goneAlready(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const [gone] = scene.seeded;
  scene.cloud.removeBehindBack(gone!);
  for (const attempt of ['first', 'second']) {
    const results = await scene.release('alpha', [referenceTo(gone!)]);
    expect([attempt, results]).toEqual([attempt, [{ instanceId: gone!.providerId, failure: null }]]);
  }
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(scene.group('alpha').targetSize).toBe(1);
}

async function locked(bench: Bench): Promise<void> {
  const { callMs, settledWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 2 });
  const [brief, long] = scene.seeded;
  scene.cloud.lock!(brief!, SHORT_LOCK_MS);
  expect(await scene.release('alpha', [referenceTo(brief!)])).toEqual([
    { instanceId: brief!.providerId, failure: null },
  ]);
  await scene.converge(settledWithinMs);
  expect(scene.machinesOf('alpha')).toHaveLength(1);

  scene.cloud.lock!(long!, 10 * callMs);
  const [result] = await scene.release('alpha', [referenceTo(long!)]);
  expect(result!.failure?.kind).toBe('transient');
  expect(scene.group('alpha').targetSize).toBe(1);
  await scene.advance(10 * callMs);
}

async function foreignMachines(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1, beta: 2 });
  const [foreign] = scene.seedForeign(1);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  const { writes } = scene.wire.calls();
  const wrong = [referenceTo(scene.seeded[1]!), referenceTo(foreign!)];
  for (const force of [false, true]) {
    for (const { instanceId, failure } of await scene.release('alpha', wrong, { force })) {
      expect([instanceId, failure]).toEqual([instanceId, expect.objectContaining({ kind: 'configuration' })]);
    }
  }
  expect(scene.wire.calls().writes).toBe(writes);
  await scene.loop(bench.capabilities.times.machineReadyMs);
  expect(scene.machinesOf('beta')).toHaveLength(2);
}

async function minimum(bench: Bench): Promise<void> {
  const scene = await bench.scene({ beta: 1 });
  const { writes } = scene.wire.calls();
  const [refused] = await scene.release('beta', [referenceTo(scene.seeded[0]!)]);
  expect(refused!.failure).not.toBeNull();
  expect(scene.wire.calls().writes).toBe(writes);
  expect(scene.group('beta').targetSize).toBe(1);
  const [forced] = await scene.release('beta', [referenceTo(scene.seeded[0]!)], { force: true });
  expect(forced!.failure).toBeNull();
  expect(scene.group('beta').targetSize).toBe(0);

  const broken = await bench.scene();
  const [alone] = await failedMachines(broken, bench);
  expect(await broken.release('beta', [referenceTo(alone!, 'create-error')])).toMatchObject([
    { failure: null },
  ]);

  const mixed = await bench.scene({ beta: 1 });
  const [failed] = await failedMachines(mixed, bench);
  const batch = [referenceTo(mixed.seeded[0]!), referenceTo(failed!, 'create-error')];
  expect(await mixed.release('beta', batch)).toMatchObject([
    { failure: expect.anything() },
    { failure: null },
  ]);
  expect(mixed.group('beta').targetSize).toBe(1);
}

/** A machine is ordered for `beta` and never comes. */
async function failedMachines(scene: Scene, bench: Bench): Promise<readonly Instance[]> {
  scene.cloud.failOrdersLater();
  await scene.grow('beta', 1);
  await scene.loop(bench.capabilities.times.machineReadyMs);
  return scene.group('beta').instances.filter(({ failure }) => failure !== null);
}

async function byIdAlone(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const { providerId } = scene.seeded[1]!;
  const [result] = await scene.release('alpha', [
    { instanceId: providerId, name: '', cause: 'unregistered' },
  ]);
  expect(result).toEqual({ instanceId: providerId, failure: null });
  await scene.converge(bench.capabilities.times.settledWithinMs);
  expect(scene.machinesOf('alpha').map(({ name }) => name)).toEqual([scene.seeded[0]!.name]);
}

async function neverJoined(bench: Bench): Promise<void> {
  const { machineReadyMs, noticesWithinMs, settledWithinMs } = bench.capabilities.times;
  for (const waitMs of [0, machineReadyMs + noticesWithinMs]) {
    const scene = await bench.scene();
    await scene.grow('alpha', 2);
    await scene.loop(waitMs);
    const [unwanted] = scene.group('alpha').instances;
    const [result] = await scene.release('alpha', [referenceTo(unwanted!, 'unregistered')]);
    expect([waitMs, result]).toEqual([waitMs, { instanceId: unwanted!.id, failure: null }]);
    expect(scene.group('alpha').targetSize).toBe(1);
    await scene.converge(settledWithinMs);
    expect([waitMs, scene.machinesOf('alpha').length]).toEqual([waitMs, 1]);
  }
}

async function badMember(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 3 });
  const [foreign] = scene.seedForeign(1);
  const batch = [scene.seeded[0]!, foreign!, scene.seeded[2]!];
  const results = await scene.release(
    'alpha',
    batch.map((machine) => referenceTo(machine)),
  );
  expect(results.map(({ instanceId }) => instanceId)).toEqual(batch.map(({ providerId }) => providerId));
  expect(results.map(({ failure }) => failure === null)).toEqual([true, false, true]);
  await scene.converge(bench.capabilities.times.settledWithinMs);
  expect(scene.machinesOf('alpha').map(({ name }) => name)).toEqual([scene.seeded[1]!.name]);

  // An adapter that tries again may do better.
  const refusing = await bench.scene({ alpha: 3 });
  refusing.wire.failNext('release', { kind: 'refused', error: bench.capabilities.errors.unknown.error });
  const references = refusing.seeded.map((machine) => referenceTo(machine));
  const outcomes = await refusing.release('alpha', references);
  const failed = outcomes.filter(({ failure }) => failure !== null).length;
  expect([failed, failed <= 1]).toEqual([failed, true]);
  await refusing.converge(bench.capabilities.times.settledWithinMs);
  expect(refusing.machinesOf('alpha')).toHaveLength(failed);
}

async function volumes(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  const [machine] = scene.seeded;
  scene.cloud.volumes!.attach(machine!);
  const [result] = await scene.release('alpha', [referenceTo(machine!)]);
  expect(result!.failure).toBeNull();
  await scene.converge(bench.capabilities.times.settledWithinMs);
  expect(scene.machinesOf('alpha')).toEqual([]);
  expect(scene.cloud.volumes!.count()).toBe(1);
}

async function budget(bench: Bench): Promise<void> {
  const told = releaseBudget(await bench.scene());
  if (told !== null) expect([told, Number.isInteger(told) && told >= 0]).toEqual([told, true]);
  const going = told ?? MANY;
  const scene = await bench.scene({ alpha: going + 1, beta: 2 });
  const before = scene.wire.calls();
  expect(releaseBudget(scene)).toBe(told);
  expect(scene.wire.calls()).toEqual(before);

  const [first, ...others] = scene.seeded.slice(0, going).map((machine) => referenceTo(machine));
  const last = scene.seeded.slice(going, going + 1).map((machine) => referenceTo(machine));
  for (const batch of [first === undefined ? [] : [first], others]) {
    const left = releaseBudget(scene);
    const results = await scene.release('alpha', batch);
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(releaseBudget(scene)).toBe(left === null ? null : left - batch.length);
  }
  if (told === null) return;
  const { writes } = scene.wire.calls();
  const [refused] = await scene.release('alpha', last);
  expect(refused!.failure?.kind).toMatch(/^(throttled|transient)$/);
  expect(scene.wire.calls().writes).toBe(writes);
}

function releaseBudget({ provider }: Scene): number | null {
  return provider.releaseBudget?.() ?? null;
}
