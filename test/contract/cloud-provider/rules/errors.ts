import { CloudError } from '../../../../src/application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../../src/domain/node-group/node-group.js';
import type { Bench } from '../bench.js';
import type { RuleGroup } from '../contract-rule.js';
import { LOOP_MS, referenceTo, rejection } from '../scene.js';
import type { Scene } from '../scene.js';
import type { Trouble } from '../wire.js';

const ADVICE_MS = 20_000;
/** Advice comes in whole seconds. */
const ADVICE_TOLERANCE_MS = 1_000;

export const ERRORS: RuleGroup = {
  title: 'Errors',
  rules: [
    {
      id: 'E1',
      sentence: 'Nothing but a CloudError leaves, whatever happens on the wire',
      why: 'U014, U022: one error of another form ended the loop or the process',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C11'],
      check: onlyCloudErrors,
    },
    {
      id: 'E2',
      sentence:
        'Each documented error of the cloud has its kind; an unknown one is transient and keeps its code',
      why: 'hetzner B11, U001: refusals lost their class, and the wrong remedy was tried',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C5'],
      check: errorTable,
    },
    {
      id: 'E3',
      sentence:
        'A message names group and offer, and for a fault of the configuration the setting to correct',
      why: 'utho B01, B24: errors ended in `[]`, or in a puzzle',
      mandatory: true,
      liveSafe: false,
      cost: 0,
      port: ['C5'],
      check: telling,
    },
    {
      id: 'E4',
      sentence: 'No secret shows in an error with all its causes, in a result or in the log',
      why: 'hetzner B29: the debug dump held token and join secret',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C11'],
      check: noSecrets,
    },
    {
      id: 'E5',
      sentence:
        "The cloud's advice when to come back is passed on as `retryAfterMs`, or kept by waiting so long",
      why: 'U015, hetzner B31: headers were never read, and retries multiplied the load',
      mandatory: true,
      liveSafe: false,
      cost: 1,
      port: ['C5'],
      needs: ['retry-advice'],
      check: advice,
    },
  ],
};

const TROUBLES: readonly Trouble[] = [
  { kind: 'no-connection' },
  { kind: 'cut-before' },
  { kind: 'bad-certificate' },
  { kind: 'changed', change: () => '<html>502 Bad Gateway</html>' },
  { kind: 'changed', change: () => '' },
  { kind: 'changed', change: () => 'null' },
];

async function onlyCloudErrors(bench: Bench): Promise<void> {
  for (const trouble of TROUBLES) {
    const scene = await bench.scene({ alpha: 1 });
    scene.wire.fail('any', trouble);
    await everyCall(scene, bench.capabilities.times.staleAfterMs);
    // What its start is rejected with is remembered like all else.
    await bench.twin(scene).catch(() => undefined);
  }
  const scene = await bench.scene();
  const unknown = 'no-such-group';
  const reference = { instanceId: 'other://1', name: 'stranger', cause: 'scale-down' } as const;
  for (const call of [
    () => scene.grow(unknown, 1),
    () => scene.shrink(unknown, 1),
    () => scene.shrink('alpha', 0),
    () => scene.release(unknown, [reference]),
    () => Promise.resolve().then(() => scene.provider.template(unknown)),
  ]) {
    expect(await rejection(call())).toBeInstanceOf(CloudError);
  }
  for (const error of bench.witness.errors) expect(error).toBeInstanceOf(CloudError);
}

async function errorTable(bench: Bench): Promise<void> {
  const { documented, unknown } = bench.capabilities.errors;
  for (const [error, kind] of Object.entries(documented)) {
    const failure = await refusedWith(bench, { kind: 'refused', error });
    expect({ error, kind: failure?.kind }).toEqual({ error, kind });
    expect(failure?.code).toMatch(/^\S{1,60}$/);
  }
  const failure = await refusedWith(bench, { kind: 'refused', error: unknown.error });
  expect(failure).toMatchObject({ kind: 'transient', code: unknown.code });
}

