import { writeFileSync } from 'node:fs';
import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { deployment } from '../program/deployment.js';
import type { Program } from '../program/program.js';
import {
  MINUTE,
  POOL,
  SECOND,
  SMALL_PLAN,
  countsAskedFor,
  createUthoWorld,
  deletionsAskedFor,
  endWell,
  fileWith,
  messagesOf,
  runningPods,
  startProgram,
  untilReady,
  workerIds,
} from './utho-world.js';

function groupsOf(program: Program): readonly string[] {
  return program.container
    .get<CloudProvider>(CloudProvider)
    .nodeGroups()
    .map(({ id }) => id);
}

async function worldWithPool(workers = 1) {
  const world = createUthoWorld();
  world.sandbox.cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 3, workers });
  await untilReady(world);
  return world;
}

// utho 8/15
describe('pools are taken as the API shows them, without a restart', () => {
  it('switched off and on', async () => {
    const world = await worldWithPool(3);
    const { cloud } = world.sandbox;
    const program = await startProgram(world);
    await world.clock.advance(MINUTE);
    expect(groupsOf(program)).toEqual([POOL]);
    cloud.setAutoScale(POOL, false);
    await world.clock.advance(20 * MINUTE);
    expect(groupsOf(program)).toEqual([]);
    expect(cloud.writes()).toEqual([]);
    expect(program.lines.filter((line) => line.startsWith('W') && line.includes('is disabled'))).toEqual([
      expect.stringContaining('cluster-autoscaler is disabled. no node pools are configured'),
    ]);
    // utho 8/20
    const refreshes = messagesOf(program, 'utho-refresh').join('\n');
    expect(refreshes).toContain(`node-pool ${POOL}: autoscaling=true (min=1 max=3)`);
    expect(refreshes).toContain(`node-pool ${POOL}: autoscaling=false (min=1 max=3)`);
    expect(refreshes).toContain(`skipping non-autoscaling node pool: ${POOL}`);
    cloud.setAutoScale(POOL, true);
    await world.clock.runUntil(() => workerIds(world).length === 1, 60 * MINUTE);
    await endWell(program, world);
  });

  it('added, and with another maximum', async () => {
    const world = await worldWithPool();
    const { cloud, cluster } = world.sandbox;
    const program = await startProgram(world);
    cluster.apply(deployment('web', 6, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 3, 10 * MINUTE);
    cloud.setBounds(POOL, { max: 4 });
    await world.clock.runUntil(() => runningPods(world, 'web').length === 4, 10 * MINUTE);
    cloud.seedPool({ id: 'np-2', planId: SMALL_PLAN, min: 1, max: 5, workers: 1 });
    await world.clock.runUntil(() => runningPods(world, 'web').length === 6, 15 * MINUTE);
    expect(countsAskedFor(world)).toEqual(['3', '4']);
    expect(groupsOf(program)).toEqual([POOL, 'np-2']);
    await endWell(program, world);
  });

  it('removed or renamed while the autoscaler works', async () => {
    const world = await worldWithPool();
    const { cloud } = world.sandbox;
    cloud.seedPool({ id: 'np-2', planId: SMALL_PLAN });
    const program = await startProgram(world);
    await world.clock.advance(MINUTE);
    cloud.removePool(POOL);
    cloud.renamePool('np-2', 'np-3');
    await world.clock.advance(MINUTE);
    expect(groupsOf(program)).toEqual(['np-3']);
    expect(cloud.writes()).toEqual([]);
    await endWell(program, world);
  });
});

// utho 8/16
describe('a cluster that can no longer be seen', () => {
  it.each(['E1', 'E4', 'E5', '404'] as const)(
    'in shape %s is an error and not an empty cluster',
    async (shape) => {
      const world = await worldWithPool(3);
      const { cloud } = world.sandbox;
      const program = await startProgram(world);
      await world.clock.advance(MINUTE);
      cloud.configure({ unknownCluster: shape });
      // The key loses its right to see the cluster, whose workers run on.
      cloud.addToken(DEFAULT_TOKEN, { name: 'default', clusters: [] });
      await world.clock.advance(15 * MINUTE);
      expect(groupsOf(program)).toEqual([POOL]);
      expect(messagesOf(program, 'utho-disabled')).toEqual([]);
      expect(cloud.writes()).toEqual([]);
      expect(
        program.lines.filter((line) => line.includes('incident-began') && line.includes('utho-api')),
      ).toHaveLength(1);
      expect(program.isEnded).toBe(false);
      cloud.addToken(DEFAULT_TOKEN, { name: 'default' });
      await world.clock.runUntil(() => workerIds(world).length === 1, 60 * MINUTE);
      await endWell(program, world);
    },
  );
});

describe('an API key', () => {
  it('that is revoked stops decisions, and its successor in token_file is used without a restart', async () => {
    const world = await worldWithPool();
    const { cloud, cluster } = world.sandbox;
    const file = fileWith(DEFAULT_TOKEN);
    const program = await startProgram(world, { config: { token: undefined, token_file: file } });
    await world.clock.advance(MINUTE);
    cloud.revokeToken(DEFAULT_TOKEN);
    cloud.addToken('sandbox-utho-key-1111111111111111');
    await world.clock.advance(MINUTE);
    cluster.apply(deployment('web', 2, '1500m'));
    await world.clock.advance(5 * MINUTE);
    expect(runningPods(world, 'web')).toHaveLength(1);
    writeFileSync(file, 'sandbox-utho-key-1111111111111111\n');
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
    expect(program.lines.join('\n')).not.toMatch(/sandbox-utho-key/u);
    await endWell(program, world);
  });

  it('that may only read is told to be so, and costs a back-off', async () => {
    const world = await worldWithPool();
    const { cloud, cluster } = world.sandbox;
    cloud.setTokenWritable(DEFAULT_TOKEN, false);
    const program = await startProgram(world);
    cluster.apply(deployment('web', 2, '1500m'));
    await world.clock.advance(4 * MINUTE);
    expect(countsAskedFor(world)).toHaveLength(1);
    expect(messagesOf(program, 'scale-up-refused')).toEqual([expect.stringContaining('write access')]);
    expect(messagesOf(program, 'back-off-entered')).toHaveLength(1);
    cloud.setTokenWritable(DEFAULT_TOKEN, true);
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 20 * MINUTE);
    await endWell(program, world);
  });
});

