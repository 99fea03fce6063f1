import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from '../../../src/infrastructure/command-line/index.js';
import { runCommand } from '../../../src/infrastructure/run-command.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { SeededRandom } from '../../../src/sandbox/world/index.js';
import { FLAGS } from '../program/program.js';
import {
  ACCESS,
  MINUTE,
  POOL,
  SECOND,
  createUthoWorld,
  endWell,
  fileWith,
  messagesOf,
  startProgram,
  untilReady,
} from './utho-world.js';
import type { UthoWorld } from './utho-world.js';

/** The whole command `run`, until it ends by itself or has run for a minute of the world. */
async function run(world: UthoWorld, flags: readonly string[], environment: Record<string, string> = {}) {
  const parsed = parseFlags([...FLAGS, '--address=127.0.0.1:0', '--cloud-provider=utho', ...flags]);
  if (parsed.kind !== 'flags') throw new Error('not a flag error of this test');
  const stopping = new AbortController();
  const lines: string[] = [];
  const outcome = runCommand(
    parsed.flags,
    {
      clock: world.clock,
      random: new SeededRandom(1),
      environment,
      hostName: 'evenkeel-0',
      kubernetesDispatcher: world.dispatcher,
      cloudDispatcher: world.dispatcher,
      logDestination: { write: (text) => lines.push(text) },
    },
    stopping.signal,
  );
  world.clock.schedule(MINUTE, () => stopping.abort(new Error('enough')));
  const { exitCode, problem } = await world.clock.complete(outcome);
  return { exitCode, problem, log: lines.join('') };
}

function withConfig(content: unknown): string {
  return `--cloud-config=${fileWith(content)}`;
}

function nothingWasSent(world: UthoWorld): boolean {
  return world.sandbox.cloud.calls().length === 0;
}

describe('a start that can not succeed ends with exit code 255 and the text of the Go program', () => {
  // interface 9/16, utho 8/5
  it('without --cloud-config', async () => {
    const world = createUthoWorld();
    const { exitCode, problem } = await run(world, []);
    expect(exitCode).toBe(255);
    expect(problem?.split('\n')).toEqual([
      'No config file provided, please specify it via the --cloud-config flag',
      '--cloud-config not set: the provider utho needs it; name a JSON file with token and cluster_id',
    ]);
  });

  // utho 8/6
  it('where the file is not there', async () => {
    const world = createUthoWorld();
    const { exitCode, problem } = await run(world, ['--cloud-config=/nowhere/cloud-config']);
    expect(exitCode).toBe(255);
    expect(problem?.split('\n')[0]).toBe(
      'Could not open cloud provider configuration file "/nowhere/cloud-config", error: ' +
        'open /nowhere/cloud-config: no such file or directory',
    );
  });

  it('where it is a directory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
    const { exitCode, problem } = await run(createUthoWorld(), [`--cloud-config=${folder}`]);
    rmSync(folder, { recursive: true });
    expect(exitCode).toBe(255);
    expect(problem).toMatch(/^Failed to create Utho manager: read .*: is a directory/u);
  });

  it.each([
    // utho 8/7
    ['INI', '[global]\ntoken = abc\n', /^Failed to create Utho manager: .*JSON/u],
    ['an empty file', '', /^Failed to create Utho manager: .*JSON/u],
    // utho 8/2
    ['no token', '{}', /^Failed to create Utho manager: access token is not provided\n/u],
    // utho 8/10
    [
      'a name in place of the number',
      { ...ACCESS, cluster_id: 'my-cluster' },
      /^Failed to create Utho manager: cluster ID "my-cluster" is not a number\n/u,
    ],
    ['a token of a wrong type', { token: 7 }, /^Failed to create Utho manager: /u],
  ])('with %s', async (_what, content, text) => {
    const world = createUthoWorld();
    const { exitCode, problem } = await run(world, [withConfig(content)]);
    expect(exitCode).toBe(255);
    expect(problem).toMatch(text);
    expect(problem).not.toContain(DEFAULT_TOKEN);
    expect(nothingWasSent(world)).toBe(true);
  });

  // utho 8/3
  it('where no node says which cluster it is, after a warning with the cause', async () => {
    const world = createUthoWorld();
    const { exitCode, problem, log } = await run(world, [withConfig(ACCESS)]);
    expect(exitCode).toBe(255);
    expect(problem).toContain(
      "Failed to create Utho manager: cluster ID is not provided and couldn't be retrieved from nodes",
    );
    expect(log).toContain('failed to get cluster ID from nodes: no nodes found in cluster');
    expect(nothingWasSent(world)).toBe(true);
  });

  it('where the configured cluster is another one than that of the nodes', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL });
    await untilReady(world);
    const { exitCode, problem } = await run(world, [withConfig({ ...ACCESS, cluster_id: '999999' })]);
    expect(exitCode).toBe(255);
    expect(problem).toContain('999999');
    expect(problem).toContain('701234');
    expect(nothingWasSent(world)).toBe(true);
  });
});

