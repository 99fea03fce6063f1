import { planMinimumSizes } from '../../../src/domain/scale-up/index.js';
import { planInput, prepare, sizes } from './scale-up-world.js';
import type { Cluster } from './scale-up-world.js';

function lift(cluster: Cluster, maxNodesTotal = 0) {
  return planMinimumSizes(planInput(cluster, prepare(cluster)), { maxNodesTotal });
}

const cpuQuota = (cpu: number) => [{ id: 'cluster-wide', selector: null, limits: new Map([['cpu', cpu]]) }];

describe('minimum sizes', () => {
  it('are reached without any pending pod (case U018)', () => {
    expect(sizes(lift({ pools: { a: { size: 1, minSize: 3 } } }))).toEqual(['a 1->3']);
  });

  // scale-up 14/37
  it('are reached as far as the limit of cores allows', () => {
    const node = { cpuMilli: 16_000 };
    const pools = { ng1: { size: 1, minSize: 3, node }, ng2: { size: 1, minSize: 1, node } };
    expect(sizes(lift({ pools, quotas: cpuQuota(48) }))).toEqual(['ng1 1->2']);
  });

  // scale-up 15/8
  it('share limits between the groups', () => {
    const node = { cpuMilli: 16_000 };
    const pools = { ng1: { minSize: 2, node }, ng2: { minSize: 2, node } };
    expect(sizes(lift({ pools, quotas: cpuQuota(48) }))).toEqual(['ng1 0->2', 'ng2 0->1']);
    const counted = lift({ pools }, 3);
    expect(sizes(counted)).toEqual(['ng1 0->2', 'ng2 0->1']);
    expect(counted.maxNodesReached).toBe(3);
  });

  it('are left alone in groups that may not grow', () => {
    expect(sizes(lift({ pools: { ng: { size: 1, minSize: 9, targetSize: 8 } } }))).toEqual([]);
  });
});
