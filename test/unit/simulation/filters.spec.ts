import type { HostPort } from '../../../src/domain/kubernetes/pod.js';
import type { NodeSelector, Requirement } from '../../../src/domain/kubernetes/selectors.js';
import type { Taint, TaintEffect, Toleration } from '../../../src/domain/kubernetes/taint.js';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import type { SchedulingOptions } from '../../../src/domain/simulation/scheduling-options.js';
import type { Verdict } from '../../../src/domain/simulation/verdict.js';
import { buildNode, buildPod, GIB, MIB } from '../../support/builders.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';

interface Given {
  readonly node?: NodeOptions;
  readonly existing?: readonly PodOptions[];
  readonly incoming: PodOptions;
  readonly options?: SchedulingOptions;
}

/** Verdict on node n1, with reasons as texts. */
function judge({ node = {}, existing = [], incoming, options = {} }: Given): string {
  const snapshot = createSnapshot(options);
  snapshot.addNode(
    buildNode('n1', node),
    existing.map((pod, i) => buildPod(`existing-${i}`, { nodeName: 'n1', ...pod })),
  );
  return render(snapshot.check(buildPod('incoming', incoming), 'n1'));
}

function render(verdict: Verdict): string {
  if (verdict.fit) return 'fits';
  const message = verdict.message === undefined ? '' : ` [${verdict.message}]`;
  return `${verdict.plugin}: ${verdict.reasons.map(({ text }) => text).join(', ')}${message}`;
}

const cpu = (cpuMilli: number): PodOptions => ({ cpuMilli });
const fitsOrNot = (cases: readonly Given[]): string[] => cases.map(judge);

describe('NodeResourcesFit', () => {
  it.each<[string, Given, string]>([
    // scheduling 6.C/26
    ['takes a pod that fills the node', { existing: [cpu(3_000)], incoming: cpu(1_000) }, 'fits'],
    // scheduling 6.C/27
    [
      'refuses a milli too much',
      { existing: [cpu(3_000)], incoming: cpu(1_001) },
      'NodeResourcesFit: Insufficient cpu',
    ],
    // scheduling 6.C/28
    [
      'names all that is missing, in order',
      { node: { pods: 1 }, existing: [{}], incoming: { memoryBytes: 16 * GIB, cpuMilli: 8_000 } },
      'NodeResourcesFit: Too many pods, Insufficient cpu, Insufficient memory',
    ],
    // scheduling 6.C/29
    [
      'takes a pod without requests on an overcommitted node',
      { node: { cpuMilli: 1_000 }, existing: [cpu(2_000)], incoming: {} },
      'fits',
    ],
    // scheduling 6.C/30
    [
      'compares only what is asked for',
      { node: { cpuMilli: 1_000 }, existing: [cpu(2_000)], incoming: { memoryBytes: MIB } },
      'fits',
    ],
    // scheduling 6.C/31
    [
      'takes no pod on a node without slots',
      { node: { pods: 0 }, incoming: {} },
      'NodeResourcesFit: Too many pods',
    ],
    // scheduling 6.C/32
    [
      'misses a resource that the node does not list',
      { incoming: { requests: { 'example.com/gpu': 1 } } },
      'NodeResourcesFit: Insufficient example.com/gpu',
    ],
    // scheduling 6.C/33
    ['does not compare a request of zero', { incoming: { requests: { 'example.com/gpu': 0 } } }, 'fits'],
    // scheduling 6.C/34
    [
      'charges terminating pods',
      { existing: [{ cpuMilli: 4_000, deletionMs: 1 }], incoming: cpu(100) },
      'NodeResourcesFit: Insufficient cpu',
    ],
    // scheduling 6.C/35 (500u of a pod is 1m, see scheduling 6.B/24)
    [
      'sums pods as they were rounded',
      { node: { cpuMilli: 3 }, existing: [cpu(1), cpu(1), cpu(1)], incoming: cpu(1) },
      'NodeResourcesFit: Insufficient cpu',
    ],
    // scheduling 6.C/36
    [
      'compares ephemeral storage',
      { incoming: { requests: { 'ephemeral-storage': 101 * GIB } } },
      'NodeResourcesFit: Insufficient ephemeral-storage',
    ],
    [
      'charges what a resize holds, and checks what the pod asks for',
      { existing: [{ cpuMilli: 1_000, charged: new Map([['cpu', 3_500]]) }], incoming: cpu(600) },
      'NodeResourcesFit: Insufficient cpu',
    ],
    [
      'tells scalars in byte order after the others',
      { incoming: { requests: { 'b.com/x': 1, 'a.com/x': 1, memory: 9 * GIB } } },
      'NodeResourcesFit: Insufficient memory, Insufficient a.com/x, Insufficient b.com/x',
    ],
  ])('%s', (_, given, expected) => {
    expect(judge(given)).toBe(expected);
  });

  it('says how much was asked, free and there at all', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n1'), [buildPod('existing', { cpuMilli: 3_700 })]);
    expect(snapshot.check(buildPod('incoming', { cpuMilli: 750, memoryBytes: 9 * GIB }), 'n1')).toEqual({
      fit: false,
      plugin: 'NodeResourcesFit',
      reasons: [
        {
          rule: 'NodeResourcesFit',
          text: 'Insufficient cpu',
          subject: 'cpu',
          asked: '750m',
          free: '300m',
          limit: '4',
        },
        {
          rule: 'NodeResourcesFit',
          text: 'Insufficient memory',
          subject: 'memory',
          asked: '9Gi',
          free: '8Gi',
          limit: '8Gi',
        },
      ],
    });
  });
});

