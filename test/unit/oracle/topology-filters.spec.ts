import type {
  NodeObject,
  PodAffinityTermObject,
  PodObject,
  Texts,
} from '../../reference/oracle/api-objects.js';
import {
  makeNode,
  makePod,
  makeSpread,
  makeTerm,
  selectLabels,
  withAffinity,
  withAntiAffinity,
} from '../../reference/oracle/make.js';
import { runRows } from './question.js';
import type { Row } from './question.js';

const HOSTNAME = 'kubernetes.io/hostname';
const SKEWED = "PodTopologySpread: node(s) didn't match pod topology spread constraints";

const web = (name: string, parts: Parameters<typeof makePod>[1] = {}) =>
  makePod(name, { labels: { app: 'w' }, ...parts });
const webs = (count: number) => Array.from({ length: count }, (_, index) => web(`w${index.toString()}`));
const zoned = (zone: string, labels: Texts = {}) => makeNode(`n${zone}`, { labels: { zone, ...labels } });
const [na, nb, nc] = [zoned('a'), zoned('b'), zoned('c')];

/** Incoming app=w with one constraint. */
function spreading(
  parts: Parameters<typeof makeSpread>[0] = {},
  pod: Parameters<typeof makePod>[1] = {},
): PodObject {
  return web('p', { ...pod, spec: { topologySpreadConstraints: [makeSpread(parts)], ...pod?.spec } });
}

/** Zones a and b with that many pods, the pod into zone a. */
function skew(it: string, counts: [number, number], pod: PodObject, expected: string): Row {
  return {
    it,
    nodes: [na, nb],
    placed: { na: webs(counts[0]), nb: webs(counts[1]) },
    pod,
    on: 'na',
    expect: expected,
  };
}

const oneEach = { na: webs(1), nb: webs(1) };
const tainted = makeNode('nc', {
  labels: { zone: 'c' },
  taints: [{ key: 'x', value: '', effect: 'NoSchedule' }],
});
const revision = (rev: string) => ({ app: 'w', rev });

describe('the oracle on topology spread (6.G)', () => {
  const selected = { spec: { nodeSelector: { pool: 'x' } } };
  const pooled = [zoned('a', { pool: 'x' }), zoned('b', { pool: 'x' }), nc];
  runRows([
    skew('75: into the fuller zone', [1, 0], spreading(), SKEWED),
    { ...skew('75: into the emptier zone', [1, 0], spreading(), 'fits'), on: 'nb' },
    {
      it: '76: without the label',
      pod: spreading(),
      expect: `${SKEWED} (missing required label)`,
    },
    skew('77: fewer domains than asked', [1, 1], spreading({ minDomains: 3 }), SKEWED),
    skew('78: without minDomains', [1, 1], spreading(), 'fits'),
    {
      it: '79: a zone that the pod can not use is no domain',
      nodes: pooled,
      placed: oneEach,
      pod: spreading({}, selected),
      on: 'na',
      expect: 'fits',
    },
    {
      it: '79: it is one when the policy says so',
      nodes: pooled,
      placed: oneEach,
      pod: spreading({ nodeAffinityPolicy: 'Ignore' }, selected),
      on: 'na',
      expect: SKEWED,
    },
    {
      it: '80: a tainted zone is a domain',
      nodes: [na, nb, tainted],
      placed: oneEach,
      pod: spreading(),
      on: 'na',
      expect: SKEWED,
    },
    {
      it: '80: unless taints are honoured',
      nodes: [na, nb, tainted],
      placed: oneEach,
      pod: spreading({ nodeTaintsPolicy: 'Honor' }),
      on: 'na',
      expect: 'fits',
    },
    {
      ...skew('81: terminating pods', [0, 0], spreading(), 'fits'),
      placed: { na: [web('t', { terminating: true })] },
    },
    {
      ...skew('82: other namespaces', [0, 0], spreading(), 'fits'),
      placed: { na: [web('o', { namespace: 'other' })] },
    },
    skew('83: a soft constraint', [5, 0], spreading({ whenUnsatisfiable: 'ScheduleAnyway' }), 'fits'),
    skew('84: a null selector', [5, 0], spreading({ labelSelector: null }), 'fits'),
    skew('85: an empty selector', [5, 0], spreading({ labelSelector: {} }), 'fits'),
    skew('86: a pod that does not count itself', [1, 0], spreading({}, { labels: { app: 'other' } }), 'fits'),
    {
      ...skew(
        '87: another revision',
        [0, 0],
        spreading({ matchLabelKeys: ['rev'] }, { labels: revision('2') }),
        'fits',
      ),
      placed: { na: [makePod('e', { labels: revision('1') })] },
    },
    {
      ...skew(
        '87: the same revision',
        [0, 0],
        spreading({ matchLabelKeys: ['rev'] }, { labels: revision('1') }),
        SKEWED,
      ),
      placed: { na: [makePod('e', { labels: revision('1') })] },
    },
    {
      it: '88: pods on a node without all keys do not count',
      nodes: [
        na,
        makeNode('na2', { labels: { zone: 'a', rack: 'r1' } }),
        makeNode('nb', { labels: { zone: 'b', rack: 'r2' } }),
      ],
      placed: { na: webs(3) },
      pod: web('p', {
        spec: { topologySpreadConstraints: [makeSpread(), makeSpread({ topologyKey: 'rack' })] },
      }),
      on: 'na2',
      expect: 'fits',
    },
  ]);
});

