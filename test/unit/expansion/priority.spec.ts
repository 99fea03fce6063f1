import { chooseOption, priorityEvents } from '../../../src/domain/expansion/index.js';
import type { ExpansionOption, GroupPriorities } from '../../../src/domain/expansion/index.js';
import { leastNodesExpander } from '../../../src/domain/expansion/least-nodes.js';
import { priorityExpander } from '../../../src/domain/expansion/priority.js';
import { buildTemplate } from '../../support/builders.js';

const SOURCE = { namespace: 'kube-system', name: 'cluster-autoscaler-priority-expander', uid: 'uid-1' };

function option(groupId: string, nodeCount = 1): ExpansionOption {
  const template = buildTemplate(groupId);
  const placed = { similarGroupIds: [], placed: [1], podCount: 1, requests: new Map<string, number>() };
  return { groupId, nodeCount, template, pricePerHour: null, ...placed };
}

function choose(options: readonly ExpansionOption[], priorities: GroupPriorities | null) {
  const context = {
    clusterNodes: 10,
    gpuLabel: 'example.com/gpu',
    podPrice: { perCore: 0, perGib: 0 },
    priorities,
  };
  const choice = chooseOption(options, [priorityExpander, leastNodesExpander], context, () => 0);
  const events = priorityEvents(choice, priorities).map(({ reason, message }) => `${reason}: ${message}`);
  return { best: choice?.best.groupId, events };
}

function said(...entries: [priority: number, expressions: string[]][]): GroupPriorities {
  const levels = entries.map(([priority, expressions]) => {
    const matchers = expressions.map((text) => (groupId: string) => new RegExp(text, 'u').test(groupId));
    return { priority, matchers };
  });
  return { kind: 'valid', source: SOURCE, levels };
}

// scale-up 14/100
describe('the priority expander', () => {
  const pools = [option('spot-a', 3), option('spot-b', 2), option('on-demand')];

  it.each<[string, GroupPriorities, string]>([
    ['takes the highest list', said([10, ['^spot']], [50, ['^on-demand$']]), 'on-demand'],
    ['leaves equals to the next in the chain', said([20, ['spot']], [10, ['on-demand']]), 'spot-b'],
    ['takes a group at its highest', said([5, ['.*']], [10, ['spot-a']]), 'spot-a'],
    ['knows priorities below zero', said([-7, ['spot-a']], [-9, ['.*']]), 'spot-a'],
    ['keeps all where nobody matches', said([10, ['nosuch']]), 'on-demand'],
  ])('%s', (_what, priorities, expected) => {
    expect(choose(pools, priorities).best).toBe(expected);
  });

  it('chooses nothing without a configuration, and says nothing', () => {
    expect(choose(pools, null)).toEqual({ best: 'on-demand', events: [] });
  });

  it('says which group no expression matches, and that none is matched', () => {
    expect(choose(pools, said([10, ['spot']])).events).toEqual([
      'PriorityConfigMapNotMatchedGroup: node group on-demand matches no expression and is not used',
    ]);
    expect(choose(pools, said([10, ['nosuch']])).events).toEqual([
      'PriorityConfigMapNoGroupMatched: no node group that could grow matches an expression: priorities do not choose',
    ]);
  });

  it('keeps all where the configuration is broken, and says why', () => {
    const broken: GroupPriorities = { kind: 'invalid', source: SOURCE, problem: 'it is upside down' };
    expect(choose(pools, broken)).toEqual({
      best: 'on-demand',
      events: ['PriorityConfigMapInvalid: the priorities of node groups are not used: it is upside down'],
    });
  });

  it('says nothing while there is nothing to choose', () => {
    expect(choose([option('spot-a')], said([10, ['nosuch']])).events).toEqual([]);
  });
});