describe('NodeUnschedulable, NodeName, TaintToleration', () => {
  const taint = (key: string, value: string, effect: TaintEffect): Taint => ({ key, value, effect });
  const toleration = (fields: Partial<Toleration>): Toleration => ({
    key: '',
    operator: '',
    value: '',
    effect: '',
    ...fields,
  });
  const tolerating = (...tolerations: Toleration[]): PodOptions => ({ shape: { tolerations } });
  const cordon = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists' };
  const refused = 'TaintToleration: node(s) had untolerated taint(s)';
  const gpu = taint('dedicated', 'gpu', 'NoSchedule');

  it.each<[string, Given, string]>([
    // scheduling 6.D/37
    [
      'refuses a cordoned node',
      { node: { unschedulable: true }, incoming: {} },
      'NodeUnschedulable: node(s) were unschedulable',
    ],
    // scheduling 6.D/38
    [
      'takes a cordoned node for a pod that tolerates it',
      {
        node: { unschedulable: true },
        incoming: tolerating(toleration({ ...cordon, effect: 'NoSchedule' })),
      },
      'fits',
    ],
    // scheduling 6.D/39
    [
      'wants the right effect for that',
      { node: { unschedulable: true }, incoming: tolerating(toleration({ ...cordon, effect: 'NoExecute' })) },
      'NodeUnschedulable: node(s) were unschedulable',
    ],
    // scheduling 6.D/40
    [
      'keeps a pod to the node it is assigned to',
      { incoming: { nodeName: 'n2' } },
      "NodeName: node(s) didn't match the requested node name",
    ],
    ['lets an assigned pod on its node', { incoming: { nodeName: 'n1' } }, 'fits'],
    // scheduling 6.D/41
    ['refuses NoSchedule', { node: { taints: [gpu] }, incoming: {} }, refused],
    // scheduling 6.D/42
    [
      'refuses NoExecute',
      { node: { taints: [taint('dedicated', 'gpu', 'NoExecute')] }, incoming: {} },
      refused,
    ],
    // scheduling 6.D/43
    [
      'does not mind PreferNoSchedule',
      { node: { taints: [taint('dedicated', 'gpu', 'PreferNoSchedule')] }, incoming: {} },
      'fits',
    ],
    // scheduling 6.D/44
    [
      'takes Equal and all effects for granted',
      { node: { taints: [gpu] }, incoming: tolerating(toleration({ key: 'dedicated', value: 'gpu' })) },
      'fits',
    ],
    // scheduling 6.D/45
    [
      'compares values',
      {
        node: { taints: [gpu] },
        incoming: tolerating(toleration({ key: 'dedicated', operator: 'Equal', value: 'cpu' })),
      },
      refused,
    ],
    // scheduling 6.D/46
    [
      'lets an empty key with Exists tolerate everything',
      {
        node: { taints: [taint('a', '1', 'NoSchedule'), taint('b', '2', 'NoExecute')] },
        incoming: tolerating(toleration({ operator: 'Exists' })),
      },
      'fits',
    ],
    // scheduling 6.D/47
    [
      'wants every taint tolerated',
      {
        node: { taints: [taint('a', '1', 'NoSchedule'), taint('b', '2', 'NoSchedule')] },
        incoming: tolerating(toleration({ key: 'a', operator: 'Exists' })),
      },
      refused,
    ],
  ])('%s', (_, given, expected) => {
    expect(judge(given)).toBe(expected);
  });

  const comparing = (operator: string, value: string, comparisonOperators: boolean): Given => ({
    node: { taints: [taint('sla', '950', 'NoSchedule')] },
    incoming: tolerating(toleration({ key: 'sla', operator, value, effect: 'NoSchedule' })),
    options: { tolerations: { comparisonOperators } },
  });

  it('does not compare while the gate is off', () => {
    // scheduling 6.D/48
    expect(judge(comparing('Gt', '900', false))).toBe(refused);
  });

  it('compares plain integers while the gate is on', () => {
    // scheduling 6.D/49
    const cases = [comparing('Gt', '900', true), comparing('Lt', '900', true), comparing('Gt', '0900', true)];
    expect(fitsOrNot(cases)).toEqual(['fits', refused, refused]);
  });

  it('names the taint', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n1', { taints: [gpu] }));
    expect(snapshot.check(buildPod('p'), 'n1')).toMatchObject({
      reasons: [{ subject: 'dedicated=gpu:NoSchedule' }],
    });
  });
});

