import type { Node } from '../../../src/domain/kubernetes/node.js';
import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { DaemonSet } from '../../../src/domain/kubernetes/workload.js';
import { DEFAULT_TEMPLATE_EXPIRE_MS, chooseTemplates } from '../../../src/domain/node-group/index.js';
import type {
  ChosenTemplates,
  TemplateInput,
  TemplateMemory,
  TemplatePolicy,
} from '../../../src/domain/node-group/index.js';
import { DEFAULT_TAINT_POLICY } from '../../../src/domain/readiness/index.js';
import { MINUTE, T0, buildGroup, buildMachineTemplate, buildNode, buildPod } from '../../support/builders.js';

const POLICY: TemplatePolicy = {
  taints: DEFAULT_TAINT_POLICY,
  forceDaemonSets: false,
  scaleFromUnschedulable: false,
  cacheExpireMs: DEFAULT_TEMPLATE_EXPIRE_MS,
};
const MACHINE = buildMachineTemplate('machine', { labels: { source: 'provider' } });
const taint = (key: string, effect: 'NoSchedule' | 'NoExecute' = 'NoSchedule') => ({
  key,
  value: '',
  effect,
});

interface World extends Partial<TemplateInput> {
  pods?: readonly Pod[];
  memory?: TemplateMemory;
  policy?: Partial<TemplatePolicy>;
}

function choose({ pods = [], memory = new Map(), policy = {}, ...input }: World): ChosenTemplates {
  const { nodes = [] } = input;
  return chooseTemplates(
    {
      nowMs: T0,
      groups: [buildGroup('g')],
      nodes,
      groupIdByNode: new Map(nodes.map((node) => [node.name, 'g'])),
      podsOn: (name) => pods.filter((pod) => pod.nodeName === name),
      daemonSets: [],
      machines: new Map([['g', MACHINE]]),
      ...input,
    },
    memory,
    { ...POLICY, ...policy },
  );
}

const sourceOf = (world: World) => choose(world).templates.get('g')?.source;
const templateOf = (world: World) => choose(world).templates.get('g')!;
const NO_MACHINE: TemplateInput['machines'] = new Map();

const ready = buildNode('ready', { labels: { source: 'ready' } });
const unready: Node = buildNode('unready', {
  conditions: { ...NO_CONDITIONS, ready: { status: 'False', reason: '', changedMs: T0 - 60 * MINUTE } },
});
const fresh: Node = buildNode('fresh', {
  conditions: { ...NO_CONDITIONS, ready: { status: 'True', reason: '', changedMs: T0 - MINUTE } },
});
const marked = buildNode('marked', { taints: [taint('ToBeDeletedByClusterAutoscaler')] });
const cordoned = buildNode('cordoned', { unschedulable: true });

describe('source of a template', () => {
  const cached = choose({ nodes: [buildNode('before', { labels: { source: 'cache' } })] }).memory;

  // scale-up 14/92
  it.each<[string, World, string | undefined]>([
    ['a ready node before everything else', { nodes: [unready, ready], memory: cached }, 'real-node'],
    ['the cache before the provider and an unready node', { nodes: [unready], memory: cached }, 'cache'],
    ['the provider before an unready node', { nodes: [unready] }, 'provider'],
    ['the provider before a node that is being deleted', { nodes: [marked] }, 'provider'],
    ['the provider before a node that became ready just now', { nodes: [fresh] }, 'provider'],
    ['the provider before a cordoned node', { nodes: [cordoned] }, 'provider'],
    [
      'an unready node when there is nothing else',
      { nodes: [unready], machines: NO_MACHINE },
      'unfit-real-node',
    ],
    ['nothing', { machines: NO_MACHINE }, undefined],
    ['not a node of no group', { nodes: [ready], groupIdByNode: new Map(), machines: NO_MACHINE }, undefined],
  ])('is %s', (_, world, source) => {
    expect(sourceOf(world)).toBe(source);
  });

  // scale-up 14/92
  it('is the cache until it expires', () => {
    const policy = { cacheExpireMs: 10 * MINUTE };
    expect(sourceOf({ memory: cached, nowMs: T0 + 10 * MINUTE, policy })).toBe('cache');
    const late = choose({ memory: cached, nowMs: T0 + 10 * MINUTE + 1, policy });
    expect(late.templates.get('g')?.source).toBe('provider');
    expect(late.memory.size).toBe(0);
  });

  it('is not the cache after the provider changed what it promises', () => {
    const machines = new Map([['g', buildMachineTemplate('machine', { labels: { source: 'edited' } })]]);
    expect(templateOf({ memory: cached, machines })).toMatchObject({ source: 'provider' });
  });

  it('is the cache while the provider says nothing', () => {
    expect(sourceOf({ memory: cached, machines: NO_MACHINE })).toBe('cache');
  });

  it('is remembered for groups that exist only', () => {
    expect(choose({ memory: cached, groups: [buildGroup('other')] }).memory.size).toBe(0);
  });
});

