import type { Node } from '../../src/domain/kubernetes/node.js';
import { namesAdmittedBy, requiredNodeAffinityMatches } from '../../src/domain/kubernetes/node-affinity.js';
import type { Labels } from '../../src/domain/kubernetes/labels.js';
import type { HostPort, Pod } from '../../src/domain/kubernetes/pod.js';
import type { Resources } from '../../src/domain/kubernetes/resources.js';
import { firstUntoleratedTaint, tolerates } from '../../src/domain/kubernetes/tolerations.js';
import type {
  ClusterSnapshot,
  MountedVolumes,
  Placement,
  PlacementSearch,
} from '../../src/domain/simulation/cluster-snapshot.js';
import { naiveTopology } from './naive-topology.js';
import type { Rejection, Verdict } from '../../src/domain/simulation/verdict.js';

interface Entry {
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly isPresent: boolean;
}

interface State {
  readonly entries: readonly Entry[];
  readonly last: number;
}

/**
 * The rules of `scheduling` 0 and 3, written down without any thought of speed: everything is worked out anew from
 * the records for each question, and a fork is a copy. The oracle for the snapshot that is fast.
 */
export class NaiveSnapshot implements ClusterSnapshot {
  private state: State = { entries: [], last: 0 };

  constructor(private readonly namespaces: ReadonlyMap<string, Labels> = new Map()) {}

  private readonly forks: State[] = [];

  fork(): void {
    this.forks.push(this.state);
  }

  revert(): void {
    this.state = this.forks.pop()!;
  }

  commit(): void {
    this.forks.pop();
  }

  addNode(node: Node, pods: readonly Pod[] = []): void {
    this.setEntries([...this.state.entries, { node, pods, isPresent: true }]);
  }

  removeNode(nodeName: string): void {
    this.change(nodeName, (entry) => ({ ...entry, isPresent: false }));
  }

  hasNode(nodeName: string): boolean {
    return this.node(nodeName) !== undefined;
  }

  node(nodeName: string): Node | undefined {
    return this.present().find(({ node }) => node.name === nodeName)?.node;
  }

  nodeNames(): readonly string[] {
    return this.present().map(({ node }) => node.name);
  }

  podsOn(nodeName: string): readonly Pod[] {
    return this.entry(nodeName).pods;
  }

  addPod(pod: Pod, nodeName: string): void {
    this.change(nodeName, (entry) => ({ ...entry, pods: [...entry.pods, pod] }));
  }

  removePod(pod: Pod, nodeName: string): void {
    this.change(nodeName, (entry) => ({ ...entry, pods: entry.pods.filter((other) => other !== pod) }));
  }

  check(pod: Pod, nodeName: string): Verdict {
    return this.judge(pod, this.entry(nodeName));
  }

  checkAlone(pod: Pod, nodeName: string): Verdict {
    return judge(pod, this.entry(nodeName));
  }

  /** Only the closed form asks for it, which is never run on this snapshot. */
  topologyFrom(): null {
    return null;
  }

  /** Only growth in several groups asks for it. */
  expectDomainsOf(): never {
    throw new Error('the reference plans no growth');
  }

  /** Knows nothing of volumes. */
  volumesOn(): MountedVolumes {
    return { volumes: new Set(), disks: [], freePlaces: () => Infinity };
  }

  place(pod: Pod, nodeName: string): Verdict {
    const verdict = this.check(pod, nodeName);
    if (verdict.fit) this.addPod(pod, nodeName);
    return verdict;
  }

  placeAnywhere(pod: Pod, { accepts = () => true, hint }: PlacementSearch = {}): Placement {
    const unbound = { ...pod, nodeName: '' };
    const beforehand = preFilter(unbound);
    if (beforehand?.rejection !== undefined) return beforehand.rejection;
    if (hint !== undefined && this.hasNode(hint) && accepts(hint) && this.check(unbound, hint).fit) {
      this.addPod(pod, hint);
      return { fit: true, nodeName: hint };
    }
    const { entries, last } = this.state;
    for (let step = 0; step < entries.length; step++) {
      const index = (last + 1 + step) % entries.length;
      const entry = entries[index]!;
      const { name, unschedulable } = entry.node;
      if (!entry.isPresent || unschedulable || !accepts(name) || !this.judge(unbound, entry).fit) continue;
      this.addPod(pod, name);
      this.state = { ...this.state, last: index };
      return { fit: true, nodeName: name };
    }
    const text = "couldn't find a matching Node with passing predicates";
    return { fit: false, plugin: 'NoFittingNode', reasons: [{ rule: 'NoFittingNode', text }] };
  }