describe('NodeAffinity', () => {
  const refused = "NodeAffinity: node(s) didn't match Pod's node affinity/selector";
  const requirement = (key: string, operator: string, ...values: string[]): Requirement => ({
    key,
    operator,
    values,
  });
  const terms = (...lists: Requirement[][]): NodeSelector => ({
    terms: lists.map((matchExpressions) => ({ matchExpressions, matchFields: [] })),
  });
  const fields = (...lists: Requirement[][]): NodeSelector => ({
    terms: lists.map((matchFields) => ({ matchExpressions: [], matchFields })),
  });
  const wanting = (nodeAffinity: NodeSelector, selector: Record<string, string> = {}): PodOptions => ({
    shape: { nodeAffinity, nodeSelector: new Map(Object.entries(selector)) },
  });
  const on = (labels: Record<string, string>): NodeOptions => ({ labels });
  const zoneA = on({ zone: 'a' });
  const name = (operator: string, ...values: string[]): Requirement =>
    requirement('metadata.name', operator, ...values);

  it.each<[string, Given, string]>([
    // scheduling 6.E/50
    [
      'wants the labels of the selector',
      { node: on({ disk: 'hdd' }), incoming: { shape: { nodeSelector: new Map([['disk', 'ssd']]) } } },
      refused,
    ],
    // scheduling 6.E/51
    [
      'wants selector and affinity',
      {
        node: on({ disk: 'ssd', zone: 'a' }),
        incoming: wanting(terms([requirement('zone', 'In', 'b')]), { disk: 'ssd' }),
      },
      refused,
    ],
    // scheduling 6.E/52
    [
      'is content with one of the terms',
      {
        node: zoneA,
        incoming: wanting(terms([requirement('zone', 'In', 'b')], [requirement('zone', 'In', 'a')])),
      },
      'fits',
    ],
    // scheduling 6.E/53
    [
      'wants all of a term',
      {
        node: zoneA,
        incoming: wanting(terms([requirement('zone', 'In', 'a'), requirement('disk', 'In', 'ssd')])),
      },
      refused,
    ],
    // scheduling 6.E/54
    [
      'takes an absent key for NotIn',
      { incoming: wanting(terms([requirement('zone', 'NotIn', 'a')])) },
      'fits',
    ],
    // scheduling 6.E/55
    [
      'sees a label with an empty value',
      { node: on({ gpu: '' }), incoming: wanting(terms([requirement('gpu', 'DoesNotExist')])) },
      refused,
    ],
    // scheduling 6.E/56
    [
      'compares numbers as numbers',
      { node: on({ cores: '10' }), incoming: wanting(terms([requirement('cores', 'Gt', '5')])) },
      'fits',
    ],
    // scheduling 6.E/59
    ['lets an empty term match nothing', { node: zoneA, incoming: wanting(terms([])) }, refused],
    // scheduling 6.E/60
    [
      'skips an empty term',
      { node: zoneA, incoming: wanting(terms([], [requirement('zone', 'In', 'a')])) },
      'fits',
    ],
    // scheduling 6.E/61
    ['matches nothing without terms', { incoming: wanting({ terms: [] }) }, refused],
    // scheduling 6.E/62
    [
      'sorts out other nodes beforehand',
      { incoming: wanting(fields([name('In', 'n2')])) },
      'NodeAffinity:  [PreFilter filtered the Node out]',
    ],
    [
      'does so for the node a pod is pinned to',
      { incoming: { pinnedNodeName: 'n2' } },
      'NodeAffinity:  [PreFilter filtered the Node out]',
    ],
    ['lets a pinned pod on its node', { incoming: { pinnedNodeName: 'n1' } }, 'fits'],
    // scheduling 6.E/63
    [
      'finds terms that contradict themselves',
      { incoming: wanting(fields([name('In', 'n1'), name('In', 'n2')])) },
      'NodeAffinity: pod affinity terms conflict [PreFilter failed]',
    ],
    [
      'finds a pin that contradicts the terms',
      { incoming: { ...wanting(fields([name('In', 'n1')])), pinnedNodeName: 'n2' } },
      'NodeAffinity: pod affinity terms conflict [PreFilter failed]',
    ],
    [
      'does not sort out nodes while one term names none',
      {
        node: zoneA,
        incoming: wanting({
          terms: [
            { matchExpressions: [], matchFields: [name('In', 'n2')] },
            { matchExpressions: [requirement('zone', 'In', 'a')], matchFields: [] },
          ],
        }),
      },
      'fits',
    ],
    // scheduling 6.E/64
    ['excludes a node by name', { incoming: wanting(fields([name('NotIn', 'n1')])) }, refused],
    // scheduling 6.E/65
    [
      'never matches a malformed term, also with NotIn',
      { node: on({ zone: 'c' }), incoming: wanting(terms([requirement('zone', 'NotIn', 'a b')])) },
      refused,
    ],
    // scheduling 6.E/66
    [
      'goes on to the next term after a malformed one',
      {
        node: zoneA,
        incoming: wanting(terms([requirement('zone', 'Gt', 'five')], [requirement('zone', 'In', 'a')])),
      },
      'fits',
    ],
    // scheduling 6.E/67
    [
      'enforces what the scheduler adds',
      { incoming: {}, options: { addedNodeAffinity: terms([requirement('pool', 'In', 'x')]) } },
      "NodeAffinity: node(s) didn't match scheduler-enforced node affinity",
    ],
  ])('%s', (_, given, expected) => {
    expect(judge(given)).toBe(expected);
  });

  it('finds Gt false on equal, non-numeric and absent labels', () => {
    // scheduling 6.E/57
    const incoming = wanting(terms([requirement('cores', 'Gt', '5')]));
    const nodes = [on({ cores: '5' }), on({ cores: 'ten' }), {}];
    expect(fitsOrNot(nodes.map((node) => ({ node, incoming })))).toEqual([refused, refused, refused]);
  });

  it('finds Lt true below the bound only', () => {
    // scheduling 6.E/58
    const incoming = wanting(terms([requirement('cores', 'Lt', '8')]));
    const nodes = [on({ cores: '3' }), on({ cores: '8' })];
    expect(fitsOrNot(nodes.map((node) => ({ node, incoming })))).toEqual(['fits', refused]);
  });
});

