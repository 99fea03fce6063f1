import { MetricsExposition } from '../../../src/application/ports/metrics-exposition.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { POOL_LABEL } from '../../../src/sandbox/hetzner-sandbox.js';
import { deployment } from './deployment.js';
import { Program, createWorld, runningPods, seedWorker } from './program.js';
import type { World } from './program.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const POOL = ['--nodes=0:4:cx33:fsn1:pool', '--leader-elect=false'];
const MARK = 'ToBeDeletedByClusterAutoscaler';

/** Values of the series whose line begins so, by the rest of the line's name and labels. */
async function series(program: Program, start: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await program.container.get<MetricsExposition>(MetricsExposition).render();
  const lines = text.split('\n').filter((line) => line.startsWith(`cluster_autoscaler_${start}`));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice('cluster_autoscaler_'.length, at), Number(line.slice(at + 1))];
    }),
  );
}

function statusMap({ sandbox }: World) {
  return sandbox.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system');
}

function ordersOf({ sandbox }: World): number {
  return sandbox.cloud.calls({ method: 'POST', path: '/servers' }).length;
}

describe('a loop', () => {
  // scale-up 14/74: all that a loop decides is read from one list
  it('lists the machines once at most', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    const listings = (): number => sandbox.cloud.calls({ method: 'GET', path: '/servers' }).length;
    for (let loop = 0; loop < 6; loop++) {
      const before = listings();
      await clock.advance(10 * SECOND);
      expect(listings() - before).toBeLessThanOrEqual(1);
    }
    await program.stop();
  });

  // interface 9/22
  it('that ends well shows when it began and when it ended', async () => {
    const world = createWorld();
    const program = await Program.start(world, POOL);
    await world.clock.advance(5 * MINUTE);
    const activity = await series(program, 'last_activity');
    const main = activity['last_activity{activity="main"}']!;
    const successful = activity['last_activity{activity="mainSuccessful"}']!;
    const nowSeconds = world.clock.now() / SECOND;
    expect(main).toBeLessThanOrEqual(successful);
    expect(nowSeconds - main).toBeLessThanOrEqual(10);
    await program.stop();
  });

  // interface 9/23, with the code of this cloud where a provider without codes has cloudProviderError
  it('in which the cloud refuses machines counts the refusal, and is a success all the same', async () => {
    const world = createWorld();
    world.sandbox.cloud.setStock('cx33', 'fsn1', 0);
    const program = await Program.start(world, POOL);
    await world.clock.advance(20 * SECOND);
    const errors = await series(program, 'errors_total');
    world.sandbox.cluster.apply(deployment('web', 3, '3'));
    await world.clock.advance(30 * SECOND);
    expect(ordersOf(world)).toBe(1);
    const refusals = Object.entries(await series(program, 'failed_scale_ups_total{'));
    expect(
      refusals.filter(([name, value]) => name.includes('resource_unavailable') && value === 1),
    ).toHaveLength(1);
    expect(await series(program, 'failed_node_creations_total{')).toMatchObject({
      'failed_node_creations_total{reason="resource_unavailable"}': 3,
    });
    expect(await series(program, 'errors_total')).toEqual(errors);
    const { 'last_activity{activity="mainSuccessful"}': successful } = await series(program, 'last_activity');
    expect(world.clock.now() / SECOND - successful!).toBeLessThanOrEqual(10);
    await program.stop();
  });

  // interface 9/24
  it('whose refresh fails is counted, and leaves the status as it was', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    sandbox.cloud.faults.add({ match: { path: /^\/v1\// }, action: { kind: 'cut-before' } });
    // The last list is good for five minutes.
    await clock.advance(8 * MINUTE);
    const errors = 'errors_total{type="cloudProviderError"}';
    const starts = 'function_duration_seconds_count{function="main"}';
    const before = { errors: await series(program, errors), loops: await series(program, starts) };
    const { resourceVersion } = statusMap(world)!.metadata;
    await clock.advance(2 * MINUTE);
    const loops = (await series(program, starts))[starts]! - before.loops[starts]!;
    expect(loops).toBeGreaterThan(2);
    expect((await series(program, errors))[errors]! - before.errors[errors]!).toBe(loops);
    expect(statusMap(world)!.metadata.resourceVersion).toBe(resourceVersion);
    await program.stop();
  });

  // interface 9/34
  it('without a status map records events on pods and none on the map', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, [...POOL, '--write-status-configmap=false']);
    sandbox.cluster.apply(deployment('web', 1, '3'));
    await clock.runUntil(() => runningPods(world, 'web') === 1, 5 * MINUTE);
    expect(statusMap(world)).toBeUndefined();
    expect(sandbox.cluster.events('ScaledUpGroup')).toEqual([]);
    expect(sandbox.cluster.events('TriggeredScaleUp')).toHaveLength(1);
    await program.stop();
  });

  // interface 9/39
  it('that is the first of a leader takes the marks of its predecessor from nodes of its groups only', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const ours = seedWorker(world, 'pool', 'cx33', 'fsn1');
    const foreign = sandbox.cloud.seedServer({ name: 'static-1', type: 'cx33' }).name;
    await clock.advance(2 * MINUTE);
    for (const name of [ours, foreign]) {
      sandbox.cluster.modify(kinds.NODES, { namespace: '', name }, (draft) => {
        draft.spec!.taints = [{ key: MARK, value: '1767225600', effect: 'NoSchedule' }];
        draft.spec!.unschedulable = true;
      });
    }
    await clock.advance(SECOND);
    const program = await Program.start(world, ['--nodes=1:4:cx33:fsn1:pool', '--leader-elect=false']);
    await clock.advance(9 * SECOND);
    const marked = (name: string) =>
      sandbox.cluster.node(name)!.spec?.taints?.some(({ key }) => key === MARK) === true;
    expect({ ours: marked(ours), foreign: marked(foreign) }).toEqual({ ours: false, foreign: true });
    expect(sandbox.cluster.node(ours)!.spec?.unschedulable ?? false).toBe(false);
    expect(sandbox.cluster.node(foreign)!.spec?.unschedulable).toBe(true);
    const cleanups = sandbox.cluster.events('ClusterAutoscalerCleanup');
    expect(cleanups.map(({ involvedObject }) => involvedObject.name)).toEqual([ours]);
    await program.stop();
  });
});