const APART = "InterPodAffinity: node(s) didn't match pod anti-affinity rules";
const TOGETHER = "InterPodAffinity: node(s) didn't match pod affinity rules";
const SYMMETRY = "InterPodAffinity: node(s) didn't satisfy existing pods anti-affinity rules";

const perHost = (parts: PodAffinityTermObject = {}) => makeTerm({ topologyKey: HOSTNAME, ...parts });
const avoiding = (...terms: PodAffinityTermObject[]) => makePod('p', { spec: withAntiAffinity(...terms) });
const joining = (labels: Texts, ...terms: PodAffinityTermObject[]) =>
  makePod('p', { labels, spec: withAffinity(...terms) });
const hermit = (namespace: string, parts: PodAffinityTermObject = {}) =>
  makePod('e', { namespace, spec: withAntiAffinity(perHost(parts)) });

const zones: readonly NodeObject[] = [na, nb];
const namespaces = [
  { metadata: { name: 'y', labels: { team: 'red' } } },
  { metadata: { name: 'a1', labels: { 'kubernetes.io/metadata.name': 'a1' } } },
];
const notA1 = {
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a1'] }],
};
const union = avoiding(perHost({ namespaces: ['x'], namespaceSelector: selectLabels({ team: 'red' }) }));
const spreadNamespaces = {
  na: [web('one', { namespace: 'x' })],
  nb: [web('two', { namespace: 'y' })],
  nc: [web('three')],
};

describe('the oracle on inter-pod affinity (6.H)', () => {
  runRows([
    { it: '89: the same host', placed: { n1: webs(1) }, pod: avoiding(perHost()), expect: APART },
    {
      it: '90: the same zone',
      nodes: [na, makeNode('na2', { labels: { zone: 'a' } })],
      placed: { na2: webs(1) },
      pod: avoiding(makeTerm()),
      on: 'na',
      expect: APART,
    },
    {
      it: '91: anti-affinity without the label',
      placed: { n1: webs(1) },
      pod: avoiding(makeTerm()),
      expect: 'fits',
    },
    {
      it: '91: affinity without the label',
      placed: { n1: webs(1) },
      pod: joining({}, makeTerm()),
      expect: TOGETHER,
    },
    {
      it: '92: into its zone',
      nodes: zones,
      placed: { na: webs(1) },
      pod: joining({}, makeTerm()),
      on: 'na',
      expect: 'fits',
    },
    {
      it: '92: into another',
      nodes: zones,
      placed: { na: webs(1) },
      pod: joining({}, makeTerm()),
      on: 'nb',
      expect: TOGETHER,
    },
    {
      it: '93: the first of its group',
      nodes: zones,
      pod: joining({ app: 'w' }, makeTerm()),
      on: 'na',
      expect: 'fits',
    },
    {
      it: '94: first, but of no group',
      nodes: zones,
      pod: joining({ app: 'x' }, makeTerm()),
      on: 'na',
      expect: TOGETHER,
    },
    {
      it: '95: a pod outside every domain leaves the first place open',
      nodes: [na, makeNode('n1')],
      placed: { n1: webs(1) },
      pod: joining({ app: 'w' }, makeTerm()),
      on: 'na',
      expect: 'fits',
    },
    { it: '96: symmetry', placed: { n1: [hermit('default')] }, pod: web('p'), expect: SYMMETRY },
    { it: '97: in its own namespace only', placed: { n1: [hermit('prod')] }, pod: web('p'), expect: 'fits' },
    {
      it: '98: in all namespaces',
      placed: { n1: [hermit('prod', { namespaceSelector: {} })] },
      pod: web('p'),
      expect: SYMMETRY,
    },
    ...(
      [
        ['na', APART],
        ['nb', APART],
        ['nc', 'fits'],
      ] as const
    ).map(([on, expected]) => ({
      it: `99: namespaces and their selector are a union, on ${on}`,
      nodes: [na, nb, nc],
      namespaces,
      placed: spreadNamespaces,
      pod: union,
      on,
      expect: expected,
    })),
    {
      it: '100: a negative namespace selector excludes',
      namespaces,
      placed: { n1: [web('e', { namespace: 'a1' })] },
      pod: avoiding(perHost({ namespaceSelector: notA1 })),
      expect: 'fits',
    },
    {
      it: '101: a null selector',
      placed: { n1: webs(1) },
      pod: avoiding(perHost({ labelSelector: null })),
      expect: 'fits',
    },
    {
      it: '102: terminating pods count',
      placed: { n1: [web('t', { terminating: true })] },
      pod: avoiding(perHost()),
      expect: APART,
    },
    {
      it: '103: one pod must match all terms',
      nodes: [na],
      placed: { na: [web('w'), makePod('d', { labels: { tier: 'db' } })] },
      pod: joining({ app: 'w' }, makeTerm(), makeTerm({ labelSelector: selectLabels({ tier: 'db' }) })),
      on: 'na',
      expect: TOGETHER,
    },
  ]);
});
