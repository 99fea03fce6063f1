import { HOSTNAME_LABEL } from '../../../src/domain/kubernetes/labels.js';
import type { Labels } from '../../../src/domain/kubernetes/labels.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../../src/domain/kubernetes/pod.js';
import type { LabelSelector, Requirement } from '../../../src/domain/kubernetes/selectors.js';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import { buildNode, buildPod } from '../../support/builders.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';

const SKEW = "node(s) didn't match pod topology spread constraints";
const AFFINITY = "node(s) didn't match pod affinity rules";
const ANTI_AFFINITY = "node(s) didn't match pod anti-affinity rules";
const REPELLED = "node(s) didn't satisfy existing pods anti-affinity rules";

function selector(matchLabels: Record<string, string>, ...matchExpressions: Requirement[]): LabelSelector {
  return { matchLabels: new Map(Object.entries(matchLabels)), matchExpressions };
}

const W = selector({ app: 'w' });

function spread(fields: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return {
    topologyKey: 'zone',
    maxSkew: 1,
    minDomains: null,
    selector: W,
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
    ...fields,
  };
}

function term(topologyKey: string, fields: Partial<PodAffinityTerm> = {}): PodAffinityTerm {
  return { topologyKey, selector: W, namespaces: [], namespaceSelector: null, ...fields };
}