describe('a machine whose node never joins', () => {
  const PATIENCE = '--max-node-provision-time=5m';

  // scale-down 13.12/149
  it('is deleted when its time is over, above the minimum', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, [...POOL, PATIENCE]);
    sandbox.cloud.behaviour.keepNodesAway(() => true, 1);
    sandbox.cluster.apply(deployment('web', 1, '3'));
    await clock.advance(MINUTE);
    sandbox.cluster.delete(kinds.DEPLOYMENTS, 'web');
    expect(sandbox.poolServers('pool')).toHaveLength(1);
    await clock.advance(3 * MINUTE);
    expect(sandbox.poolServers('pool')).toHaveLength(1);
    await clock.runUntil(() => sandbox.poolServers('pool').length === 0, 4 * MINUTE);
    expect(sandbox.cluster.events('DeleteUnregistered')).toHaveLength(1);
    await program.stop();
  });

  // scale-down 13.12/150
  it.each([
    ['stays at the minimum', [], 1],
    ['goes even at the minimum when the operator forces it', ['--force-delete-unregistered-nodes'], 0],
  ] as const)('%s', async (_, flags, left) => {
    const world = createWorld();
    const { clock, sandbox } = world;
    sandbox.cloud.seedServer({
      name: 'pool-0000000000000001',
      type: 'cx33',
      labels: { [POOL_LABEL]: 'pool' },
      announced: false,
    });
    const nodes = ['--nodes=1:4:cx33:fsn1:pool', '--leader-elect=false', PATIENCE];
    const program = await Program.start(world, [...nodes, ...flags]);
    await clock.advance(15 * MINUTE);
    expect(sandbox.poolServers('pool')).toHaveLength(left);
    await program.stop();
  });
});

describe('machines that the cloud could not make', () => {
  // scale-down 13.12/152
  it('are deleted, not counted as on their way, and the others stay', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, ['--nodes=0:6:cx33:fsn1:pool', '--leader-elect=false']);
    const failure = { code: 'action_failed', message: 'Action failed' };
    sandbox.cloud.behaviour.failActions('create_server', failure, 1);
    sandbox.cluster.apply(deployment('web', 3, '3'));
    await clock.advance(2 * MINUTE);
    expect(runningPods(world, 'web')).toBe(2);
    expect(sandbox.poolServers('pool').map(({ status }) => status)).toEqual(['running', 'running']);
    // The group backs off for five minutes, then the third pod is served.
    await clock.runUntil(() => runningPods(world, 'web') === 3, 8 * MINUTE);
    expect(ordersOf(world)).toBe(4);
    await program.stop();
  });
});

