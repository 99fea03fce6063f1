import type {
  NodeSelectorTermObject,
  PodSpecObject,
  RequirementObject,
  TaintObject,
  Texts,
  TolerationObject,
} from '../../reference/oracle/api-objects.js';
import { makeNode, makePod } from '../../reference/oracle/make.js';
import { runRows } from './question.js';
import type { Row } from './question.js';

const UNSCHEDULABLE = 'NodeUnschedulable: node(s) were unschedulable';
const TAINTED = 'TaintToleration: node(s) had untolerated taint(s)';
const MISMATCH = "NodeAffinity: node(s) didn't match Pod's node affinity/selector";

function taint(key: string, value: string, effect: string): TaintObject {
  return { key, value, effect };
}

function tolerating(...tolerations: TolerationObject[]) {
  return makePod('p', { spec: { tolerations } });
}

const dedicated = (effect: string) => [makeNode('n1', { taints: [taint('dedicated', 'gpu', effect)] })];
const cordoned = [makeNode('n1', { unschedulable: true })];
const graded = [makeNode('n1', { taints: [taint('sla', '950', 'NoSchedule')] })];
const cordonKey = 'node.kubernetes.io/unschedulable';
const compare = (operator: string, value: string) =>
  tolerating({ key: 'sla', operator, value, effect: 'NoSchedule' });

describe('the oracle on names, cordons and taints (6.D)', () => {
  const rows: Row[] = [
    { it: '37: rejects a cordoned node', nodes: cordoned, pod: makePod('p'), expect: UNSCHEDULABLE },
    {
      it: '38: lets a toleration of the cordon pass',
      nodes: cordoned,
      pod: tolerating({ key: cordonKey, operator: 'Exists', effect: 'NoSchedule' }),
      expect: 'fits',
    },
    {
      it: '39: a toleration of another effect does not help',
      nodes: cordoned,
      pod: tolerating({ key: cordonKey, operator: 'Exists', effect: 'NoExecute' }),
      expect: UNSCHEDULABLE,
    },
    {
      it: '40: rejects a node other than the requested one',
      pod: makePod('p', { spec: { nodeName: 'n2' } }),
      expect: "NodeName: node(s) didn't match the requested node name",
    },
    { it: '41: NoSchedule blocks', nodes: dedicated('NoSchedule'), pod: makePod('p'), expect: TAINTED },
    { it: '42: NoExecute blocks', nodes: dedicated('NoExecute'), pod: makePod('p'), expect: TAINTED },
    {
      it: '43: PreferNoSchedule does not',
      nodes: dedicated('PreferNoSchedule'),
      pod: makePod('p'),
      expect: 'fits',
    },
    {
      it: '44: operator and effect may be left out',
      nodes: dedicated('NoSchedule'),
      pod: tolerating({ key: 'dedicated', value: 'gpu' }),
      expect: 'fits',
    },
    {
      it: '45: another value is not tolerated',
      nodes: dedicated('NoSchedule'),
      pod: tolerating({ key: 'dedicated', operator: 'Equal', value: 'cpu' }),
      expect: TAINTED,
    },
    {
      it: '46: Exists without key tolerates all',
      nodes: [makeNode('n1', { taints: [taint('a', '1', 'NoSchedule'), taint('b', '2', 'NoExecute')] })],
      pod: tolerating({ operator: 'Exists' }),
      expect: 'fits',
    },
    {
      it: '47: every taint needs a toleration',
      nodes: [makeNode('n1', { taints: [taint('a', '1', 'NoSchedule'), taint('b', '2', 'NoSchedule')] })],
      pod: tolerating({ key: 'a', operator: 'Exists' }),
      expect: TAINTED,
    },
    {
      it: '48: Gt tolerates nothing while the gate is off',
      nodes: graded,
      pod: compare('Gt', '900'),
      expect: TAINTED,
    },
    ...(
      [
        ['Gt', '900', 'fits'],
        ['Lt', '900', TAINTED],
        ['Gt', '0900', TAINTED],
      ] as const
    ).map(([operator, value, expected]) => ({
      it: `49: with the gate on, ${operator} ${value}`,
      nodes: graded,
      pod: compare(operator, value),
      options: { tolerationComparison: true },
      expect: expected,
    })),
  ];
  runRows(rows);
});

function requiring(...nodeSelectorTerms: NodeSelectorTermObject[]): PodSpecObject {
  const required = { nodeSelectorTerms };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
}

function where(key: string, operator: string, ...values: string[]): RequirementObject {
  return { key, operator, values };
}

const expressions = (...matchExpressions: RequirementObject[]) => ({ matchExpressions });
const fields = (...matchFields: RequirementObject[]) => ({ matchFields });
const named = (operator: string, value: string) => where('metadata.name', operator, value);

