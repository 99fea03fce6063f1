import { Program, createWorld } from './program.js';

const POOL = ['--nodes=0:1:cx33:fsn1:pool'];

describe('a replica', () => {
  it('that may not list nodes ends at once, before it waits for the lease', async () => {
    const world = createWorld();
    world.sandbox.cluster.faults.forbids = ({ resource }) => resource === 'nodes';
    const program = await Program.start(world, POOL);
    await expect(program.end()).rejects.toThrow('may not list nodes; bind the ClusterRole');
    const writes = world.sandbox.cluster.requests.list().filter(({ method }) => method !== 'GET');
    expect(writes).toEqual([]);
  });

  it('waits while another holds the lease, and writes nothing meanwhile', async () => {
    const world = createWorld();
    const leader = await Program.start(world, POOL);
    await world.clock.advance(30_000);
    const standby = await Program.start(world, POOL, undefined, 'evenkeel-1');
    await world.clock.advance(60_000);
    expect(standby.linesOf('autoscaler-started')).toEqual([]);
    expect(await leader.stop()).toBe('stopped');
    await world.clock.advance(20_000);
    expect(standby.linesOf('autoscaler-started')).toHaveLength(1);
    expect(await standby.stop()).toBe('stopped');
  });
});