/** Why an order is refused that meets with this, at once or later. */
async function refusedWith(bench: Bench, trouble: Trouble): Promise<CloudFailure | null> {
  const scene = await bench.scene();
  scene.wire.fail('order', trouble);
  return failureOfGrowth(scene, bench.capabilities.times.settledWithinMs);
}

async function failureOfGrowth(scene: Scene, limitMs: number): Promise<CloudFailure | null> {
  try {
    const { failure } = await scene.grow('alpha', 1);
    if (failure !== null) return failure;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return error.toFailure();
  }
  for (let passedMs = 0; passedMs < limitMs; passedMs += LOOP_MS) {
    await scene.loop(LOOP_MS);
    const failed = scene.group('alpha').instances.find(({ failure }) => failure !== null);
    if (failed !== undefined) return failed.failure;
  }
  return null;
}

async function telling(bench: Bench): Promise<void> {
  const { unauthorized } = bench.capabilities.errors;
  const scene = await bench.scene();
  scene.cloud.setStock('alpha', 0);
  const soldOut = (await rejection(scene.grow('alpha', 1))) as Error;
  expect(soldOut.message).toContain('alpha');
  expect(soldOut.message).toContain(scene.cloud.offerOf('alpha'));

  const refused = await refusedWith(bench, { kind: 'refused', error: unauthorized.error });
  expect(refused).toMatchObject({ kind: 'configuration' });
  expect(refused!.message).toContain('alpha');
  expect(refused!.message).toContain(unauthorized.setting);
}

async function noSecrets(bench: Bench): Promise<void> {
  const { times, errors } = bench.capabilities;
  const scene = await bench.scene({ alpha: 1 });
  for (const trouble of [...TROUBLES, { kind: 'refused', error: errors.unauthorized.error } as const]) {
    scene.wire.fail('any', trouble);
    await everyCall(scene, times.staleAfterMs);
    scene.wire.mend();
  }
  scene.cloud.failOrdersLater();
  await scene.grow('alpha', 1).catch(() => undefined);
  await scene.loop(times.machineReadyMs);
  expect(scene.group('alpha').instances).toContainEqual(
    expect.objectContaining({ failure: expect.anything() }),
  );
  const said = `${bench.witness.text()}\n${scene.subject.logText()}`;
  expect(said.length).toBeGreaterThan(100);
  for (const secret of scene.subject.secrets) expect(said.includes(secret) ? 'a secret shows' : '').toBe('');
}

/** Uses all of the port once, whatever comes of it, with data that are too old in the end. */
async function everyCall(scene: Scene, staleAfterMs: number): Promise<void> {
  const [machine] = scene.seeded;
  await scene.refresh().catch(() => undefined);
  await scene.grow('alpha', 1).catch(() => undefined);
  await scene.existence(scene.nodeOf(machine!));
  await scene.existence(scene.nodeOf({ ...machine!, providerId: `${machine!.providerId}9` }));
  await scene.release('alpha', [referenceTo(machine!)]).catch(() => undefined);
  await scene.shrink('alpha', 1).catch(() => undefined);
  await scene.advance(2 * staleAfterMs);
  await scene.refresh().catch(() => undefined);
}

async function advice(bench: Bench): Promise<void> {
  const scene = await bench.scene();
  const error = bench.capabilities.errors.throttled;
  scene.wire.failNext('order', { kind: 'refused', error, retryAfterMs: ADVICE_MS });
  const startMs = scene.nowMs();
  const failure = await scene.grow('alpha', 1).then(
    (result) => result.failure,
    (thrown: unknown) => (thrown as CloudError).toFailure(),
  );
  if (failure !== null) {
    expect(failure.kind).toBe('throttled');
    expect(Math.abs((failure.retryAfterMs ?? 0) - ADVICE_MS)).toBeLessThanOrEqual(ADVICE_TOLERANCE_MS);
    return;
  }
  await scene.converge(bench.capabilities.times.settledWithinMs);
  const second = scene.wire.seen().filter(({ kind }) => kind === 'order')[1];
  expect(second!.atMs - startMs).toBeGreaterThanOrEqual(ADVICE_MS - ADVICE_TOLERANCE_MS);
}
