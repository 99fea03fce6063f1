import { deployment } from './deployment.js';
import { Program, createWorld, runningPods, seedWorker } from './program.js';
import type { World } from './program.js';

const MINUTE = 60_000;
const POOLS = ['--nodes=0:4:cx33:fsn1:first', '--nodes=1:6:cpx22:nbg1:second'];

function postsOf({ sandbox }: World): readonly (number | null)[] {
  return sandbox.cloud.calls({ method: 'POST', path: '/servers' }).map(({ status }) => status);
}

describe('the composed program', () => {
  it('grows the second pool in the same iteration when the type of the first is sold out, then shrinks to the minimum', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    sandbox.cloud.setStock('cx33', 'fsn1', 0);
    seedWorker(world, 'second', 'cpx22', 'nbg1');
    await clock.advance(2 * MINUTE);
    sandbox.cluster.apply(deployment('load', 1, '600m'));
    const program = await Program.start(world, POOLS);
    await clock.runUntil(() => runningPods(world, 'load') === 1, MINUTE);

    sandbox.cluster.apply(deployment('web', 10, '750m'));
    await clock.runUntil(() => runningPods(world, 'web') === 10, 5 * MINUTE);
    expect(sandbox.poolServers('first')).toEqual([]);
    expect(sandbox.poolServers('second')).toHaveLength(6);
    expect(postsOf(world)).toEqual([412, 201, 201, 201, 201, 201]);
    expect(program.linesOf('scale-up-refused')).toHaveLength(1);

    sandbox.cluster.scaleDeployment('web', 1);
    await clock.runUntil(() => sandbox.poolServers('second').length === 1, 40 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(sandbox.poolServers('second')).toHaveLength(1);
    expect(runningPods(world, 'web')).toBe(1);
    expect(runningPods(world, 'load')).toBe(1);
    const marks = sandbox.cluster.nodes().flatMap(({ spec }) => spec?.taints ?? []);
    expect(marks).toEqual([]);
    expect(sandbox.cloud.invariants()).toEqual([]);
    expect(await program.stop()).toBe('stopped');
  });

  it('starts an iteration at once when a pod becomes unschedulable', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, ['--nodes=0:4:cx33:fsn1:first', '--scan-interval=5m']);
    await clock.advance(MINUTE);
    sandbox.cluster.apply(deployment('web', 1, '1'));
    // The pod is young in the iteration that it starts, and the next one comes at the latest with the scan interval.
    await clock.advance(5 * MINUTE + 5_000);
    expect(postsOf(world)).toEqual([201]);
    await program.stop();
  });

  it('says of every pod that it can not help why not, on the pod and in the log', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, ['--nodes=0:4:cx33:fsn1:first']);
    sandbox.cluster.apply(deployment('huge', 2, '64'));
    await clock.advance(2 * MINUTE);
    expect(postsOf(world)).toEqual([]);
    const events = sandbox.cluster.events('NotTriggerScaleUp');
    expect(events.map(({ message }) => message)).toEqual([
      "pod didn't trigger scale-up: 1 Insufficient cpu",
      "pod didn't trigger scale-up: 1 Insufficient cpu",
    ]);
    expect(program.linesOf('pods-not-helped')).toEqual([
      expect.stringContaining('first: Insufficient cpu (asked 64, free 4'),
    ]);
    await program.stop();
  });
});
