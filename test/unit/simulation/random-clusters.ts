import fc from 'fast-check';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import { HOSTNAME_LABEL } from '../../../src/domain/kubernetes/labels.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../../src/domain/kubernetes/pod.js';
import type { LabelSelector, NodeSelector, Requirement } from '../../../src/domain/kubernetes/selectors.js';
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
  rack: fc.option(fc.constantFrom('r1', 'r2')),
  features: fc.constantFrom([], [], ['UserNamespacesHostNetworkSupport']),
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
      labels: {
        ...(parts.zone !== null && { zone: parts.zone }),
        ...(parts.rack !== null && { rack: parts.rack }),
      },
      declaredFeatures: parts.features,
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

const label = fc.constantFrom('a', 'b');
const podLabels = fc
  .record({ app: fc.option(label, { freq: 5 }), tier: fc.option(label, { freq: 2 }) })
  .map(({ app, tier }): Record<string, string> => ({
    ...(app !== null && { app }),
    ...(tier !== null && { tier }),
  }));

/** Room for everything; zone, rack and a taint only. */
export const arbitraryRoomyNode = (name: string): fc.Arbitrary<Node> =>
  fc
    .record({
      zone: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 6 }),
      rack: fc.option(fc.constantFrom('r1', 'r2'), { freq: 4 }),
      isTainted: fc.constantFrom(false, false, false, true),
      isNamed: fc.constantFrom(true, true, true, true, false),
    })
    .map(({ zone: own, rack, isTainted, isNamed }) => {
      const node = buildNode(name, {
        labels: { ...(own !== null && { zone: own }), ...(rack !== null && { rack }) },
        taints: isTainted ? [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }] : [],
      });
      const labels = new Map(node.labels);
      if (!isNamed) labels.delete(HOSTNAME_LABEL);
      return { ...node, labels };
    });

/** As selectors are written, with the odd ones. */
const labelSelector: fc.Arbitrary<LabelSelector | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 8, arbitrary: label.map((app) => selector({ app })) },
  { weight: 1, arbitrary: fc.constant(selector({})) },
  {
    weight: 1,
    arbitrary: label.map((tier) => selector({}, { key: 'tier', operator: 'NotIn', values: [tier] })),
  },
  {
    weight: 2,
    arbitrary: label.map((app) => selector({ app }, { key: 'tier', operator: 'In', values: ['a', 'b'] })),
  },
  { weight: 1, arbitrary: fc.constant(selector({}, { key: 'tier', operator: 'Exists', values: [] })) },
);

function selector(matchLabels: Record<string, string>, ...matchExpressions: Requirement[]): LabelSelector {
  return { matchLabels: new Map(Object.entries(matchLabels)), matchExpressions };
}

const topologyKey = fc.constantFrom('zone', 'rack', HOSTNAME_LABEL);
const policy = fc.constantFrom('Honor', 'Ignore');

export const arbitraryConstraint: fc.Arbitrary<TopologySpreadConstraint> = fc.record({
  topologyKey,
  maxSkew: fc.integer({ min: 1, max: 2 }),
  minDomains: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
  selector: labelSelector,
  nodeAffinityPolicy: policy,
  nodeTaintsPolicy: policy,
});

export const arbitraryTerm: fc.Arbitrary<PodAffinityTerm> = fc.record({
  topologyKey,
  selector: labelSelector,
  namespaces: fc.constantFrom([], [], ['default'], ['other'], ['default', 'other']),
  namespaceSelector: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    fc.constant(selector({})),
    fc.constant(selector({ team: 'red' })),
    fc.constant(selector({}, { key: 'team', operator: 'NotIn', values: ['red'] })),
  ),
});

export const NAMESPACES = new Map([
  ['default', new Map([['team', 'red']])],
  ['other', new Map([['team', 'blue']])],
]);

const rules = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ topologySpread: fc.array(arbitraryConstraint, { maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ podAffinity: fc.array(arbitraryTerm, { maxLength: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ podAntiAffinity: fc.array(arbitraryTerm, { maxLength: 2 }) }) },
);

const namespace = fc.constantFrom('default', 'default', 'default', 'other', 'unknown');

/** Pods that ask for nothing but to stand well with others. */
export const arbitraryRuledPod: fc.Arbitrary<Pod> = fc
  .record({
    namespace,
    labels: podLabels,
    isTerminating: fc.constantFrom(false, false, false, true),
    zone: fc.constantFrom(null, null, null, null, 'a', 'b'),
    tolerates: fc.boolean(),
    rules,
  })
  .map(({ namespace: own, labels, isTerminating, zone: wanted, tolerates, rules: ruled }) =>
    buildPod('p', {
      namespace: own,
      labels,
      deletionMs: isTerminating ? 1 : null,
      shape: {
        tolerations: tolerates ? [{ key: 'dedicated', operator: 'Exists', value: '', effect: '' }] : [],
        nodeSelector: new Map(wanted === null ? [] : [['zone', wanted]]),
        ...ruled,
      },
    }),
  );

/** Pods with rules about other pods; few rules for each, so that many of them fit somewhere. */
export const arbitrarySocialPod: fc.Arbitrary<Pod> = fc
  .record({
    pod: arbitraryPod,
    namespace,
    labels: podLabels,
    isTerminating: fc.constantFrom(false, false, false, true),
    requiredFeatures: fc.constantFrom([], [], [], ['UserNamespacesHostNetworkSupport']),
    rules,
  })
  .map(({ pod, namespace: own, labels, isTerminating, requiredFeatures, rules: ruled }) =>
    buildPod('p', {
      namespace: own,
      labels,
      requests: Object.fromEntries(pod.shape.requests),
      pinnedNodeName: pod.pinnedNodeName,
      charged: pod.charged,
      deletionMs: isTerminating ? 1 : null,
      shape: {
        hostPorts: pod.shape.hostPorts,
        tolerations: pod.shape.tolerations,
        nodeSelector: pod.shape.nodeSelector,
        nodeAffinity: pod.shape.nodeAffinity,
        requiredFeatures,
        ...ruled,
      },
    }),
  );