describe('an API that answers badly', () => {
  it.each([
    ['numbers as text', { typing: 'strings' }],
    ['text as numbers', { typing: 'numbers' }],
    ['names of last year', { typing: 'legacy' }],
    ['one or the other by chance', { typing: 'random' }],
    ['bytes before the JSON', { junkPrefix: 'text' }],
    ['lists for maps', { emptyCollections: '{}' }],
    ['the dialect of the cloud controller', { dialect: 'ccm' }],
    ['numeric ids', { numericId: 'on', updateResponse: 'rich' }],
    ['no shape of workers that wait', { emptyPendingShape: true }],
    ['everything after five seconds', {}],
  ] as const)('with %s changes nothing', async (name, settings) => {
    const world = await worldWithPool();
    const { cloud, cluster } = world.sandbox;
    cloud.configure(settings);
    if (name === 'everything after five seconds') {
      cloud.faults.add({ match: {}, action: { kind: 'delay', ms: 5 * SECOND } });
    }
    const program = await startProgram(world);
    cluster.apply(deployment('web', 2, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
    expect(countsAskedFor(world)).toEqual(['2']);
    cluster.scaleDeployment('web', 1);
    await world.clock.runUntil(() => workerIds(world).length === 1, 60 * MINUTE);
    expect(deletionsAskedFor(world)).toHaveLength(1);
    expect(runningPods(world, 'web')).toHaveLength(1);
    await endWell(program, world);
  });
});
