import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, referenceTo, rejection } from '../scene.js';
import type { Scene } from '../scene.js';

const MINUTE = 60_000;
const ADVICE_MS = MINUTE;
/** Requests that were on their way when the first was refused. */
const STRAY_REQUESTS_MAX = 3;
const ABORT_MS = 1_000;

export const THROTTLING: RuleGroup = {
  title: 'Throttling and time',
  rules: [
    {
      id: 'H1',
      sentence:
        'After a refusal with advice, reads pause until the advised time; data that grow too old meanwhile are refused',
      why: 'U015, hetzner B31: after a 429 all requests came back at once',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      needs: ['retry-advice'],
      check: pauses,
    },
    {
      id: 'H2',
      sentence: 'At rest the calls of an hour stay within the declared budget',
      why: 'U015: the autoscaler ate up the request budget of the project',
      mandatory: false,
      liveSafe: true,
      cost: 2,
      port: ['C4'],
      check: hourAtRest,
    },
    {
      id: 'H3',
      sentence: 'Every call settles within its declared time although the cloud never answers',
      why: 'hetzner B08, utho B04: one black hole stopped the loop for minutes',
      mandatory: false,
      liveSafe: false,
      cost: 2,
      port: ['C4', 'C5', 'C7'],
      check: deadlines,
    },
    {
      id: 'H4',
      sentence: 'An aborted call settles within a second, and its connection is closed by its deadline',
      why: 'U090: sockets piled up; a process that lost its lease went on',
      mandatory: false,
      liveSafe: false,
      cost: 2,
      port: ['C4', 'C5', 'C7'],
      check: aborts,
    },
    {
      id: 'H5',
      sentence: 'Repeated reads are spread by the injected random source',
      why: 'hetzner B31: ten creations slept equally long and collided again',
      mandatory: false,
      liveSafe: false,
      cost: 0,
      port: ['C4'],
      needs: ['retries'],
      check: jitter,
    },
  ],
};

async function pauses(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 1 });
  const error = bench.capabilities.errors.throttled;
  scene.wire.fail('any', { kind: 'refused', error, retryAfterMs: ADVICE_MS });
  await untilAsked(scene);
  const { reads } = scene.wire.calls();
  await scene.loop(ADVICE_MS - LOOP_MS);
  expect(scene.wire.calls().reads - reads).toBeLessThanOrEqual(STRAY_REQUESTS_MAX);

  // However long the pause: what is too old is not acted upon.
  const { staleAfterMs } = bench.capabilities.times;
  const patient = await bench.scene({ alpha: 1 });
  patient.wire.fail('any', { kind: 'no-connection' });
  await patient.loop(staleAfterMs - LOOP_MS);
  patient.wire.mend();
  patient.wire.fail('any', { kind: 'refused', error, retryAfterMs: 60 * MINUTE });
  await patient.loop(staleAfterMs / 2 + 3 * LOOP_MS);
  expect(await rejection(patient.refresh())).toMatchObject({ name: 'CloudError' });
}

/** Until a refresh has sent a request: caches may hold one back. */
async function untilAsked(scene: Scene): Promise<void> {
  const { reads } = scene.wire.calls();
  for (let loops = 0; loops < 30 && scene.wire.calls().reads === reads; loops++) await scene.loop(LOOP_MS);
}

async function hourAtRest(bench: Bench): Promise<void> {
  const scene = await bench.scene({ alpha: 2 });
  const before = scene.wire.calls();
  await scene.loop(60 * MINUTE);
  const after = scene.wire.calls();
  expect(after.writes).toBe(before.writes);
  expect(after.reads - before.reads).toBeLessThanOrEqual(bench.capabilities.calls.perHourAtRest);
}

async function deadlines(bench: Bench): Promise<void> {
  const calls: typeof CALLS = [
    ...CALLS,
    ['decreaseTargetSize', ({ provider }) => provider.decreaseTargetSize('alpha', 1)],
    ['cleanup', cleanUp],
  ];
  for (const [name, call] of calls) {
    const scene = await bench.scene({ alpha: 2 });
    scene.wire.fail('any', { kind: 'silence' });
    await scene.advance(2 * MINUTE);
    const startMs = scene.nowMs();
    await scene.complete(call(scene, new AbortController().signal)).catch(() => undefined);
    const isInTime = scene.nowMs() - startMs <= bench.capabilities.times.callMs;
    expect({ name, isInTime }).toEqual({ name, isInTime: true });
  }
}

async function aborts(bench: Bench): Promise<void> {
  for (const [name, call] of CALLS) {
    const scene = await bench.scene({ alpha: 2 });
    scene.wire.fail('any', { kind: 'silence' });
    await scene.advance(2 * MINUTE);
    const controller = new AbortController();
    const settled = call(scene, controller.signal).catch(() => undefined);
    await scene.advance(100);
    const abortedMs = scene.nowMs();
    controller.abort();
    await scene.complete(settled);
    expect({ name, isInTime: scene.nowMs() - abortedMs <= ABORT_MS }).toEqual({ name, isInTime: true });
    await scene.advance(bench.capabilities.times.callMs);
    expect({ name, open: scene.subject.line.open }).toEqual({ name, open: 0 });
  }
}

async function jitter(bench: Bench): Promise<void> {
  const gaps: string[] = [];
  for (let process = 0; process < 2; process++) {
    const scene = await bench.scene({ alpha: 1 });
    scene.wire.fail('any', { kind: 'cut-before' });
    const from = scene.wire.seen().length;
    await scene.loop(2 * MINUTE);
    const times = scene.wire
      .seen()
      .slice(from)
      .map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(2);
    gaps.push(times.map((atMs) => atMs - times[0]!).join());
  }
  expect(gaps[0]).not.toBe(gaps[1]);
}

/** In the middle of a growth. */
function cleanUp(scene: Scene): Promise<void> {
  scene.retired = true;
  scene.provider.increaseSize('alpha', 1, new AbortController().signal).catch(() => undefined);
  return scene.provider.cleanup();
}

type Call = (scene: Scene, signal: AbortSignal) => Promise<unknown>;

/** All that may ask the cloud. */
const CALLS: readonly (readonly [name: string, call: Call])[] = [
  ['refresh', ({ provider }, signal) => provider.refresh(signal)],
  ['increaseSize', ({ provider }, signal) => provider.increaseSize('alpha', 1, signal)],
  [
    'deleteInstances',
    ({ provider, seeded }, signal) =>
      provider.deleteInstances('alpha', [referenceTo(seeded[0]!)], { force: false, signal }),
  ],
  [
    'existence',
    (scene, signal) => {
      const { providerId, ...machine } = scene.seeded[0]!;
      return scene.provider.existence(scene.nodeOf({ ...machine, providerId: `${providerId}9` }), signal);
    },
  ],
];
