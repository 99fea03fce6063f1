import { DEFAULT_SIMILARITY_POLICY, areSimilar } from '../../../src/domain/node-group/index.js';
import type { SimilarityPolicy } from '../../../src/domain/node-group/index.js';
import type { NodeOptions } from '../../support/builders.js';
import { buildPod, buildTemplate } from '../../support/builders.js';

const KIB = 1024;

interface Side extends NodeOptions {
  capacity?: Record<string, number>;
  usedMilli?: number;
}

function side(groupId: string, { capacity, usedMilli, ...options }: Side) {
  const pods = usedMilli === undefined ? [] : [buildPod(`agent-${groupId}`, { cpuMilli: usedMilli })];
  const template = buildTemplate(groupId, options, pods);
  if (capacity === undefined) return template;
  const resources = new Map([...template.node.capacity, ...Object.entries(capacity)]);
  return { ...template, node: { ...template.node, capacity: resources } };
}

const similar = (left: Side, right: Side, policy: Partial<SimilarityPolicy> = {}) =>
  areSimilar(side('a', left), side('b', right), { ...DEFAULT_SIMILARITY_POLICY, ...policy });

describe('similar groups', () => {
  // scale-up 14/98
  it.each<[string, Side, Side, boolean]>([
    ['equal nodes', {}, {}, true],
    [
      'memory within 1.5 %',
      { capacity: { memory: 16_116_152 * KIB } },
      { capacity: { memory: 15_944_120 * KIB } },
      true,
    ],
    ['memory 2 % apart', { capacity: { memory: 1000 } }, { capacity: { memory: 980 } }, false],
    ['another cpu capacity', { capacity: { cpu: 1000 } }, { capacity: { cpu: 1001 } }, false],
    [
      'nearly equal allocatable cpu',
      { allocatable: { cpu: 1000 }, capacity: { cpu: 1000 } },
      { allocatable: { cpu: 999 }, capacity: { cpu: 1000 } },
      true,
    ],
    [
      'half the allocatable cpu',
      { allocatable: { cpu: 1000 }, capacity: { cpu: 1000 } },
      { allocatable: { cpu: 500 }, capacity: { cpu: 1000 } },
      false,
    ],
    ['a GPU on one side', { allocatable: { 'nvidia.com/gpu': 1 } }, {}, false],
    ['other free cpu', { usedMilli: 100 }, { usedMilli: 900 }, false],
    [
      'equal free but other allocatable',
      { cpuMilli: 1000, usedMilli: 0, capacity: { cpu: 1500 } },
      { cpuMilli: 1500, usedMilli: 500, capacity: { cpu: 1500 } },
      false,
    ],
    ['other zone and host', { labels: { 'topology.kubernetes.io/zone': 'a' } }, {}, true],
    ['a label on one side', { labels: { pool: 'x' } }, {}, false],
    ['overcommitted by the same agents', { usedMilli: 5000 }, { usedMilli: 5000 }, true],
  ])('%s', (_, left, right, expected) => {
    expect(similar(left, right)).toBe(expected);
    expect(similar(right, left)).toBe(expected);
  });

  // scale-up 14/98
  it('do not mind labels that are to be ignored', () => {
    expect(similar({ labels: { pool: 'x' } }, {}, { ignoredLabels: ['pool'] })).toBe(true);
  });

  // scale-up 14/98
  it('are told by the listed labels alone where there are any', () => {
    const policy = { comparedLabels: ['pool'] };
    expect(similar({ labels: { pool: 'x' } }, { labels: { pool: 'x' }, cpuMilli: 64_000 }, policy)).toBe(
      true,
    );
    expect(similar({ labels: { pool: 'x' } }, { labels: { pool: 'y' } }, policy)).toBe(false);
    expect(similar({}, {}, policy)).toBe(false);
  });

  it('obey the ratios of the flags', () => {
    const left = { capacity: { memory: 1000 } };
    const right = { capacity: { memory: 900 } };
    expect(similar(left, right, { memoryDifferenceRatio: 0.1 })).toBe(true);
    expect(similar(left, right, { memoryDifferenceRatio: 0.09 })).toBe(false);
  });
});
