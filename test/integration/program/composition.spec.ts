import { StatusServer } from '../../../src/adapters/http/index.js';
import { LeaderRun } from '../../../src/application/loop/index.js';
import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { ClusterReader } from '../../../src/application/ports/cluster-reader.js';
import { ClusterWriter } from '../../../src/application/ports/cluster-writer.js';
import { LeaderLock } from '../../../src/application/ports/leader-lock.js';
import { Random } from '../../../src/application/ports/random.js';
import { DeletionTracker } from '../../../src/application/scale-down/index.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { SeededRandom } from '../../../src/sandbox/world/index.js';
import { Program, createWorld } from './program.js';
import type { World } from './program.js';

function writes({ sandbox }: World): number {
  return sandbox.cluster.requests.list().filter(({ method }) => method !== 'GET').length;
}

function leaseOf({ sandbox }: World): Readonly<Record<string, unknown>> | undefined {
  const lease = sandbox.cluster.get(kinds.LEASES, 'cluster-autoscaler', 'kube-system');
  return lease?.spec as Readonly<Record<string, unknown>> | undefined;
}

describe('the container', () => {
  it('resolves everything, each service once', async () => {
    const world = createWorld();
    const program = await Program.start(world, ['--nodes=0:1:cx33:fsn1:pool']);
    const tokens = [
      LeaderRun,
      StatusServer,
      DeletionTracker,
      CloudProvider,
      ClusterReader,
      ClusterWriter,
      LeaderLock,
    ];
    for (const token of tokens) {
      const service = program.container.get<object>(token);
      expect(program.container.get<object>(token)).toBe(service);
    }
    await world.clock.advance(1_000);
    await program.stop();
  });

  it('takes what a test puts in place of an adapter', async () => {
    const world = createWorld();
    const random = new SeededRandom('another');
    const program = await Program.start(world, ['--nodes=0:1:cx33:fsn1:pool'], undefined, undefined, {
      replacements: (container) => {
        container.rebind(Random).toConstantValue(random);
      },
    });
    expect(program.container.get(Random)).toBe(random);
    await world.clock.advance(1_000);
    await program.stop();
  });

  it('takes the lease unless told not to, and gives it back at the end', async () => {
    // interface 9/32
    const world = createWorld();
    const { clock, sandbox } = world;
    const leaseHolder = (): unknown => leaseOf(world)?.['holderIdentity'];
    const sole = await Program.start(world, ['--nodes=0:1:cx33:fsn1:pool', '--leader-elect=false']);
    await clock.advance(30_000);
    expect(leaseHolder()).toBeUndefined();
    expect(await sole.stop()).toBe('stopped');

    const leader = await Program.start(world, ['--nodes=0:1:cx33:fsn1:pool']);
    await clock.advance(30_000);
    expect(leaseHolder()).toBe('evenkeel-0');
    const status = (): unknown =>
      sandbox.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system');
    expect(status()).toBeDefined();
    expect(await leader.stop()).toBe('stopped');
    expect(leader.linesOf('stopping').join()).toContain('stopped by the test');
    expect(status()).toBeUndefined();
    expect(leaseHolder() ?? '').toBe('');
  });

  it('stops writing when another process has taken the lease', async () => {
    const world = createWorld();
    const { clock, sandbox } = world;
    const program = await Program.start(world, ['--nodes=0:1:cx33:fsn1:pool']);
    await clock.advance(30_000);
    sandbox.cluster.modify(
      kinds.LEASES,
      { namespace: 'kube-system', name: 'cluster-autoscaler' },
      (lease) => {
        (lease.spec as Record<string, unknown>)['holderIdentity'] = 'somebody-else';
      },
    );
    await clock.advance(30_000);
    const before = writes(world);
    await clock.advance(60_000);
    expect(writes(world)).toBe(before);
    expect(await program.stop()).toBe('leadership-lost');
    expect(program.linesOf('leadership-won')).toHaveLength(1);
    expect(program.linesOf('leadership-lost').join()).toContain('another process took the lease');
  });
});
