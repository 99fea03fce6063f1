import { findCandidates } from '../../../src/domain/scale-down/candidates.js';
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
