import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { deployment } from './deployment.js';
import { Program, createWorld, runningPods } from './program.js';
import type { World } from './program.js';

const MINUTE = 60_000;
const POOLS = ['--nodes=0:4:cx33:fsn1:slow', '--nodes=0:4:cx33:nbg1:fast'];

function priorities(text: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
    data: { priorities: text },
  };
}

async function grow(world: World, app: string): Promise<void> {
  world.sandbox.cluster.apply(deployment(app, 1, '3'));
  await world.clock.runUntil(() => runningPods(world, app) === 1, 5 * MINUTE);
}

const sizes = ({ sandbox }: World): readonly number[] =>
  ['slow', 'fast'].map((pool) => sandbox.poolServers(pool).length);

describe('the priority expander', () => {
  // scale-up 14/100
  it('goes by its ConfigMap as it is now, and tells its owner what is wrong with it', async () => {
    const world = createWorld();
    const { sandbox } = world;
    sandbox.cluster.apply(priorities('10: [slow]\n20: [fast]\n'));
    const program = await Program.start(world, [...POOLS, '--expander=priority']);
    await grow(world, 'one');
    expect(sizes(world)).toEqual([0, 1]);

    sandbox.cluster.apply(priorities('10: [fast]\n20: ["^sl"]\n'));
    await grow(world, 'two');
    expect(sizes(world)).toEqual([1, 1]);

    sandbox.cluster.apply(priorities('20: ["(slow"]\n'));
    await grow(world, 'three');
    await world.clock.advance(MINUTE);
    const [event] = sandbox.cluster.events('PriorityConfigMapInvalid');
    expect(event).toMatchObject({
      type: 'Warning',
      involvedObject: { kind: 'ConfigMap', name: 'cluster-autoscaler-priority-expander' },
    });
    expect(event?.involvedObject?.uid).not.toBe('');
    await program.stop();
  });

  it('does without a ConfigMap', async () => {
    const world = createWorld();
    const program = await Program.start(world, [...POOLS, '--expander=priority']);
    await grow(world, 'one');
    expect(sizes(world)).toEqual([1, 0]);
    await program.stop();
  });
});

describe('the price expander', () => {
  // scale-up 14/101
  it('takes the cheaper type', async () => {
    const world = createWorld();
    const pools = ['--nodes=0:4:ccx33:fsn1:slow', '--nodes=0:4:cx33:fsn1:fast'];
    const program = await Program.start(world, [...pools, '--expander=price']);
    await grow(world, 'one');
    expect(sizes(world)).toEqual([0, 1]);
    await program.stop();
  });
});
