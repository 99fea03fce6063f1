import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, rejection } from '../scene.js';
import type { Scene } from '../scene.js';

/** Longer than any growth waits for its answers, shorter than any order is awaited. */
const HELD_MS = 20_000;

export const TARGET: RuleGroup = {
  title: 'Shrink of the target',
  rules: [
    {
      id: 'T1',
      sentence:
        'What is cancelled are orders that no machine runs for yet, the youngest first, and they stay cancelled',
      why: 'hetzner B07: a decrease had no lasting effect',
      mandatory: false,
      liveSafe: false,
      cost: 3,
      port: ['C8'],
      needs: ['open-orders'],
      check: cancelsOrders,
    },
    {
      id: 'T2',
      sentence: 'It is refused, without a write, where a machine that exists would have to go',
      why: 'U055, utho B32: a lowered count made the cloud kill healthy nodes',
      mandatory: false,
      liveSafe: true,
      cost: 2,
      port: ['C8'],
      check: refusesMachines,
    },
    {
      id: 'T3',
      sentence:
        'A cancellation counts once: repeated with nothing left to cancel it is refused and changes nothing',
      why: 'utho B30: the call failed every time after it had shrunk the pool; hetzner B07: it accepted any number',
      mandatory: false,
      liveSafe: false,
      cost: 2,
      port: ['C8'],
      needs: ['open-orders'],
      check: countsOnce,
    },
  ],
};

async function cancelsOrders(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  scene.cloud.holdOrders(HELD_MS);
  await scene.grow('alpha', 1);
  const older = scene.ids('alpha');
  await scene.advance(1_000);
  await scene.grow('alpha', 1);
  expect(scene.group('alpha').targetSize).toBe(3);
  await scene.shrink('alpha', 1);
  expect(living(scene)).toEqual(older);
  await scene.shrink('alpha', 1);
  expect(scene.group('alpha').targetSize).toBe(1);
  await scene.converge(bench.capabilities.times.settledWithinMs);
  await scene.loop(bench.capabilities.times.machineReadyMs);
  expect(scene.machinesOf('alpha').map(({ name }) => name)).toEqual([scene.seeded[0]!.name]);
}

/** Those that are not on their way out. */
function living(scene: Scene): readonly string[] {
  const { instances } = scene.group('alpha');
  return instances.filter(({ state }) => state !== 'deleting').map(({ id }) => id);
}

async function refusesMachines(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const { writes } = scene.wire.calls();
  expect(await rejection(scene.shrink('alpha', 1))).toBeInstanceOf(CloudError);
  expect(scene.wire.calls().writes).toBe(writes);
  expect(scene.group('alpha').targetSize).toBe(2);
  await scene.loop(3 * LOOP_MS);
  expect(scene.machinesOf('alpha')).toHaveLength(2);
}

async function countsOnce(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  scene.cloud.holdOrders(HELD_MS);
  await scene.grow('alpha', 1);
  await scene.shrink('alpha', 1);
  expect(await rejection(scene.shrink('alpha', 1))).toBeInstanceOf(CloudError);
  expect(scene.group('alpha').targetSize).toBe(1);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(scene.group('alpha').targetSize).toBe(1);
}