interface Place {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

/** A node of a zone with pods of app w, unless said otherwise. */
function place(
  name: string,
  zone: string | null,
  pods: readonly PodOptions[] = [],
  options: NodeOptions = {},
): Place {
  const labels = { ...(zone !== null && { zone }), ...options.labels };
  return {
    node: buildNode(name, { ...options, labels }),
    pods: pods.map((pod, i) => buildPod(`${name}-${i}`, { labels: { app: 'w' }, ...pod })),
  };
}

const w = (count: number): PodOptions[] => Array.from({ length: count }, () => ({}));

interface Case {
  readonly places: readonly Place[];
  readonly pod: PodOptions;
  /** By node: the reason, or null where the pod fits. */
  readonly expected: Readonly<Record<string, string | null>>;
  readonly namespaces?: ReadonlyMap<string, Labels>;
}

function judge({ places, pod, expected, namespaces = new Map() }: Case) {
  const snapshot = createSnapshot({ namespaces });
  for (const { node, pods } of places) snapshot.addNode(node, pods);
  const incoming = buildPod('incoming', { labels: { app: 'w' }, ...pod });
  return Object.fromEntries(
    Object.keys(expected).map((name) => {
      const verdict = snapshot.check(incoming, name);
      return [
        name,
        verdict.fit ? null : `${verdict.plugin}: ${verdict.reasons.map(({ text }) => text).join()}`,
      ];
    }),
  );
}

function inPlugin(plugin: string, expected: Case['expected']) {
  return Object.fromEntries(
    Object.entries(expected).map(([name, text]) => [name, text === null ? null : `${plugin}: ${text}`]),
  );
}

describe('PodTopologySpread', () => {
  const hard = (fields: Partial<TopologySpreadConstraint> = {}): PodOptions => ({
    shape: { topologySpread: [spread(fields)] },
  });
  const tainted = { taints: [{ key: 'x', value: '', effect: 'NoSchedule' as const }] };
  const rev = (value: string): Record<string, string> => ({ app: 'w', rev: value });

  it.each<[string, Case]>([
    // scheduling 6.G/75
    [
      'keeps the skew to the emptiest zone',
      { places: [place('na', 'a', w(1)), place('nb', 'b')], pod: hard(), expected: { na: SKEW, nb: null } },
    ],
    // scheduling 6.G/76
    [
      'wants the label',
      { places: [place('n1', null)], pod: hard(), expected: { n1: `${SKEW} (missing required label)` } },
    ],
    // scheduling 6.G/77
    [
      'counts missing zones as empty',
      {
        places: [place('na', 'a', w(1)), place('nb', 'b', w(1))],
        pod: hard({ minDomains: 3 }),
        expected: { na: SKEW },
      },
    ],
    // scheduling 6.G/78
    [
      'misses no zone unless told to',
      { places: [place('na', 'a', w(1)), place('nb', 'b', w(1))], pod: hard(), expected: { na: null } },
    ],
    // scheduling 6.G/79
    [
      'leaves out nodes that the pod does not select',
      {
        places: [
          place('na', 'a', w(1), { labels: { pool: 'x' } }),
          place('nb', 'b', w(1), { labels: { pool: 'x' } }),
          place('nc', 'c'),
        ],
        pod: { shape: { topologySpread: [spread()], nodeSelector: new Map([['pool', 'x']]) } },
        expected: { na: null },
      },
    ],
    // scheduling 6.G/79
    [
      'counts nodes that the pod does not select where it is told to ignore that',
      {
        places: [
          place('na', 'a', w(1), { labels: { pool: 'x' } }),
          place('nb', 'b', w(1), { labels: { pool: 'x' } }),
          place('nc', 'c'),
        ],
        pod: {
          shape: {
            topologySpread: [spread({ nodeAffinityPolicy: 'Ignore' })],
            nodeSelector: new Map([['pool', 'x']]),
          },
        },
        expected: { na: SKEW },
      },
    ],
    // scheduling 6.G/80
    [
      'counts tainted nodes',
      {
        places: [place('na', 'a', w(1)), place('nb', 'b', w(1)), place('nc', 'c', [], tainted)],
        pod: hard(),
        expected: { na: SKEW },
      },
    ],
    // scheduling 6.G/80
    [
      'leaves out tainted nodes where taints are honoured',
      {
        places: [place('na', 'a', w(1)), place('nb', 'b', w(1)), place('nc', 'c', [], tainted)],
        pod: hard({ nodeTaintsPolicy: 'Honor' }),
        expected: { na: null },
      },
    ],
    // scheduling 6.G/81
    [
      'does not count terminating pods',
      {
        places: [place('na', 'a', [{ deletionMs: 1 }]), place('nb', 'b')],
        pod: hard(),
        expected: { na: null },
      },
    ],
    // scheduling 6.G/82
    [
      'counts its own namespace only',
      {
        places: [place('na', 'a', [{ namespace: 'other' }]), place('nb', 'b')],
        pod: hard(),
        expected: { na: null },
      },
    ],
    // scheduling 6.G/83 (soft constraints are not part of a record)
    [
      'lets soft constraints be',
      { places: [place('na', 'a', w(5)), place('nb', 'b')], pod: {}, expected: { na: null } },
    ],
    // scheduling 6.G/84
    [
      'matches nothing without a selector',
      {
        places: [place('na', 'a', w(5)), place('nb', 'b')],
        pod: hard({ selector: null }),
        expected: { na: null },
      },
    ],
    // scheduling 6.G/85
    [
      'counts no pods for the empty selector',
      {
        places: [place('na', 'a', w(5)), place('nb', 'b')],
        pod: hard({ selector: selector({}) }),
        expected: { na: null },
      },
    ],
    // scheduling 6.G/86
    [
      'does not count a pod that does not match itself',
      {
        places: [place('na', 'a', w(1)), place('nb', 'b')],
        pod: { ...hard(), labels: { app: 'other' } },
        expected: { na: null },
      },
    ],
    // scheduling 6.G/87 (the key is merged into the selector when the pod is read)
    [
      'tells revisions apart',
      {
        places: [place('na', 'a', [{ labels: rev('1') }]), place('nb', 'b')],
        pod: {
          labels: rev('2'),
          ...hard({ selector: selector({ app: 'w' }, { key: 'rev', operator: 'In', values: ['2'] }) }),
        },
        expected: { na: null },
      },
    ],
    // scheduling 6.G/87
    [
      'counts the own revision',
      {
        places: [place('na', 'a', [{ labels: rev('1') }]), place('nb', 'b')],
        pod: {
          labels: rev('1'),
          ...hard({ selector: selector({ app: 'w' }, { key: 'rev', operator: 'In', values: ['1'] }) }),
        },
        expected: { na: SKEW },
      },
    ],
    // scheduling 6.G/88
    [
      'does not count pods on a node that lacks any of the keys',
      {
        places: [
          place('na', 'a', w(3)),
          place('na2', 'a', [], { labels: { rack: 'r1' } }),
          place('nb', 'b', [], { labels: { rack: 'r2' } }),
        ],
        pod: { shape: { topologySpread: [spread(), spread({ topologyKey: 'rack' })] } },
        expected: { na2: null },
      },
    ],
  ])('%s', (_, given) => {
    expect(judge(given)).toEqual(inPlugin('PodTopologySpread', given.expected));
  });
});

describe('InterPodAffinity', () => {
  const avoid = (...terms: PodAffinityTerm[]): PodOptions => ({ shape: { podAntiAffinity: terms } });
  const seek = (...terms: PodAffinityTerm[]): PodOptions => ({ shape: { podAffinity: terms } });
  const hostile = (namespace: string, fields: Partial<PodAffinityTerm> = {}): PodOptions => ({
    namespace,
    labels: {},
    ...avoid(term(HOSTNAME_LABEL, fields)),
  });

  it.each<[string, Case]>([
    // scheduling 6.H/89
    [
      'keeps off the node of pods to avoid',
      {
        places: [place('n1', null, w(1))],
        pod: avoid(term(HOSTNAME_LABEL)),
        expected: { n1: ANTI_AFFINITY },
      },
    ],
    // scheduling 6.H/90
    [
      'keeps out of the zone of pods to avoid',
      {
        places: [place('na', 'a'), place('na2', 'a', w(1))],
        pod: avoid(term('zone')),
        expected: { na: ANTI_AFFINITY },
      },
    ],
    // scheduling 6.H/91
    [
      'avoids nothing on a node without the label',
      { places: [place('n1', null, w(1))], pod: avoid(term('zone')), expected: { n1: null } },
    ],
    // scheduling 6.H/91
    [
      'seeks nothing on a node without the label',
      { places: [place('n1', null, w(1))], pod: seek(term('zone')), expected: { n1: AFFINITY } },
    ],
    // scheduling 6.H/92
    [
      'goes where the pods are that it seeks',
      {
        places: [place('na', 'a', w(1)), place('nb', 'b')],
        pod: seek(term('zone')),
        expected: { na: null, nb: AFFINITY },
      },
    ],
    // scheduling 6.H/93
    [
      'may be the first of its kind',
      { places: [place('na', 'a')], pod: seek(term('zone')), expected: { na: null } },
    ],
    // scheduling 6.H/94
    [
      'can not be the first of another kind',
      {
        places: [place('na', 'a')],
        pod: { ...seek(term('zone')), labels: { app: 'other' } },
        expected: { na: AFFINITY },
      },
    ],
    // scheduling 6.H/95
    [
      'is still the first where the others stand outside of all zones',
      {
        places: [place('na', 'a'), place('n1', null, w(1))],
        pod: seek(term('zone')),
        expected: { na: null },
      },
    ],
    // scheduling 6.H/96
    [
      'is kept off by those that avoid it',
      { places: [place('na', 'a', [hostile('default')])], pod: {}, expected: { na: REPELLED } },
    ],
    // scheduling 6.H/97
    [
      'is not meant by terms of another namespace',
      { places: [place('na', 'a', [hostile('prod')])], pod: {}, expected: { na: null } },
    ],
    // scheduling 6.H/98
    [
      'is meant by terms for all namespaces',
      {
        places: [place('na', 'a', [hostile('prod', { namespaceSelector: selector({}) })])],
        pod: {},
        expected: { na: REPELLED },
      },
    ],
    // scheduling 6.H/99
    [
      'takes named and selected namespaces together, and not its own',
      {
        places: [
          place('na', 'a', [{ namespace: 'x' }]),
          place('nb', 'b', [{ namespace: 'y' }]),
          place('nc', 'c', [{ namespace: 'default' }]),
        ],
        pod: avoid(term(HOSTNAME_LABEL, { namespaces: ['x'], namespaceSelector: selector({ team: 'red' }) })),
        namespaces: new Map([['y', new Map([['team', 'red']])]]),
        expected: { na: ANTI_AFFINITY, nb: ANTI_AFFINITY, nc: null },
      },
    ],
    // scheduling 6.H/100
    [
      'leaves out the namespaces that a selector excludes',
      {
        places: [place('na', 'a', [{ namespace: 'a1' }])],
        pod: avoid(
          term(HOSTNAME_LABEL, {
            namespaceSelector: selector(
              {},
              { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a1'] },
            ),
          }),
        ),
        namespaces: new Map([['a1', new Map([['kubernetes.io/metadata.name', 'a1']])]]),
        expected: { na: null },
      },
    ],
    // scheduling 6.H/101
    [
      'avoids nothing without a selector',
      {
        places: [place('na', 'a', w(1))],
        pod: avoid(term(HOSTNAME_LABEL, { selector: null })),
        expected: { na: null },
      },
    ],
    // scheduling 6.H/102
    [
      'avoids pods that still terminate',
      {
        places: [place('na', 'a', [{ deletionMs: 1 }])],
        pod: avoid(term(HOSTNAME_LABEL)),
        expected: { na: ANTI_AFFINITY },
      },
    ],
    // scheduling 6.H/103
    [
      'wants one pod that is all that it seeks',
      {
        places: [place('na', 'a', [{}, { labels: { tier: 'db' } }])],
        pod: seek(term('zone'), term('zone', { selector: selector({ tier: 'db' }) })),
        expected: { na: AFFINITY },
      },
    ],
    [
      'can not be read with an unknown operator',
      {
        places: [place('na', 'a')],
        pod: avoid(term('zone', { selector: selector({}, { key: 'k', operator: 'Like', values: ['v'] }) })),
        expected: { na: 'parsing pod: malformed requirement on "k"' },
      },
    ],
  ])('%s', (_, given) => {
    expect(judge(given)).toEqual(inPlugin('InterPodAffinity', given.expected));
  });

  it('drops terms of existing pods that can not be read', () => {
    const bad = term('zone', { selector: selector({}, { key: 'k', operator: 'Like', values: ['v'] }) });
    const places = [place('na', 'a', [avoid(bad)])];
    expect(judge({ places, pod: {}, expected: { na: null } })).toEqual({ na: null });
  });
});

describe('domains that are about to come', () => {
  const pod = buildPod('p', { labels: { app: 'w' }, shape: { topologySpread: [spread()] } });
  const cluster = () => {
    const snapshot = createSnapshot();
    for (const { node, pods } of [place('a', 'za', w(1)), place('b', 'zb', w(1))])
      snapshot.addNode(node, pods);
    return snapshot;
  };

  it.each([
    ['count as empty', [buildNode('new', { labels: { zone: 'zc' } })], false],
    ['that are there change nothing', [buildNode('new', { labels: { zone: 'zb' } })], true],
    ['without the label change nothing', [buildNode('new')], true],
  ])('%s', (_what, nodes, fits) => {
    const fresh = cluster();
    fresh.expectDomainsOf(nodes);
    expect(fresh.check(pod, 'a').fit).toBe(fits);
    // The rule is known by now.
    const known = cluster();
    expect(known.check(pod, 'a').fit).toBe(true);
    known.expectDomainsOf(nodes);
    expect(known.check(pod, 'a').fit).toBe(fits);
    known.expectDomainsOf([]);
    expect(known.check(pod, 'a').fit).toBe(true);
  });

  it('are no hosts', () => {
    const snapshot = cluster();
    const rule = spread({ topologyKey: HOSTNAME_LABEL });
    snapshot.expectDomainsOf([buildNode('new')]);
    const host = buildPod('h', { labels: { app: 'w' }, shape: { topologySpread: [rule] } });
    expect(snapshot.check(host, 'a').fit).toBe(true);
  });
});

describe('NodeDeclaredFeatures', () => {
  const pod = { shape: { requiredFeatures: ['UserNamespacesHostNetworkSupport'] } };

  it.each<[string, readonly string[], string | null]>([
    // scheduling 6.J/122
    ['misses a feature', [], "NodeDeclaredFeatures: node(s) didn't match Pod's required features"],
    ['finds it', ['UserNamespacesHostNetworkSupport', 'Unknown'], null],
  ])('%s', (_, declaredFeatures, expected) => {
    const places = [place('n1', null, [], { declaredFeatures })];
    expect(judge({ places, pod, expected: { n1: null } })).toEqual({ n1: expected });
  });
});

describe('DynamicResources', () => {
  it('rejects pods with resource claims everywhere, before any node is looked at', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n1', { unschedulable: true }));
    const claiming = buildPod('p', { shape: { hasResourceClaims: true } });
    expect(snapshot.check(claiming, 'n1')).toMatchObject({
      plugin: 'DynamicResources',
      message: 'PreFilter failed',
    });
    expect(snapshot.placeAnywhere(claiming)).toMatchObject({ fit: false, plugin: 'DynamicResources' });
  });
});

describe('a search that failed', () => {
  const snapshotOf = (...places: readonly Place[]) => {
    const snapshot = createSnapshot();
    for (const { node, pods } of places) snapshot.addNode(node, pods);
    return snapshot;
  };
  const pod = (name: string, shape: PodOptions['shape'] = {}, app = 'w') =>
    buildPod(name, { labels: { app }, shape });

  it('is tried again when the pod that is sought has come', () => {
    const snapshot = snapshotOf(place('na', 'a'), place('nb', 'b'));
    const follower = pod('f', { podAffinity: [term('zone')] }, 'other');
    expect(snapshot.placeAnywhere(follower).fit).toBe(false);
    snapshot.addPod(pod('w'), 'nb');
    expect(snapshot.placeAnywhere(follower)).toEqual({ fit: true, nodeName: 'nb' });
  });

  it('is tried again when the emptiest zone has filled up', () => {
    const snapshot = snapshotOf(place('na', 'a', w(1)), place('nb', 'b', [], { unschedulable: true }));
    const spreading = { topologySpread: [spread()] };
    expect(snapshot.placeAnywhere(pod('s', spreading)).fit).toBe(false);
    snapshot.addPod(pod('w'), 'nb');
    expect(snapshot.placeAnywhere(pod('s', spreading))).toEqual({ fit: true, nodeName: 'na' });
  });

  it('is tried again when the emptiest zone has gone', () => {
    const snapshot = snapshotOf(place('na', 'a', w(1)), place('nb', 'b', [], { unschedulable: true }));
    const spreading = pod('s', { topologySpread: [spread()] });
    expect(snapshot.placeAnywhere(spreading).fit).toBe(false);
    snapshot.removeNode('nb');
    expect(snapshot.placeAnywhere(spreading)).toEqual({ fit: true, nodeName: 'na' });
  });

  it('is tried again when a node has gone whose pods were avoided in the zone', () => {
    const snapshot = snapshotOf(place('na', 'a'), place('na2', 'a', w(1)));
    const avoiding = pod('s', { podAntiAffinity: [term('zone')] });
    expect(snapshot.placeAnywhere(avoiding).fit).toBe(false);
    snapshot.removeNode('na2');
    expect(snapshot.placeAnywhere(avoiding)).toEqual({ fit: true, nodeName: 'na' });
  });
});
