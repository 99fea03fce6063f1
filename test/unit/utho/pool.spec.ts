import { KubernetesNodes } from '../../../src/adapters/utho/state/kubernetes-nodes.js';
import { Pool } from '../../../src/adapters/utho/state/pool.js';
import { boundsOf } from '../../../src/adapters/utho/state/pool-snapshot.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { buildNode } from '../../support/builders.js';
import { StagedNodes } from '../../integration/utho/utho-harness.js';
import { poolRecord, workerRecord } from './pool-records.js';

const nodes = KubernetesNodes.of(new StagedNodes());
const failed = { status: 'Failed', appStatus: 'Failed' };

function build(record = poolRecord('p')) {
  const clock = new VirtualClock();
  const pool = new Pool(record, nodes, clock, { allowScaleToZero: false, options: {} });
  return { clock, pool };
}

describe('a pool between refreshes', () => {
  it('shows growths on their way, each once', () => {
    const { pool } = build();
    const first = pool.reserve(2);
    const second = pool.reserve(1);
    expect(pool.group()).toMatchObject({ targetSize: 4 });
    first.aim(3);
    expect(pool.target).toBe(4);
    pool.adopt(poolRecord('p', { count: 3 }), nodes);
    expect(pool.target).toBe(4);
    second.end();
    first.end();
    expect(pool.target).toBe(3);
    expect(pool.group().instances).toHaveLength(3);
  });

  it('forgets an own write once it shows, after ten minutes, or when it was refused', async () => {
    const { pool, clock } = build();
    pool.expectCount(5);
    pool.adopt(poolRecord('p', { count: 4 }), nodes);
    expect(pool.unseenCount).toBe(5);
    pool.acceptDeletion('1');
    expect(pool.unseenCount).toBe(4);
    pool.adopt(poolRecord('p', { count: 4 }), nodes);
    expect(pool.unseenCount).toBe(0);
    const takeBack = pool.expectCount(7);
    takeBack();
    expect(pool.unseenCount).toBe(0);
    pool.expectCount(7);
    await clock.advance(10 * 60_000);
    expect(pool.unseenCount).toBe(0);
  });

  it('takes a failed worker that ran before for one that may run pods', () => {
    const { pool } = build(poolRecord('p', { workers: [workerRecord('1'), workerRecord('2', failed)] }));
    pool.adopt(poolRecord('p', { workers: [workerRecord('1', failed), workerRecord('2', failed)] }), nodes);
    expect(pool.group().instances.map(({ failure }) => failure !== null)).toEqual([false, true]);
  });

  it('takes a failed worker with a node for one that may run pods', () => {
    const staged = new StagedNodes();
    staged.nodes = [buildNode('HOST-2', { providerId: '' })];
    const { pool } = build();
    const record = poolRecord('p', { workers: [workerRecord('2', failed), workerRecord('3', failed)] });
    pool.adopt(record, KubernetesNodes.of(staged));
    expect(pool.group().instances.map(({ failure }) => failure !== null)).toEqual([false, true]);
  });

  it('drops a confirmed deletion from the target at once', () => {
    const { pool } = build(poolRecord('p', { workers: [workerRecord('1'), workerRecord('2')] }));
    pool.acceptDeletion('1');
    expect(pool.group()).toMatchObject({
      targetSize: 1,
      instances: [{ state: 'deleting' }, { state: 'running' }],
    });
  });

  // utho 8/35
  it.each([
    [0, 5, false, 1, null],
    [undefined, 5, false, 1, null],
    [0, 5, true, 0, null],
    [2, 5, false, 2, null],
    [2, 1, false, 2, 'its bounds are unusable: min_size 2, max_size 1'],
    [0, 0, true, 0, 'its bounds are unusable: min_size 0, max_size 0'],
    [1, undefined, false, 1, 'its bounds are unusable: min_size 1, max_size missing'],
  ])('reads bounds %p to %p, may be emptied: %p', (minSize, maxSize, mayBeEmpty, min, problem) => {
    expect(boundsOf(poolRecord('p', { minSize, maxSize }), mayBeEmpty)).toMatchObject({
      minSize: min,
      problem,
    });
  });
});