describe('NodePorts', () => {
  const refused = "NodePorts: node(s) didn't have free ports for the requested pod ports";
  const holding = (...hostPorts: Partial<HostPort>[]): PodOptions => ({
    shape: {
      hostPorts: hostPorts.map((port) => ({ hostIp: '0.0.0.0', protocol: 'TCP', port: 8080, ...port })),
    },
  });

  it.each<[string, PodOptions, PodOptions, string]>([
    // scheduling 6.F/68
    ['refuses a taken port', holding({}), holding({}), refused],
    // scheduling 6.F/69
    ['tells protocols apart', holding({}), holding({ protocol: 'UDP' }), 'fits'],
    // scheduling 6.F/70
    ['sees one address under all', holding({ hostIp: '10.0.0.1' }), holding({}), refused],
    // scheduling 6.F/71
    ['sees all addresses under one', holding({}), holding({ hostIp: '10.0.0.1' }), refused],
    // scheduling 6.F/72
    ['tells addresses apart', holding({ hostIp: '10.0.0.1' }), holding({ hostIp: '10.0.0.2' }), 'fits'],
    // scheduling 6.F/73
    ['finds the port of a plain init container free', {}, holding({}), 'fits'],
    // scheduling 6.F/74
    ['finds the port of a host network pod taken', holding({ port: 9100 }), holding({ port: 9100 }), refused],
    ['does not compare ports of one pod', {}, holding({}, {}), 'fits'],
    ['counts ports of terminating pods', { ...holding({}), deletionMs: 1 }, holding({}), refused],
  ])('%s', (_, existing, incoming, expected) => {
    expect(judge({ existing: [existing], incoming })).toBe(expected);
  });
});

describe('the chain of filters', () => {
  it('reports the first filter that rejects, and no other', () => {
    // scheduling 6.J/121
    const verdict = judge({
      node: { taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }] },
      incoming: { cpuMilli: 100_000, shape: { nodeSelector: new Map([['x', 'y']]) } },
    });
    expect(verdict).toBe('TaintToleration: node(s) had untolerated taint(s)');
  });

  it('reports what is wrong without a node before what is wrong with the node', () => {
    const verdict = judge({ node: { unschedulable: true }, incoming: { pinnedNodeName: 'n2' } });
    expect(verdict).toBe('NodeAffinity:  [PreFilter filtered the Node out]');
  });

  it('reports ports before resources', () => {
    const hostPorts = [{ hostIp: '0.0.0.0', protocol: 'TCP', port: 80 }];
    const verdict = judge({
      existing: [{ shape: { hostPorts } }],
      incoming: { cpuMilli: 100_000, shape: { hostPorts } },
    });
    expect(verdict).toContain('NodePorts');
  });
});
