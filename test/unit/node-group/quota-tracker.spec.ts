import {
  DEFAULT_RESOURCE_LIMITS,
  QuotaTracker,
  clusterWideQuota,
  gpuMetricLabels,
} from '../../../src/domain/node-group/index.js';
import type { Quota, ResourceLimits } from '../../../src/domain/node-group/index.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import { GIB, buildNode } from '../../support/builders.js';

const GPU_LABEL = 'example.com/gpu';
const limit = (limits: Record<string, number>, pool?: string): Quota => ({
  id: pool === undefined ? 'cluster-wide' : `CapacityQuota/${pool}`,
  selector: pool === undefined ? null : { matchLabels: new Map([['pool', pool]]), matchExpressions: [] },
  limits: new Map(Object.entries(limits)),
});
const tracker = (quotas: readonly Quota[], nodes: readonly Node[] = [], promised?: Node) =>
  QuotaTracker.over(quotas, { nodes, gpuLabel: GPU_LABEL, promisedFor: () => promised });
const node = (cores: number, fields: Parameters<typeof buildNode>[1] = {}) =>
  buildNode('n', { cpuMilli: cores * 1000, ...fields });

describe('quotas', () => {
  // scale-up 14/103
  it.each<[string, Quota[], Node, number, Record<string, string[]>]>([
    ['allow what fits', [limit({ cpu: 10 })], node(2), 5, {}],
    ['allow as many whole nodes as fit', [limit({ cpu: 9 })], node(2), 4, { 'cluster-wide': ['cpu'] }],
    [
      'name all resources, sorted, and allow the least',
      [limit({ memory: 20 * GIB, cpu: 9 })],
      node(2),
      2,
      { 'cluster-wide': ['cpu', 'memory'] },
    ],
    [
      'name all quotas',
      [limit({ cpu: 8 }), limit({ nodes: 1 }, 'a')],
      node(2, { labels: { pool: 'a' } }),
      1,
      { 'cluster-wide': ['cpu'], 'CapacityQuota/a': ['nodes'] },
    ],
    ['do not apply to other nodes', [limit({ nodes: 1 }, 'a')], node(2), 5, {}],
    ['do not mind resources that the node lacks', [limit({ a100: 1 })], node(2), 5, {}],
  ])('%s', (_, quotas, template, allowed, exceeded) => {
    expect(tracker(quotas).check(template, 5)).toEqual({
      allowed,
      exceeded: Object.entries(exceeded).map(([id, resources]) => ({ id, resources })),
    });
  });

  // scale-up 14/103
  it('refuse a negative number of nodes', () => {
    expect(() => tracker([]).check(node(1), -1)).toThrow(RangeError);
  });

  // scale-up 14/103
  it('shrink by what is consumed, and leave the tracker before as it was', () => {
    const before = tracker([limit({ cpu: 10 })]);
    const after = before.consume(node(2), 3);
    expect(after.check(node(2), 5).allowed).toBe(2);
    expect(before.check(node(2), 5).allowed).toBe(5);
  });

  it('count nodes in use, cores rounded up, virtual nodes not', () => {
    const used = [
      buildNode('a', { cpuMilli: 1_500 }),
      buildNode('b', { cpuMilli: 64_000, labels: { type: 'virtual-kubelet' } }),
    ];
    expect(tracker([limit({ cpu: 10 })], used).check(node(1), 20).allowed).toBe(8);
  });

  it('allow nothing when more is in use than allowed', () => {
    expect(tracker([limit({ cpu: 1 })], [node(4)]).check(node(1), 1).allowed).toBe(0);
  });

  it('count GPUs by their type, also of a node whose driver is not ready', () => {
    const labels = { [GPU_LABEL]: 'a100' };
    const fitted = node(4, { labels, allocatable: { 'nvidia.com/gpu': 2 } });
    const bare = node(4, { labels });
    const quota = limit({ a100: 6 });
    expect(tracker([quota], [fitted]).check(fitted, 9).allowed).toBe(2);
    expect(tracker([quota], [bare], fitted).check(fitted, 9).allowed).toBe(2);
    expect(tracker([quota], [bare]).check(fitted, 9).allowed).toBe(3);
  });

  it('of the whole cluster come from the flags', () => {
    const limits: ResourceLimits = {
      ...DEFAULT_RESOURCE_LIMITS,
      maxCores: 7,
      maxGpus: new Map([['a100', 2]]),
    };
    expect(clusterWideQuota(limits)).toEqual({
      id: 'cluster-wide',
      selector: null,
      limits: new Map([
        ['cpu', 7],
        ['memory', 6_400_000 * GIB],
        ['a100', 2],
      ]),
    });
  });
});

describe('GPU labels of metrics', () => {
  const labelled = (type: string) => ({ labels: { [GPU_LABEL]: type } });
  const gpu = { allocatable: { 'nvidia.com/gpu': 1 } };
  it.each([
    ['no GPU', {}, '', ''],
    ['a type', { ...labelled('a100'), ...gpu }, 'nvidia.com/gpu', 'not-listed'],
    ['GPUs without label', gpu, 'nvidia.com/gpu', 'generic'],
    ['a label without GPUs', labelled('a100'), '', 'missing-gpu'],
  ])('with %s', (_, options, resource, name) => {
    const labels = gpuMetricLabels(buildNode('n', options), GPU_LABEL);
    expect(labels).toEqual({ gpu_resource_name: resource, gpu_name: name });
  });
});
