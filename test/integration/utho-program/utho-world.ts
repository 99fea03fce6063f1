import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '../../../src/sandbox/kubernetes/index.js';
import { DEFAULT_TOKEN, LIFELIKE_TIMINGS } from '../../../src/sandbox/utho/index.js';
import type { RecordedCall, WorkerEvent } from '../../../src/sandbox/utho/index.js';
import { UthoSandbox } from '../../../src/sandbox/utho-sandbox.js';
import type { UthoSandboxOptions } from '../../../src/sandbox/utho-sandbox.js';
import { VirtualClock } from '../../../src/sandbox/world/index.js';
import { KUBERNETES, Program } from '../program/program.js';
import type { Surroundings } from '../program/program.js';

/** The composed program against a simulated cluster on Utho, both on one virtual clock. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const POOL = 'np-1';
/** 2 vCPU, 4 GB. */
export const SMALL_PLAN = '10045';

const UTHO = 'http://utho.test';
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let serial = 0;

export interface UthoWorld extends Surroundings {
  readonly sandbox: UthoSandbox;
}

/** Workers need as long as they do for users; the cluster is empty but for its control plane. */
export function createUthoWorld(options: Partial<Omit<UthoSandboxOptions, 'clock'>> = {}): UthoWorld {
  const clock = new VirtualClock();
  const { utho, ...others } = options;
  const sandbox = new UthoSandbox({
    clock,
    seed: 1,
    ...others,
    utho: { ...utho, timings: { ...LIFELIKE_TIMINGS, ...utho?.timings } },
  });
  sandbox.start();
  return { clock, sandbox, dispatcher: sandbox.dispatcher({ kubernetes: KUBERNETES, cloud: UTHO }) };
}

/** Writes a file and gives its path: the Secret as a container sees it. */
export function fileWith(content: unknown): string {
  const path = join(folder, `cloud-config-${serial++}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What the cloud-config of every test says; no test waits for the real API. */
export const ACCESS = { token: DEFAULT_TOKEN, api_url: `${UTHO}/v2` };

export interface StartOptions {
  /** Added to {@link ACCESS}. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
  readonly hostName?: string;
}

/** Starts it with the flags of the published manifest. */
export function startProgram(
  world: UthoWorld,
  { config = {}, flags = [], hostName }: StartOptions = {},
): Promise<Program> {
  return Program.start(
    world,
    [
      '--v=4',
      '--cloud-provider=utho',
      `--cloud-config=${fileWith({ ...ACCESS, ...config })}`,
      '--node-group-auto-discovery=utho:regexp=.*',
      ...flags,
    ],
    {},
    hostName,
  );
}

export function runningPods({ sandbox }: UthoWorld, app: string): readonly Pod[] {
  return sandbox.cluster
    .pods('default')
    .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
    .filter((pod) => pod.metadata.deletionTimestamp === undefined);
}

/** Ready and open for pods. */
export function readyNodes({ sandbox }: UthoWorld): readonly string[] {
  return sandbox.cluster
    .nodes()
    .filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    )
    .map(({ metadata }) => metadata.name);
}

/** Seeded workers and the control plane have booted. */
export async function untilReady(world: UthoWorld): Promise<void> {
  const expected = world.sandbox.fleet.running().length;
  await world.clock.runUntil(() => readyNodes(world).length === expected, 5 * MINUTE);
  await world.clock.advance(10 * SECOND);
}

/** Counts that were asked for, in order. */
export function countsAskedFor({ sandbox }: UthoWorld, pool = POOL): readonly string[] {
  return sandbox.cloud
    .calls({ method: 'POST', path: new RegExp(`/nodepool/${pool}/update$`, 'u') })
    .map(({ json }: RecordedCall) => (json as { readonly count: string }).count);
}

/** Ids of workers whose deletion was asked for, in order. */
export function deletionsAskedFor({ sandbox }: UthoWorld): readonly string[] {
  return sandbox.cloud
    .calls({ method: 'DELETE' })
    .map(({ path }) => /\/nodepool\/[^/]+\/([^/]+)\/delete$/u.exec(path)?.[1] ?? path);
}

/** Workers that the platform killed of its own choice. */
export function victims({ sandbox }: UthoWorld): readonly WorkerEvent[] {
  return sandbox.cloud.events('victim');
}

/** Ids of the pool's workers, oldest first. */
export function workerIds({ sandbox }: UthoWorld, pool = POOL): readonly (string | null)[] {
  return sandbox.cloud.workers(pool).map(({ cloudId }) => cloudId);
}

/** The message of a line, without head and fields. */
export function messagesOf(program: Program, event: string): readonly string[] {
  return program.linesOf(event).map((line) => line.slice(line.indexOf('] ') + 2));
}

/** Stops it, and sees that nothing happened that never should. */
export async function endWell(program: Program, { sandbox }: UthoWorld): Promise<void> {
  expect(await program.stop()).toBe('stopped');
  expect(sandbox.cloud.invariants()).toEqual([]);
}