describe('nodes that are still starting', () => {
  // scale-down 13.12/155, scale-up 14/82
  it('are no candidates while their group grows, and are when the time to start is over', async () => {
    const world = createWorld({ nodeProfile: () => ({ readyAfterMs: null }) });
    const { clock, sandbox } = world;
    const flags = [
      '--max-node-startup-time=6m',
      '--scale-down-unready-time=1m',
      '--scale-down-unneeded-time=1m',
    ];
    const delay = '--scale-down-delay-after-add=0s';
    const program = await Program.start(world, [...POOL, ...flags, delay]);
    sandbox.cluster.apply(deployment('web', 1, '3'));
    await clock.runUntil(() => sandbox.cluster.nodes().length === 1, 3 * MINUTE);
    sandbox.cluster.delete(kinds.DEPLOYMENTS, 'web');
    await clock.advance(4 * MINUTE);
    expect(program.linesOf('scale-down-decided')).toEqual([]);
    await clock.runUntil(() => sandbox.poolServers('pool').length === 0, 8 * MINUTE);
    expect(program.linesOf('scale-down-decided')).toHaveLength(1);
    await program.stop();
  });
});

describe('a deletion of which the node object lingers', () => {
  // scale-up 14/88
  it('has its pods replaced by one growth, not by two', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, POOL);
    sandbox.cluster.apply(deployment('web', 1, '3'));
    await clock.runUntil(() => runningPods(world, 'web') === 1, 5 * MINUTE);
    const [server] = sandbox.poolServers('pool');
    sandbox.cloud.vanishServer(server!.name);
    await clock.advance(30 * SECOND);
    expect(sandbox.cluster.node(server!.name)).toBeDefined();
    await clock.advance(10 * MINUTE);
    expect(runningPods(world, 'web')).toBe(1);
    expect(ordersOf(world)).toBe(2);
    await program.stop();
  });
});

describe('a loop that is told to stop', () => {
  // scale-down 13.12/160
  it('ends without growing or shrinking anything', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(20 * SECOND);
    sandbox.cluster.apply(deployment('web', 2, '3'));
    expect(await program.stop()).toBe('stopped');
    await clock.advance(MINUTE);
    expect(ordersOf(world)).toBe(0);
  });
});

describe('the status', () => {
  // scale-down 13.12/161
  it('names the candidates of scale-down after each loop', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    seedWorker(world, 'pool', 'cx33', 'fsn1');
    const program = await Program.start(world, POOL);
    await clock.advance(3 * MINUTE);
    const data = statusMap(world)!['data'] as { readonly status: string };
    expect(data.status).toMatch(/scaleDown:[^]*candidates: 1[^]*status: CandidatesPresent/u);
    expect(sandbox.poolServers('pool')).toHaveLength(1);
    await program.stop();
  });
});

describe('a node that outlives its machine', () => {
  // user-cases U057
  it('is deleted once, not again in every loop, and is no room for pods', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    sandbox.cluster.keepGhosts(true);
    const quickly = [
      '--scale-down-unneeded-time=1m',
      '--scale-down-unready-time=1m',
      '--scale-down-delay-after-add=1m',
    ];
    const program = await Program.start(world, [...POOL, ...quickly]);
    sandbox.cluster.apply(deployment('web', 2, '3'));
    await clock.runUntil(() => runningPods(world, 'web') === 2, 5 * MINUTE);
    sandbox.cluster.scaleDeployment('web', 1);
    await clock.advance(30 * MINUTE);
    expect(sandbox.poolServers('pool')).toHaveLength(1);
    expect(sandbox.cluster.nodes()).toHaveLength(2);
    expect(program.linesOf('node-deleted')).toHaveLength(1);
    sandbox.cluster.scaleDeployment('web', 2);
    await clock.runUntil(() => runningPods(world, 'web') === 2, 5 * MINUTE);
    await program.stop();
  });
});