/** [row, labels of n1, spec of the pod, expected] */
const affinity: [string, Texts, PodSpecObject, string][] = [
  ['50: a node selector must hold', { disk: 'hdd' }, { nodeSelector: { disk: 'ssd' } }, MISMATCH],
  [
    '51: selector and affinity are ANDed',
    { disk: 'ssd', zone: 'a' },
    { nodeSelector: { disk: 'ssd' }, ...requiring(expressions(where('zone', 'In', 'b'))) },
    MISMATCH,
  ],
  [
    '52: terms are ORed',
    { zone: 'a' },
    requiring(expressions(where('zone', 'In', 'b')), expressions(where('zone', 'In', 'a'))),
    'fits',
  ],
  [
    '53: expressions are ANDed',
    { zone: 'a' },
    requiring(expressions(where('zone', 'In', 'a'), where('disk', 'In', 'ssd'))),
    MISMATCH,
  ],
  ['54: NotIn holds for an absent key', {}, requiring(expressions(where('zone', 'NotIn', 'a'))), 'fits'],
  [
    '55: an empty value is present',
    { gpu: '' },
    requiring(expressions(where('gpu', 'DoesNotExist'))),
    MISMATCH,
  ],
  ['56: Gt is numeric', { cores: '10' }, requiring(expressions(where('cores', 'Gt', '5'))), 'fits'],
  ['57: Gt is strict', { cores: '5' }, requiring(expressions(where('cores', 'Gt', '5'))), MISMATCH],
  ['57: Gt needs a number', { cores: 'ten' }, requiring(expressions(where('cores', 'Gt', '5'))), MISMATCH],
  ['57: Gt needs the label', {}, requiring(expressions(where('cores', 'Gt', '5'))), MISMATCH],
  ['58: Lt is numeric', { cores: '3' }, requiring(expressions(where('cores', 'Lt', '8'))), 'fits'],
  ['58: Lt is strict', { cores: '8' }, requiring(expressions(where('cores', 'Lt', '8'))), MISMATCH],
  ['59: an empty term matches nothing', {}, requiring({}), MISMATCH],
  [
    '60: an empty term is skipped',
    { zone: 'a' },
    requiring({}, expressions(where('zone', 'In', 'a'))),
    'fits',
  ],
  ['61: no terms match nothing', {}, requiring(), MISMATCH],
  [
    '62: a name that is pinned elsewhere is filtered before',
    {},
    requiring(fields(named('In', 'n2'))),
    'NodeAffinity:  [PreFilter filtered the Node out]',
  ],
  [
    '63: names that exclude each other conflict',
    {},
    requiring(fields(named('In', 'n1'), named('In', 'n2'))),
    'NodeAffinity: pod affinity terms conflict [PreFilter failed]',
  ],
  ['64: NotIn on the name', {}, requiring(fields(named('NotIn', 'n1'))), MISMATCH],
  [
    '65: a malformed term never matches',
    { zone: 'c' },
    requiring(expressions(where('zone', 'NotIn', 'a b'))),
    MISMATCH,
  ],
  [
    '66: another term may match beside a malformed one',
    { zone: 'a' },
    requiring(expressions(where('zone', 'Gt', 'five')), expressions(where('zone', 'In', 'a'))),
    'fits',
  ],
];

describe('the oracle on node affinity (6.E)', () => {
  runRows([
    ...affinity.map(([it, labels, spec, expected]) => ({
      it,
      nodes: [makeNode('n1', { labels })],
      pod: makePod('p', { spec }),
      expect: expected,
    })),
    {
      it: '67: the scheduler configuration may add a requirement',
      pod: makePod('p'),
      options: { addedAffinity: { nodeSelectorTerms: [expressions(where('pool', 'In', 'x'))] } },
      expect: "NodeAffinity: node(s) didn't match scheduler-enforced node affinity",
    },
  ]);
});

describe('the oracle on the order of plugins and on declared features (6.J)', () => {
  const features = "NodeDeclaredFeatures: node(s) didn't match Pod's required features";
  const userNamespaces = makePod('p', { spec: { hostNetwork: true, hostUsers: false } });
  runRows([
    {
      it: '121: the first plugin that rejects is the only one reported',
      nodes: [makeNode('n1', { taints: [taint('a', '1', 'NoSchedule')] })],
      pod: makePod('p', { requests: { cpu: '100' }, spec: { nodeSelector: { x: 'y' } } }),
      expect: TAINTED,
    },
    { it: '122: user namespaces with the host network', pod: userNamespaces, expect: features },
    {
      it: '122: the same on a node that declares it',
      nodes: [makeNode('n1', { declaredFeatures: ['UserNamespacesHostNetworkSupport'] })],
      pod: userNamespaces,
      expect: 'fits',
    },
    {
      it: '123: a rule that restarts all containers',
      pod: makePod('p', { container: { restartPolicyRules: [{ action: 'RestartAllContainers' }] } }),
      expect: features,
    },
  ]);
});