describe('a start with a good configuration', () => {
  // utho 8/4
  it('finds the cluster by the label of its nodes', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL });
    await untilReady(world);
    const { exitCode, problem, log } = await run(world, [withConfig(ACCESS), '--v=4']);
    expect({ exitCode, problem }).toEqual({ exitCode: 0, problem: null });
    expect(log).toContain('cluster ID 701234 was found on node');
    expect(log).toContain('autoscaling; the first refresh shows which node groups there are');
    const paths = world.sandbox.cloud.calls().map(({ path }) => path);
    expect(paths).toContain('/kubernetes/701234');
  });

  // utho 8/1, 8/9, 8/10
  it('sends everything to api_url with the trimmed token, which is in no line', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL });
    await untilReady(world);
    const config = { ...ACCESS, cluster_id: 701234, token: ` ${DEFAULT_TOKEN}\n` };
    const { exitCode, log } = await run(world, [withConfig(config), '--v=5']);
    expect(exitCode).toBe(0);
    const calls = world.sandbox.cloud.calls();
    expect(calls.length).toBeGreaterThan(2);
    expect(new Set(calls.map(({ token }) => token))).toEqual(new Set(['default']));
    expect(log).not.toContain(DEFAULT_TOKEN);
  });

  // utho 8/8
  it('says once that flags for node groups are ignored, and takes the same pools with and without them', async () => {
    const logs: string[] = [];
    for (const flags of [[], ['--node-group-auto-discovery=utho:regexp=^nothing$', '--nodes=1:2:x']]) {
      const world = createUthoWorld();
      world.sandbox.cloud.seedPool({ id: POOL });
      await untilReady(world);
      const { exitCode, log } = await run(world, [withConfig(ACCESS), '--v=4', ...flags]);
      expect(exitCode).toBe(0);
      expect(log).toContain('configured 1 autoscaling node pools');
      logs.push(log);
    }
    const said = (log: string, flag: string) =>
      log.split('\n').filter((line) => line.includes(`${flag} is ignored`));
    for (const flag of ['--node-group-auto-discovery', '--nodes']) {
      expect(said(logs[0]!, flag)).toEqual([]);
      expect(said(logs[1]!, flag)).toEqual([expect.stringMatching(/^I.*is ignored for utho: /u)]);
    }
  });

  it('warns of a key in the file that it does not know', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL });
    await untilReady(world);
    const { exitCode, log } = await run(world, [withConfig({ ...ACCESS, clusterid: '701234' })]);
    expect(exitCode).toBe(0);
    expect(log).toMatch(/W.*clusterid/u);
  });

  it('suggests the clusters of the account where the configured one is unknown', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL });
    const program = await startProgram(world, { config: { cluster_id: '999999' } });
    await world.clock.advance(30 * SECOND);
    expect(messagesOf(program, 'utho-probe')).toEqual([expect.stringContaining('701234 (cluster-701234)')]);
    await endWell(program, world);
  });
});