describe('a template', () => {
  // scheduling 6.L/147, scale-up 14/93
  it('has a name, uid and host name label of its own and no provider id', () => {
    const nodes = [buildNode('x1', { labels: { 'topology.kubernetes.io/zone': 'a' } })];
    const { node } = templateOf({ nodes });
    expect(node.name.startsWith('template-node-for-g-')).toBe(true);
    expect(Object.fromEntries(node.labels)).toEqual({
      'kubernetes.io/hostname': node.name,
      'topology.kubernetes.io/zone': 'a',
      'cluster-autoscaler.kubernetes.io/template-node': 'true',
    });
    expect(node.uid).not.toBe(nodes[0]!.uid);
    expect(node.providerId).toBe('');
  });

  // scheduling 6.L/148, scale-up 14/94
  it('keeps only taints that a fresh node would have', () => {
    const taints = [
      taint('dedicated'),
      taint('node.kubernetes.io/memory-pressure', 'NoExecute'),
      taint('DeletionCandidateOfClusterAutoscaler'),
      taint('startup-taint.cluster-autoscaler.kubernetes.io/cni'),
      taint('status-taint.cluster-autoscaler.kubernetes.io/s'),
      taint('mine'),
    ];
    const policy = { taints: { ...DEFAULT_TAINT_POLICY, statusTaints: ['mine'] } };
    const { node } = templateOf({ nodes: [buildNode('n', { taints })], policy });
    expect(node.taints.map((one) => one.key)).toEqual(['dedicated']);
  });

  // scheduling 6.L/149, scale-up 14/93
  it('carries running DaemonSet and mirror pods of its example, renamed', () => {
    const on = { nodeName: 'n' };
    const pods = [
      buildPod('dying', { ...on, owner: { kind: 'DaemonSet' }, deletionMs: T0 }),
      buildPod('agent', { ...on, owner: { kind: 'DaemonSet' } }),
      buildPod('proxy', { ...on, shape: { directives: { mirror: 'hash' } } }),
      buildPod('marked', { ...on, shape: { directives: { daemonSetPod: 'true' } } }),
      buildPod('app', { ...on, owner: { kind: 'ReplicaSet' } }),
    ];
    const template = templateOf({ nodes: [buildNode('n')], pods });
    expect(template.pods.map((pod) => pod.name)).toEqual(
      ['agent', 'proxy', 'marked'].map((name) => `${name}-${template.node.name}`),
    );
    expect(template.pods.every((pod) => pod.nodeName === template.node.name)).toBe(true);
    expect(new Set([...template.pods, ...pods].map((pod) => pod.uid)).size).toBe(8);
  });

  it('is schedulable although its example is cordoned, when that is wished', () => {
    const world = { nodes: [cordoned], machines: NO_MACHINE };
    expect(templateOf(world).node.unschedulable).toBe(true);
    expect(templateOf({ ...world, policy: { scaleFromUnschedulable: true } }).node.unschedulable).toBe(false);
  });

  it('from the provider has the deprecated twins of its labels', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'cx22', 'topology.kubernetes.io/region': 'eu' };
    const machines = new Map([['g', buildMachineTemplate('m', { labels })]]);
    const { node } = templateOf({ machines });
    expect(node.labels.get('beta.kubernetes.io/instance-type')).toBe('cx22');
    expect(node.labels.get('failure-domain.beta.kubernetes.io/region')).toBe('eu');
    expect(node.labels.has('failure-domain.beta.kubernetes.io/zone')).toBe(false);
  });
});

