import { addUpcomingNodes } from '../../../src/domain/scale-up/index.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import { MINUTE, buildNode, buildPod, buildTemplate } from '../../support/builders.js';
import { notReadyNode, observe, update, withRequest } from '../readiness/cluster-world.js';

it('puts placeholders in for machines on the way and takes nodes out that have not started', () => {
  const nodes = [buildNode('ready'), notReadyNode('young', MINUTE)];
  const { state } = update(observe({ g: { nodes, targetSize: 4 } }), withRequest('g', 3, MINUTE));
  const snapshot = createSnapshot();
  for (const node of nodes) snapshot.addNode(node);
  const template = buildTemplate('g', {}, [buildPod('agent', { cpuMilli: 100 })]);
  const upcoming = addUpcomingNodes(snapshot, state, new Map([['g', template]]));
  const names = [0, 1, 2].map((index) => `template-node-for-g-1-upcoming-${index}`);
  expect(snapshot.nodeNames()).toEqual(['ready', ...names]);
  expect([...upcoming.placeholders]).toEqual(names.map((name) => [name, 'g']));
  expect(upcoming.replaced).toEqual(['young']);
  expect(snapshot.node(names[0]!)?.labels.get('kubernetes.io/hostname')).toBe(names[0]);
  const uids = names.flatMap((name) => snapshot.podsOn(name).map((pod) => pod.uid));
  expect(new Set(uids).size).toBe(3);
});

it('leaves a group without template as it is, and says so', () => {
  const nodes = [notReadyNode('young', MINUTE)];
  const { state } = update(observe({ g: { nodes, targetSize: 2 } }), withRequest('g', 2, MINUTE));
  const snapshot = createSnapshot();
  snapshot.addNode(nodes[0]!);
  expect(addUpcomingNodes(snapshot, state, new Map())).toEqual({
    placeholders: new Map(),
    replaced: [],
    withoutTemplate: ['g'],
  });
  expect(snapshot.nodeNames()).toEqual(['young']);
});
