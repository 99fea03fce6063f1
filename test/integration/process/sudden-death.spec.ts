import { deployment } from '../program/deployment.js';
import { LiveWorld } from './live-world.js';

/** As a container is restarted after a crash. */
const RESTART_MS = 500;

describe('a process that is killed', () => {
  let world: LiveWorld;

  beforeEach(async () => {
    world = await LiveWorld.open();
  });
  afterEach(() => world.close());

  it('in the middle of a growth leaves no server without owner, and its successor buys nothing twice', async () => {
    const { sandbox } = world;
    const flags = ['--nodes=0:6:cpx22:nbg1:pool'];
    // Half of the orders are carried out at once, the others are still on their way when the process dies.
    sandbox.cloud.faults.add({
      match: { method: 'POST', path: '/v1/servers' },
      after: 2,
      times: 2,
      action: { kind: 'delay', ms: 5_000 },
    });
    const first = world.start(flags);
    await world.until('it runs', () => first.output().includes('autoscaler-started'));
    sandbox.cluster.apply(deployment('web', 8, '750m'));
    await world.until('half of the orders are carried out', () => sandbox.cloud.servers().length === 2);
    first.child.kill('SIGKILL');
    await first.ended();
    await sandbox.clock.sleep(RESTART_MS);
    expect(sandbox.cloud.servers()).toHaveLength(2);

    world.start(flags);
    await world.until('all pods run', () => world.runningPods('web') === 8);
    await sandbox.clock.sleep(1_000);
    const servers = sandbox.cloud.servers();
    expect(servers).toHaveLength(4);
    const nodes = sandbox.cluster.nodes().map(({ spec }) => spec?.providerID);
    expect(nodes.sort()).toEqual(servers.map(({ id }) => `hcloud://${id}`).sort());
    expect(sandbox.cloud.invariants()).toEqual([]);
  }, 60_000);

  it('in the middle of a drain leaves no node tainted, and its successor goes on', async () => {
    const { sandbox } = world;
    const flags = ['--nodes=1:6:cpx22:nbg1:pool', '--max-graceful-termination-sec=600'];
    for (const number of [1, 2]) world.seedWorker(`pool-000000000000000${number}`, 'pool');
    const slow = { 'sandbox.evenkeel/stop-after-seconds': '3' };
    await world.until('both nodes are there', () => sandbox.cluster.nodes().length === 2);
    sandbox.cluster.apply(deployment('web', 2, '750m', slow));
    await world.until('the pods run', () => world.runningPods('web') === 2);

    const first = world.start(flags);
    await world.until('a drain has begun', () => world.markedNodes().length === 1 && isEvicting(world));
    first.child.kill('SIGKILL');
    await first.ended();
    expect(world.markedNodes()).toHaveLength(1);
    await sandbox.clock.sleep(RESTART_MS);

    const second = world.start([...flags, '--scale-down-unneeded-time=2s']);
    await world.until('the mark is gone', () => world.markedNodes().length === 0);
    await world.until('one server is left', () => sandbox.cloud.servers().length === 1);
    await world.until('its node too', () => sandbox.cluster.nodes().length === 1);
    await world.until('the pods run', () => world.runningPods('web') === 2);
    expect(world.markedNodes()).toEqual([]);
    expect(sandbox.cluster.nodes()[0]!.spec?.unschedulable ?? false).toBe(false);
    expect(second.child.exitCode).toBeNull();
    expect(sandbox.cloud.invariants()).toEqual([]);
  }, 60_000);
});

function isEvicting(world: LiveWorld): boolean {
  return world.sandbox.cluster
    .pods('default')
    .some(({ metadata }) => metadata.deletionTimestamp !== undefined);
}
