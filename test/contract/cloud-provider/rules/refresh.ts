import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS } from '../scene.js';

export const REFRESH: RuleGroup = {
  title: 'Refresh',
  rules: [
    {
      id: 'F1',
      sentence: 'A refresh that fails keeps the last data, and the next one that works brings new ones',
      why: 'utho B20, hetzner B35: a failed fetch emptied the groups',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: keepsData,
    },
    {
      id: 'F2',
      sentence: 'A refresh is idempotent: repeated at rest it writes nothing and changes nothing',
      why: 'hetzner B07: each refresh reset the target sizes',
      mandatory: true,
      liveSafe: true,
      cost: 2,
      port: ['C4'],
      check: idempotent,
    },
    {
      id: 'F3',
      sentence: 'A machine that somebody else deletes or adds shows within the declared time',
      why: 'U057, U094: nodes of deleted machines were kept, and what replaced them was not seen',
      mandatory: true,
      liveSafe: false,
      cost: 3,
      port: ['C2', 'C4'],
      check: disappears,
    },
  ],
};

async function keepsData(bench: Bench): Promise<void> {
  const { staleAfterMs, noticesWithinMs } = bench.capabilities.times;
  for (const trouble of [
    { kind: 'no-connection' },
    { kind: 'cut-after' },
    { kind: 'changed', change: (body: string) => body.slice(0, body.length / 2) },
  ] as const) {
    const scene = await bench.scene({ alpha: 2 });
    const before = scene.provider.nodeGroups();
    scene.wire.fail('any', trouble);
    scene.cloud.removeBehindBack(scene.seeded[0]!);
    await scene.loop(Math.max(staleAfterMs / 2, 3 * LOOP_MS));
    expect([trouble.kind, scene.provider.nodeGroups()]).toEqual([trouble.kind, before]);
    scene.wire.mend();
    await scene.loop(noticesWithinMs);
    expect([trouble.kind, scene.ids('alpha')]).toEqual([trouble.kind, [scene.seeded[1]!.providerId]]);
  }
}

async function idempotent(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const groups = scene.provider.nodeGroups();
  const { writes } = scene.wire.calls();
  await scene.loop(10 * bench.capabilities.times.noticesWithinMs);
  expect(scene.wire.calls().writes).toBe(writes);
  expect(scene.provider.nodeGroups()).toEqual(groups);
}

async function disappears(bench: Bench): Promise<void> {
  const { noticesWithinMs } = bench.capabilities.times;
  const scene = await bench.scene({ alpha: 2 });
  scene.cloud.removeBehindBack(scene.seeded[0]!);
  await scene.loop(noticesWithinMs);
  expect(scene.ids('alpha')).toEqual([scene.seeded[1]!.providerId]);
  expect(scene.group('alpha').targetSize).toBe(1);
  const [added] = scene.cloud.seed('alpha', 1);
  await scene.loop(noticesWithinMs);
  expect(scene.ids('alpha')).toEqual([scene.seeded[1]!.providerId, added!.providerId]);
  expect(scene.group('alpha').targetSize).toBe(2);
}