describe('DaemonSets without a pod on the example', () => {
  const daemonSet = (name: string, options: Parameters<typeof buildPod>[1] = {}): DaemonSet => {
    const owner = { kind: 'DaemonSet', name };
    const pod = buildPod('', { owner, ...options });
    return { uid: pod.shape.owner!.uid, namespace: 'default', name, pod };
  };
  const critical = { shape: { priorityClassName: 'system-node-critical' } };
  const namesIn = (world: World) =>
    templateOf(world).pods.map((pod) => pod.name.replace(`-${templateOf(world).node.name}`, ''));

  // scheduling 6.L/150, scale-up 14/93
  it('are charged to a template of the provider when they would run there', () => {
    const plain = daemonSet('plain');
    const tolerant = daemonSet('tolerant', {
      shape: { tolerations: [{ key: 'dedicated', operator: 'Exists', value: '', effect: '' }] },
    });
    const elsewhere = daemonSet('elsewhere', { shape: { nodeSelector: new Map([['zone', 'b']]) } });
    const daemonSets = [plain, tolerant, elsewhere];
    const tainted = buildMachineTemplate('m', { taints: [taint('dedicated')] });
    expect(namesIn({ daemonSets, machines: new Map([['g', tainted]]) })).toEqual(['tolerant']);
    expect(namesIn({ daemonSets })).toEqual(['plain', 'tolerant']);
  });

  // scheduling 6.L/151, scale-up 14/93
  it('are charged to a template of a real node only when they preempt or by wish', () => {
    const daemonSets = [
      daemonSet('plain'),
      daemonSet('critical', critical),
      daemonSet('polite', { shape: { ...critical.shape, preemptionPolicy: 'Never' } }),
    ];
    const nodes = [ready];
    expect(namesIn({ nodes, daemonSets })).toEqual(['critical']);
    const policy = { forceDaemonSets: true };
    expect(namesIn({ nodes, daemonSets, policy })).toEqual(['plain', 'critical', 'polite']);
  });

  it('are not charged twice', () => {
    const own = daemonSet('own', critical);
    const pods = [buildPod('own-x', { nodeName: 'ready', owner: { kind: 'DaemonSet', name: 'own' } })];
    expect(namesIn({ nodes: [ready], pods, daemonSets: [own] })).toEqual(['own-x']);
  });

  it('tolerate what their controller lets them tolerate', () => {
    const taints = [taint('node.kubernetes.io/not-ready', 'NoExecute'), taint('not-mine')];
    const machines = new Map([['g', buildMachineTemplate('m', { taints: [taints[0]!] })]]);
    expect(namesIn({ daemonSets: [daemonSet('any')], machines })).toEqual(['any']);
    const strange = new Map([['g', buildMachineTemplate('m', { taints })]]);
    expect(namesIn({ daemonSets: [daemonSet('any')], machines: strange })).toEqual([]);
  });
});

describe('limits of volumes on a template', () => {
  const stated = { volumeLimits: new Map([['csi.hetzner.cloud', 4]]) };
  const known = new Map([['csi.hetzner.cloud', 16]]);
  const limitsOf = (world: World) => templateOf(world).node.volumeLimits;

  // scheduling 4.4 item 6
  it.each<[string, World, ReadonlyMap<string, number>]>([
    ['of the real node', { nodes: [{ ...ready, ...stated }] }, stated.volumeLimits],
    [
      'of a node that is no good example otherwise',
      { nodes: [{ ...fresh, ...stated }] },
      stated.volumeLimits,
    ],
    ['that are known, where there is no node', { nodes: [] }, known],
    ['that are known, where the node states none', { nodes: [ready] }, known],
    [
      'of a driver that names no limit: none',
      { nodes: [{ ...ready, volumeLimits: new Map([['csi.hetzner.cloud', Infinity]]) }] },
      new Map([['csi.hetzner.cloud', Infinity]]),
    ],
  ])('are those %s', (_, world, expected) => {
    expect(limitsOf(world)).toEqual(expected);
  });
});

describe('a taint that the group does not declare', () => {
  const rolled = taint('recycle');
  const tainted = buildNode('tainted', { taints: [rolled] });
  const keysOf = (world: World) => templateOf(world).node.taints.map(({ key }) => key);
  const running = (fields: Parameters<typeof buildPod>[1] = {}) =>
    buildPod('p', { nodeName: 'tainted', ...fields });
  const tolerant = running({
    shape: { tolerations: [{ key: '', operator: 'Exists', value: '', effect: '' }] },
  });
  const declared = new Map([['g', buildMachineTemplate('machine', { taints: [rolled] })]]);

  // case U079
  it.each<[string, World, string[]]>([
    ['came later where a pod runs that does not tolerate it', { pods: [running()] }, []],
    ['came later where a sibling lacks it', { nodes: [tainted, buildNode('other')] }, []],
    [
      'stays where only older siblings lack it: nodes may come with it of late',
      { nodes: [tainted, buildNode('other', { createdMs: tainted.createdMs - 1 })] },
      ['recycle'],
    ],
    ['stays where nothing speaks against it', {}, ['recycle']],
    ['stays where all pods tolerate it', { pods: [tolerant] }, ['recycle']],
    [
      'stays where only a static pod does not',
      { pods: [running({ shape: { directives: { mirror: 'x' } } })] },
      ['recycle'],
    ],
    ['stays where the provider declares nothing', { pods: [running()], machines: NO_MACHINE }, ['recycle']],
    ['stays where it is declared after all', { pods: [running()], machines: declared }, ['recycle']],
  ])('%s', (_what, world, expected) => {
    expect(keysOf({ nodes: [tainted], ...world })).toEqual(expected);
  });

  it('is not remembered either', () => {
    const { memory } = choose({ nodes: [tainted], pods: [running()] });
    expect(keysOf({ memory })).toEqual([]);
  });
});
