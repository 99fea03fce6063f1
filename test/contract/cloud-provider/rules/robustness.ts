import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, rejection } from '../scene.js';

const HUGE = 50 * 1024 ** 2;

export const ROBUSTNESS: RuleGroup = {
  title: 'Robustness',
  rules: [
    {
      id: 'B1',
      sentence:
        'Empty, null and wrongly typed lists are no news; unknown fields are ignored; orders without a clear answer stay one order',
      why: 'utho B10, B11, B12: one unexpected type failed the refresh of all pools',
      mandatory: false,
      liveSafe: false,
      cost: 1,
      port: ['C4', 'C5'],
      check: oddFields,
    },
    {
      id: 'B2',
      sentence: 'Bytes before the JSON never make a list empty',
      why: 'utho B14: a byte order mark stopped everything',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: leadingBytes,
    },
    {
      id: 'B3',
      sentence: 'An error in an answer with status 2xx is an error, not an empty list',
      why: 'utho B08, B09: an unknown cluster looked like an empty one, and autoscaling ended in silence',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: errorsIn2xx,
    },
    {
      id: 'B4',
      sentence: "One group that can't be used leaves the others working, after a restart, too",
      why: 'U010, U014: one broken group stopped the whole loop',
      mandatory: false,
      liveSafe: false,
      cost: 3,
      port: ['C4', 'C5'],
      check: brokenGroup,
    },
    {
      id: 'B5',
      sentence: 'An answer of 50 MB is refused',
      why: 'U037: hundreds of MB of JSON filled the heap and blocked the process',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      check: hugeAnswer,
    },
    {
      id: 'B6',
      sentence: 'A failed TLS handshake has the declared kind',
      why: 'U063: settings that broke TLS looked like an outage of the cloud, or the other way round',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C5'],
      check: brokenTls,
    },
  ],
};

async function oddFields(bench: Bench): Promise<void> {
  await listsAreNoNews(bench, [
    () => '',
    () => 'null',
    () => '{}',
    () => '[]',
    () => '"text"',
    () => '7',
    wronglyTyped,
  ]);

  const scene = await bench.scene({ alpha: 1 });
  const [gone] = scene.seeded;
  scene.wire.fail('list', { kind: 'changed', change: withUnknownFields });
  const [added] = scene.cloud.seed('alpha', 1);
  scene.cloud.removeBehindBack(gone!);
  await scene.loop(bench.capabilities.times.noticesWithinMs);
  expect(scene.ids('alpha')).toEqual([added!.providerId]);

  for (const answer of ['', '{}', 'null']) {
    const ordering = await bench.scene();
    ordering.wire.failNext('order', { kind: 'changed', change: () => answer });
    await ordering.grow('alpha', 1).catch(() => undefined);
    await ordering.converge(bench.capabilities.times.settledWithinMs);
    expect([answer, ordering.machinesOf('alpha').length]).toEqual([answer, 1]);
  }
}

async function leadingBytes(bench: Bench): Promise<void> {
  await listsAreNoNews(bench, [
    (body) => `\uFEFF${body}`,
    (body) => `\n\n ${body}`,
    (body) => `Notice: undefined index in /srv/api.php\n${body}`,
    () => '\n',
  ]);
}

async function errorsIn2xx(bench: Bench): Promise<void> {
  await listsAreNoNews(bench, [
    () => '{"status":"error","message":"no such cluster"}',
    () => '{"error":{"code":"server_error","message":"try again"}}',
    () => '{"rcode":"error"}',
    () => '{"errors":[{"message":"no"}]}',
  ]);
}

/** Lists that arrive like this lose no machine, and end with the fault. */
async function listsAreNoNews(bench: Bench, changes: readonly ((body: string) => string)[]): Promise<void> {
  const { staleAfterMs, noticesWithinMs } = bench.capabilities.times;
  for (const change of changes) {
    const scene = await bench.scene({ alpha: 2 });
    scene.wire.fail('list', { kind: 'changed', change });
    await scene.loop(Math.min(staleAfterMs, noticesWithinMs) || noticesWithinMs);
    expect([change.toString(), scene.sizeOf('alpha')]).toEqual([
      change.toString(),
      { targetSize: 2, instances: 2 },
    ]);
    scene.wire.mend();
    await scene.loop(noticesWithinMs);
    expect([change.toString(), scene.sizeOf('alpha')]).toEqual([
      change.toString(),
      { targetSize: 2, instances: 2 },
    ]);
  }
}

async function brokenGroup(bench: Bench): Promise<void> {
  const scene = await bench.scene({ beta: 1 });
  scene.cloud.spoil('alpha');
  await scene.loop(bench.capabilities.times.noticesBadGroupsWithinMs);
  expect(await rejection(scene.grow('alpha', 1))).toBeInstanceOf(CloudError);
  expect(scene.group('beta').targetSize).toBe(1);
  expect(scene.provider.nodeGroupIdForNode(scene.nodeOf(scene.seeded[0]!))).toBe('beta');
  expect(await scene.grow('beta', 1)).toEqual({ accepted: 1, failure: null });
  expect(scene.provider.template('beta').node.allocatable.get('cpu')).toBeGreaterThan(0);
  const restarted = await bench.twin(scene);
  await restarted.loop(bench.capabilities.times.noticesWithinMs);
  expect(await restarted.grow('beta', 1)).toEqual({ accepted: 1, failure: null });
}

/** The answer is a good one, so that an adapter that took it would notice what is gone. */
async function hugeAnswer(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  scene.cloud.removeBehindBack(scene.seeded[0]!);
  scene.wire.fail('list', { kind: 'changed', change: (body) => body + ' '.repeat(HUGE) });
  // One refresh is enough where it asks; caches hold some of them back.
  await scene.loop(Math.min(bench.capabilities.times.noticesWithinMs, 6 * LOOP_MS));
  expect(scene.group('alpha').targetSize).toBe(2);
}

async function brokenTls(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  scene.wire.fail('any', { kind: 'bad-certificate' });
  await scene.advance(2 * bench.capabilities.times.staleAfterMs + LOOP_MS);
  const error = await rejection(scene.refresh());
  expect(error).toMatchObject({ name: 'CloudError', kind: bench.capabilities.errors.tls });
}

/** Every object has a field more that nobody knows. */
function withUnknownFields(body: string): string {
  return JSON.stringify(
    mapObjects(JSON.parse(body), (object) => ({ ...object, brand_new: { a: [1, null] } })),
  );
}

/** Texts are numbers, numbers are texts, lists are objects. */
function wronglyTyped(body: string): string {
  const twist = (value: unknown): unknown => {
    if (typeof value === 'string') return 7;
    if (typeof value === 'number') return { number: value };
    if (Array.isArray(value))
      return Object.fromEntries(value.map((item, index) => [`${index}`, twist(item)]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, twist(field)]));
    }
    return value;
  };
  return JSON.stringify(twist(JSON.parse(body)));
}

function mapObjects(value: unknown, change: (object: object) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, mapObjects(field, change)] as const);
  return change(Object.fromEntries(fields));
}
