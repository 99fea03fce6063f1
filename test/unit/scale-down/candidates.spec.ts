import { findCandidates, sortCandidates } from '../../../src/domain/scale-down/candidates.js';
import { GroupIndex } from '../../../src/domain/scale-down/group-index.js';
import { DEFAULT_SCALE_DOWN_POLICY, createScaleDownMemory } from '../../../src/domain/scale-down/index.js';
import { T0, buildInstance, buildNode } from '../../support/builders.js';
import { observe } from './world.js';

describe('candidates of scale-down', () => {
  // user-cases U057
  it('are no nodes whose machine is gone or on its way out: they only outlive it', () => {
    const nodes = ['there', 'leaving', 'gone', 'unclear'].map((name) => buildNode(name));
    const instances = nodes.map(({ name, providerId }) =>
      buildInstance(name, { id: providerId, state: name === 'leaving' ? 'deleting' : 'running' }),
    );
    const observation = observe({
      nodes,
      groups: { ng: { minSize: 0, targetSize: 4, instances } },
      existenceByNode: new Map([
        ['gone', 'gone'],
        ['unclear', 'unknown'],
      ]),
    });
    const policy = DEFAULT_SCALE_DOWN_POLICY;
    const groups = new GroupIndex(observation, policy);
    const found = findCandidates(observation, { groups, policy, memory: createScaleDownMemory(T0) });
    expect(found.nodes.map(({ name }) => name)).toEqual(['there', 'unclear']);
    expect(found.others.map(({ nodeName, reason }) => [nodeName, reason.rule])).toEqual([
      ['leaving', 'CurrentlyBeingDeleted'],
      ['gone', 'CurrentlyBeingDeleted'],
    ]);
  });
});

describe('the order of candidates', () => {
  const candidate = (name: string, emptiness: number, value: number) => ({
    node: buildNode(name),
    utilization: { cpu: value, memory: 0, gpu: 0, resource: 'cpu', value },
    ready: true,
    emptiness,
  });
  const order = (candidates: ReturnType<typeof candidate>[], ...known: string[]) =>
    sortCandidates(candidates, {
      ...createScaleDownMemory(T0),
      unneededSinceMs: Object.fromEntries(known.map((name) => [name, T0])),
    }).map(({ node }) => node.name);

  // scale-down 13.11/140, 13.11/141, 13.11/142
  it('is decided by each criterion among those that the one before leaves equal', () => {
    expect(order([candidate('full', 2, 0), candidate('waiting', 1, 0), candidate('empty', 0, 0)])).toEqual([
      'empty',
      'waiting',
      'full',
    ]);
    const equals = [candidate('a', 2, 0.1), candidate('b', 2, 0.3), candidate('c', 2, 0.2)];
    expect(order(equals, 'b')).toEqual(['b', 'a', 'c']);
    expect(order([...equals, candidate('e', 0, 0.4)], 'b')).toEqual(['e', 'b', 'a', 'c']);
  });

  it('is that of the names where nothing tells nodes apart', () => {
    expect(order([candidate('b', 0, 0), candidate('a', 0, 0)])).toEqual(['a', 'b']);
  });
});
