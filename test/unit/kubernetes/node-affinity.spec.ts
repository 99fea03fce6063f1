import {
  requiredNodeAffinityMatches,
  splitPinnedNode,
} from '../../../src/domain/kubernetes/node-affinity.js';
import type {
  NodeSelector,
  NodeSelectorTerm,
  Requirement,
} from '../../../src/domain/kubernetes/selectors.js';
import { buildNode, buildPod } from '../../support/builders.js';

const nameIn = (...values: string[]): Requirement => ({ key: 'metadata.name', operator: 'In', values });
const zoneA: Requirement = { key: 'zone', operator: 'In', values: ['a'] };
const term = (matchFields: Requirement[], matchExpressions: Requirement[] = []): NodeSelectorTerm => ({
  matchExpressions,
  matchFields,
});

describe('splitPinnedNode', () => {
  it('takes out the node that a DaemonSet pod is pinned to', () => {
    expect(splitPinnedNode({ terms: [term([nameIn('n1')])] })).toEqual({
      pinnedNodeName: 'n1',
      nodeAffinity: null,
    });
  });

  it('keeps what else the terms want', () => {
    const split = splitPinnedNode({ terms: [term([nameIn('n1')], [zoneA]), term([nameIn('n1')], [zoneA])] });
    expect(split).toEqual({
      pinnedNodeName: 'n1',
      nodeAffinity: { terms: [term([], [zoneA]), term([], [zoneA])] },
    });
  });

  it('wants nothing else where one of the terms wants nothing else', () => {
    const split = splitPinnedNode({ terms: [term([nameIn('n1')], [zoneA]), term([nameIn('n1')])] });
    expect(split).toEqual({ pinnedNodeName: 'n1', nodeAffinity: null });
  });

  it.each<[string, NodeSelector | null]>([
    ['no affinity', null],
    ['no term', { terms: [] }],
    ['no field', { terms: [term([], [zoneA])] }],
    ['two names', { terms: [term([nameIn('n1', 'n2')])] }],
    ['terms for different nodes', { terms: [term([nameIn('n1')]), term([nameIn('n2')])] }],
    ['a term without a name', { terms: [term([nameIn('n1')]), term([], [zoneA])] }],
    ['an empty term', { terms: [term([nameIn('n1')]), term([])] }],
    ['two fields', { terms: [term([nameIn('n1'), nameIn('n1')])] }],
    ['NotIn', { terms: [term([{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }])] }],
  ])('leaves the whole as it is: %s', (_, affinity) => {
    expect(splitPinnedNode(affinity)).toEqual({ pinnedNodeName: '', nodeAffinity: affinity });
  });
});

describe('requiredNodeAffinityMatches', () => {
  it('wants pin, selector and affinity to hold', () => {
    const pod = buildPod('p', {
      pinnedNodeName: 'n1',
      shape: { nodeSelector: new Map([['disk', 'ssd']]), nodeAffinity: { terms: [term([], [zoneA])] } },
    });
    const fitting = { disk: 'ssd', zone: 'a' };
    expect([
      requiredNodeAffinityMatches(pod, buildNode('n1', { labels: fitting })),
      requiredNodeAffinityMatches(pod, buildNode('n2', { labels: fitting })),
      requiredNodeAffinityMatches(pod, buildNode('n1', { labels: { disk: 'ssd' } })),
      requiredNodeAffinityMatches(pod, buildNode('n1', { labels: { zone: 'a' } })),
    ]).toEqual([true, false, false, false]);
  });
});
