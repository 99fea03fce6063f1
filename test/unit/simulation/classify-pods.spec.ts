import { classifyPods, highestPriorityFirst } from '../../../src/domain/simulation/classify-pods.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { NodeSelectorTerm, Requirement } from '../../../src/domain/kubernetes/selectors.js';
import { buildPod } from '../../support/builders.js';
import type { PodOptions } from '../../support/builders.js';

function sizes(pods: readonly Pod[], keys: readonly string[] | null = null): number[] {
  return classifyPods(pods, keys).classes.map((each) => each.pods.length);
}

const requirement = (key: string, ...values: string[]): Requirement => ({ key, operator: 'In', values });
const affinity = (...terms: NodeSelectorTerm[]): PodOptions => ({ shape: { nodeAffinity: { terms } } });

describe('classifyPods', () => {
  it('numbers classes in order of first sight and keeps the order of pods', () => {
    const pods = [300, 100, 300, 200, 100].map((cpuMilli, i) => buildPod(`p${i}`, { cpuMilli }));
    const { classes, classOf } = classifyPods(pods);
    expect([...classOf]).toEqual([0, 1, 0, 2, 1]);
    expect(classes.map(({ classId, pods: members }) => [classId, members.map(({ name }) => name)])).toEqual([
      [0, ['p0', 'p2']],
      [1, ['p1', 'p4']],
      [2, ['p3']],
    ]);
  });

  it('does not split pods of one ReplicaSet by what no filter reads', () => {
    // scheduling 6.L/156 (environment is not part of a record)
    const owner = { kind: 'ReplicaSet', name: 'rs' };
    const pods = ['a', 'b'].map((pod) => buildPod(pod, { owner, labels: { pod } }));
    expect(sizes(pods)).toEqual([2]);
    expect(sizes(pods, ['pod'])).toEqual([1, 1]);
  });

  it('makes as many classes as there are specs', () => {
    // scheduling 6.L/157
    const pods = Array.from({ length: 24 }, (_, i) =>
      buildPod(`p${i}`, { owner: { name: 'rs' }, cpuMilli: 1 + (i % 12) }),
    );
    expect(sizes(pods)).toEqual(Array.from({ length: 12 }, () => 2));
  });

  it('joins pods of different owners and namespaces', () => {
    const pods = [
      buildPod('a', { cpuMilli: 1, owner: { name: 'x' } }),
      buildPod('b', { cpuMilli: 1, owner: { name: 'y' }, namespace: 'other' }),
      buildPod('c', { cpuMilli: 1, requests: { 'example.com/gpu': 0 } }),
    ];
    expect(sizes(pods)).toEqual([3]);
  });

  it.each<[string, PodOptions, PodOptions]>([
    [
      'tolerations in another order, and soft ones',
      {
        shape: {
          tolerations: [
            { key: 'a', operator: '', value: 'x', effect: '' },
            { key: 'b', operator: 'Exists', value: '', effect: '' },
          ],
        },
      },
      {
        shape: {
          tolerations: [
            { key: 'c', operator: 'Exists', value: '', effect: 'PreferNoSchedule' },
            { key: 'b', operator: 'Exists', value: '', effect: '' },
            { key: 'a', operator: 'Equal', value: 'x', effect: '' },
          ],
        },
      },
    ],
    [
      'terms, requirements and values in another order',
      affinity(
        { matchExpressions: [requirement('a', '1', '2'), requirement('b', '1')], matchFields: [] },
        { matchExpressions: [], matchFields: [requirement('metadata.name', 'n1')] },
      ),
      affinity(
        { matchExpressions: [], matchFields: [requirement('metadata.name', 'n1')] },
        { matchExpressions: [requirement('b', '1'), requirement('a', '2', '1')], matchFields: [] },
      ),
    ],
  ])('sees through %s', (_, left, right) => {
    expect(sizes([buildPod('a', left), buildPod('b', right)])).toEqual([2]);
  });

  it.each<[string, PodOptions]>([
    ['request', { cpuMilli: 1 }],
    ['charge', { charged: new Map([['cpu', 5]]) }],
    ['priority', { shape: { priority: 5 } }],
    ['scheduler', { shape: { schedulerName: 'other' } }],
    ['port', { shape: { hostPorts: [{ hostIp: '0.0.0.0', protocol: 'TCP', port: 1 }] } }],
    ['toleration', { shape: { tolerations: [{ key: 'a', operator: 'Exists', value: '', effect: '' }] } }],
    ['selector', { shape: { nodeSelector: new Map([['a', 'b']]) } }],
    ['affinity without terms', { shape: { nodeAffinity: { terms: [] } } }],
    ['pin', { pinnedNodeName: 'n1' }],
    ['node', { nodeName: 'n1' }],
  ])('tells pods apart by %s', (_, options) => {
    expect(sizes([buildPod('a'), buildPod('b', options), buildPod('c')])).toEqual([2, 1]);
  });

  it('takes a missing priority for 0', () => {
    expect(sizes([buildPod('a'), buildPod('b', { shape: { priority: 0 } })])).toEqual([2]);
  });

  it('does not take different pins and nodes for one another', () => {
    const pods = [buildPod('a', { pinnedNodeName: 'n1' }), buildPod('b', { pinnedNodeName: 'n2' })];
    expect(sizes(pods)).toEqual([1, 1]);
  });
});

describe('highestPriorityFirst', () => {
  it('keeps the order among equals', () => {
    const pods = [
      buildPod('low', { shape: { priority: -1 } }),
      buildPod('none', { cpuMilli: 1 }),
      buildPod('zero', { cpuMilli: 2, shape: { priority: 0 } }),
      buildPod('high', { shape: { priority: 7 } }),
    ];
    const ordered = highestPriorityFirst(classifyPods(pods).classes);
    expect(ordered.map((each) => each.pods[0]?.name)).toEqual(['high', 'none', 'zero', 'low']);
  });
});
