import fc from 'fast-check';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { NodeSelector } from '../../../src/domain/kubernetes/selectors.js';
import { buildNode, buildPod } from '../../support/builders.js';

/** Small random records from tiny alphabets, so that collisions are frequent. */

export const nodeName = fc.integer({ min: 0, max: 5 }).map((index) => `n${index}`);
const zone = fc.constantFrom('a', 'b');
const effect = fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'PreferNoSchedule' as const);

const nodeParts = fc.record({
  cpuMilli: fc.integer({ min: 0, max: 6 }),
  memoryBytes: fc.integer({ min: 0, max: 6 }),
  pods: fc.integer({ min: 0, max: 5 }),
  gpus: fc.constantFrom(0, 0, 2),
  zone: fc.option(zone),
  taint: fc.option(effect, { freq: 3 }),
  unschedulable: fc.constantFrom(false, false, false, true),
});

export function arbitraryNode(name: fc.Arbitrary<string>): fc.Arbitrary<Node> {
  return fc.tuple(name, nodeParts).map(([given, parts]) =>
    buildNode(given, {
      cpuMilli: parts.cpuMilli,
      memoryBytes: parts.memoryBytes,
      pods: parts.pods,
      allocatable: parts.gpus === 0 ? {} : { 'example.com/gpu': parts.gpus },
      labels: parts.zone === null ? {} : { zone: parts.zone },
      taints: parts.taint === null ? [] : [{ key: 'dedicated', value: 'x', effect: parts.taint }],
      unschedulable: parts.unschedulable,
    }),
  );
}

const affinity: fc.Arbitrary<NodeSelector | null> = fc.option(
  fc.constantFrom<NodeSelector>(
    { terms: [] },
    { terms: [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }], matchFields: [] }] },
    {
      terms: [
        {
          matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n1'] }],
          matchFields: [],
        },
      ],
    },
    {
      terms: [
        { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
        { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n3'] }] },
      ],
    },
    {
      terms: [
        { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n2'] }] },
      ],
    },
  ),
  { freq: 2 },
);

const hostPort = fc.record({
  hostIp: fc.constantFrom('0.0.0.0', '10.0.0.1', '10.0.0.2'),
  protocol: fc.constantFrom('TCP', 'UDP'),
  port: fc.constantFrom(80, 81),
});

const podParts = fc.record({
  cpuMilli: fc.integer({ min: 0, max: 4 }),
  memoryBytes: fc.integer({ min: 0, max: 3 }),
  gpus: fc.constantFrom(0, 0, 0, 1),
  hostPorts: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(hostPort, { minLength: 1, maxLength: 2 }),
  ),
  toleration: fc.option(fc.constantFrom('dedicated', 'node.kubernetes.io/unschedulable'), { freq: 2 }),
  zone: fc.option(zone, { freq: 2 }),
  nodeAffinity: affinity,
  pinnedNodeName: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, nodeName),
  charged: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
});

export const arbitraryPod: fc.Arbitrary<Pod> = podParts.map((parts) =>
  buildPod('p', {
    cpuMilli: parts.cpuMilli,
    memoryBytes: parts.memoryBytes,
    requests: parts.gpus === 0 ? {} : { 'example.com/gpu': parts.gpus },
    pinnedNodeName: parts.pinnedNodeName,
    charged: parts.charged === null ? null : new Map([['cpu', parts.charged]]),
    shape: {
      hostPorts: parts.hostPorts,
      tolerations:
        parts.toleration === null
          ? []
          : [{ key: parts.toleration, operator: 'Exists', value: '', effect: '' }],
      nodeSelector: new Map(parts.zone === null ? [] : [['zone', parts.zone]]),
      nodeAffinity: parts.nodeAffinity,
    },
  }),
);
