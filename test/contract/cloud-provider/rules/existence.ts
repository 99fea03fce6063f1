import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS } from '../scene.js';

export const EXISTENCE: RuleGroup = {
  title: 'Existence',
  rules: [
    {
      id: 'X1',
      sentence: 'Exists, gone and foreign are told apart',
      why: 'U057, U109, hetzner B14, utho B48: deleted and unhealthy machines looked the same',
      mandatory: false,
      liveSafe: false,
      cost: 2,
      port: ['C9'],
      check: toldApart,
    },
    {
      id: 'X2',
      sentence: 'Trouble is `unknown`, never `gone`',
      why: "U109: 'gone' that is guessed makes healthy nodes count as deleted",
      mandatory: false,
      liveSafe: false,
      cost: 2,
      port: ['C9'],
      check: troubleIsUnknown,
    },
  ],
};

async function toldApart(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const [gone, there] = scene.seeded;
  const [foreign] = scene.seedForeign(1);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(await scene.existence(scene.nodeOf(there!))).toBe('exists');
  expect(await scene.existence(scene.nodeOf(foreign!))).toBe('foreign');
  scene.cloud.removeBehindBack(gone!);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(await scene.existence(scene.nodeOf(gone!))).toBe('gone');
  expect(await scene.existence(scene.nodeOf(there!))).toBe('exists');
}

async function troubleIsUnknown(bench: Bench): Promise<void> {
  for (const trouble of [
    { kind: 'no-connection' },
    { kind: 'cut-before' },
    { kind: 'changed', change: () => '' },
    { kind: 'changed', change: () => '{}' },
    { kind: 'changed', change: () => 'null' },
  ] as const) {
    const scene = await bench.scene({ alpha: 2 });
    const [unlisted] = scene.cloud.seed('alpha', 1);
    scene.wire.fail('any', trouble);
    // It is gone indeed, but nobody has said so.
    scene.cloud.removeBehindBack(scene.seeded[0]!);
    await scene.loop(2 * LOOP_MS);
    for (const machine of [...scene.seeded, unlisted!]) {
      const answer = await scene.existence(scene.nodeOf(machine));
      expect([trouble.kind, answer]).toEqual([trouble.kind, expect.stringMatching(/^(exists|unknown)$/)]);
    }
  }
}