  private judge(pod: Pod, entry: Entry): Verdict {
    const verdict = judge(pod, entry);
    if (!verdict.fit) return verdict;
    const { shape } = pod;
    const texts = naiveTopology({
      pod,
      node: entry.node,
      entries: this.present(),
      namespaces: this.namespaces,
    });
    if (texts !== null) return refuse(...texts);
    const missing = shape.requiredFeatures.filter((name) => !entry.node.declaredFeatures.includes(name));
    if (missing.length === 0) return verdict;
    return refuse('NodeDeclaredFeatures', "node(s) didn't match Pod's required features");
  }

  private present(): readonly Entry[] {
    return this.state.entries.filter(({ isPresent }) => isPresent);
  }

  private entry(nodeName: string): Entry {
    return this.present().find(({ node }) => node.name === nodeName)!;
  }

  private change(nodeName: string, changed: (entry: Entry) => Entry): void {
    const target = this.entry(nodeName);
    this.setEntries(this.state.entries.map((entry) => (entry === target ? changed(entry) : entry)));
  }

  private setEntries(entries: readonly Entry[]): void {
    this.state = { ...this.state, entries };
  }
}

function judge(pod: Pod, { node, pods }: Entry): Verdict {
  const beforehand = preFilter(pod);
  if (beforehand?.rejection !== undefined) return beforehand.rejection;
  if (beforehand?.names?.has(node.name) === false) {
    return { fit: false, plugin: 'NodeAffinity', reasons: [], message: 'PreFilter filtered the Node out' };
  }
  const cordon = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' as const };
  if (node.unschedulable && !pod.shape.tolerations.some((toleration) => tolerates(toleration, cordon))) {
    return refuse('NodeUnschedulable', 'node(s) were unschedulable');
  }
  if (pod.nodeName !== '' && pod.nodeName !== node.name) {
    return refuse('NodeName', "node(s) didn't match the requested node name");
  }
  if (firstUntoleratedTaint(node.taints, pod.shape.tolerations) !== undefined) {
    return refuse('TaintToleration', 'node(s) had untolerated taint(s)');
  }
  if (!requiredNodeAffinityMatches(pod, node)) {
    return refuse('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  const used = pods.flatMap(({ shape }) => shape.hostPorts);
  if (pod.shape.hostPorts.some((wanted) => used.some((port) => clash(wanted, port)))) {
    return refuse('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  }
  const lacking = lacks(pod, node.allocatable, pods);
  return lacking.length === 0 ? { fit: true } : refuse('NodeResourcesFit', ...lacking);
}

function refuse(plugin: string, ...texts: string[]): Rejection {
  return { fit: false, plugin, reasons: texts.map((text) => ({ rule: plugin, text })) };
}

function clash(left: HostPort, right: HostPort): boolean {
  const isSamePort = left.port === right.port && left.protocol === right.protocol;
  return isSamePort && (left.hostIp === right.hostIp || [left.hostIp, right.hostIp].includes('0.0.0.0'));
}

function lacks(pod: Pod, allocatable: Resources, pods: readonly Pod[]): string[] {
  const texts: string[] = [];
  if (pods.length + 1 > (allocatable.get('pods') ?? 0)) texts.push('Too many pods');
  const asked = [...pod.shape.requests].filter(([name, amount]) => amount > 0 && name !== 'pods');
  const first = ['cpu', 'memory', 'ephemeral-storage'];
  const rank = ([name]: readonly [string, number]): string =>
    first.includes(name) ? `0${first.indexOf(name)}` : `1${name}`;
  for (const [name, amount] of asked.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    const used = pods.reduce(
      (sum, other) => sum + ((other.charged ?? other.shape.requests).get(name) ?? 0),
      0,
    );
    if (amount > (allocatable.get(name) ?? 0) - used) texts.push(`Insufficient ${name}`);
  }
  return texts;
}

function preFilter(pod: Pod): { names?: ReadonlySet<string>; rejection?: Rejection } | null {
  const pin = pod.pinnedNodeName === '' ? null : [pod.pinnedNodeName];
  const terms = pod.shape.nodeAffinity?.terms ?? [];
  if (terms.length === 0) return pin === null ? null : { names: new Set(pin) };
  const admitted = terms.map((term) => {
    const named = namesAdmittedBy(term);
    if (named === null) return pin;
    return [...named].filter((name) => pin === null || pin.includes(name));
  });
  if (admitted.includes(null)) return null;
  const names = new Set(admitted.flatMap((list) => list ?? []));
  if (names.size > 0) return { names };
  return {
    rejection: { ...refuse('NodeAffinity', 'pod affinity terms conflict'), message: 'PreFilter failed' },
  };
}
