import type { Node } from '../../kubernetes/node.js';
import type { Labels } from '../../kubernetes/labels.js';
import type { Pod, PodShape } from '../../kubernetes/pod.js';
import type { NodeTable, NodeWatcher } from '../node-table.js';
import type { SchedulingOptions } from '../scheduling-options.js';
import { Counters } from './counters.js';
import { PodProfile } from './pod-profile.js';
import type { NamespaceLabels } from './pod-query.js';
import type { DomainTally } from './domain-tally.js';
import { RuleBook } from './rule-book.js';
import type { TopologyPicture } from './topology-picture.js';
import type { TopologyRules } from './topology-rules.js';

const NO_NAMESPACES: NamespaceLabels = new Map<string, Labels>();

/**
 * Where pods stand to each other: spread, affinity and anti-affinity (`scheduling` 5.6). Sleeps until the first rule
 * is met, so that a cluster without such rules pays nothing; then it reads the table once and watches it from there.
 */
export class Topology implements NodeWatcher {
  private readonly counters: Counters;
  private readonly rules: RuleBook;
  private readonly profilesByText = new Map<string, PodProfile>();
  private readonly profilesByShape = new Map<PodShape, Map<Labels, PodProfile>>();
  private isAwake = false;

  constructor(
    private readonly nodes: NodeTable,
    options: SchedulingOptions,
  ) {
    const namespaces = options.namespaces ?? NO_NAMESPACES;
    this.counters = new Counters(nodes, namespaces);
    this.rules = new RuleBook(this.counters, namespaces, options);
  }

  /** No rule was met so far, and none is held by a pod that is there. */
  get isAsleep(): boolean {
    return !this.isAwake && !this.nodes.holdsAntiAffinity;
  }

  /** What other pods mean to the pod, if it looks for a node now; null: nothing. */
  rulesOf(pod: Pod): TopologyRules | null {
    if (this.isAsleep && !hasRules(pod.shape)) return null;
    if (!this.isAwake) this.wake();
    const profile = this.profileOf(pod);
    const known = profile.rulesByShape.get(pod.shape);
    if (known?.repelledBy === profile.repelledBy.length) return known.rules;
    const rules = this.rules.rulesOf(pod, profile);
    // Read after the rules were: they may have brought terms against the pod itself.
    profile.rulesByShape.set(pod.shape, { rules, repelledBy: profile.repelledBy.length });
    return rules;
  }

  /** Null where no pod means anything to another of these. */
  pictureFrom(row: number, pods: readonly Pod[]): TopologyPicture | null {
    // Twice: the first time may bring in terms that pods later in the list hold against earlier ones.
    for (const pod of pods) this.rulesOf(pod);
    const rules = pods.map((pod) => this.rulesOf(pod));
    if (rules.every((each) => each === null)) return null;
    const ownCounts = new Map<DomainTally, number>();
    for (const pod of this.nodes.pods[row]!) {
      for (const tally of this.profileOf(pod).talliesAt(row)) {
        ownCounts.set(tally, (ownCounts.get(tally) ?? 0) + 1);
      }
    }
    const raised = pods.map((pod) => this.profileOf(pod).talliesAt(row));
    return { row, rules, raised, ownCounts };
  }

  /** Whose domains count although no node is there. */
  expect(nodes: readonly Node[]): void {
    this.counters.expect(nodes);
  }

  /** The profile of a pod; only for a snapshot that has met a rule. */
  profileOf(pod: Pod): PodProfile {
    let byLabels = this.profilesByShape.get(pod.shape);
    if (byLabels === undefined) {
      byLabels = new Map<Labels, PodProfile>();
      this.profilesByShape.set(pod.shape, byLabels);
    }
    const known = byLabels.get(pod.labels);
    if (known?.namespace === pod.namespace && known.isTerminating === (pod.deletionMs !== null)) return known;
    const profile = this.profileByText(pod);
    byLabels.set(pod.labels, profile);
    return profile;
  }

  nodeCame(row: number, node: Node): void {
    this.counters.nodeCame(row, node);
    for (const pod of this.nodes.pods[row]!) this.profileOf(pod).count(row, 1);
  }

  nodeLeft(row: number): void {
    for (const pod of this.nodes.pods[row]!) this.profileOf(pod).count(row, -1);
    this.counters.nodeLeft(row);
  }

  podCame(row: number, pod: Pod): void {
    this.profileOf(pod).count(row, 1);
  }

  podLeft(row: number, pod: Pod): void {
    this.profileOf(pod).count(row, -1);
  }

  private wake(): void {
    this.isAwake = true;
    for (const [row, pods] of this.nodes.pods.entries()) {
      if (this.nodes.present[row] === 0) continue;
      for (const pod of pods) this.profileOf(pod).count(row, 1);
    }
    this.nodes.watchers.push(this);
  }

  private profileByText(pod: Pod): PodProfile {
    const owned = this.rules.ownedBy(pod);
    const labels = [...pod.labels].sort(([left], [right]) => (left < right ? -1 : 1));
    const isTerminating = pod.deletionMs !== null;
    const text = JSON.stringify([pod.namespace, isTerminating, owned.map(({ id }) => id), labels]);
    let profile = this.profilesByText.get(text);
    if (profile === undefined) {
      profile = new PodProfile(pod.namespace, pod.labels, isTerminating, owned);
      this.profilesByText.set(text, profile);
      this.counters.matchmaker.addProfile(profile);
    }
    return profile;
  }
}

function hasRules({ topologySpread, podAffinity, podAntiAffinity }: PodShape): boolean {
  return topologySpread.length + podAffinity.length + podAntiAffinity.length > 0;
}
