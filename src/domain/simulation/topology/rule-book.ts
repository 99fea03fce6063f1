import { labelSelectorMatches, selectorProblem } from '../../kubernetes/match-selector.js';
import { requiredNodeAffinityMatches } from '../../kubernetes/node-affinity.js';
import type { Node } from '../../kubernetes/node.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../kubernetes/pod.js';
import type { LabelSelector } from '../../kubernetes/selectors.js';
import { firstUntoleratedTaint } from '../../kubernetes/tolerations.js';
import { nodeAffinityText, tolerationsText } from '../scheduling-key.js';
import type { SchedulingOptions } from '../scheduling-options.js';
import type { Counters } from './counters.js';
import type { DomainCensus } from './domain-census.js';
import type { DomainTally } from './domain-tally.js';
import type { PodProfile } from './pod-profile.js';
import type { Criterion, NamespaceLabels } from './pod-query.js';
import type { AffinityRule, AntiAffinityRule, SpreadRule, TopologyRules } from './topology-rules.js';
import type { UnreadableRules } from './topology-rules.js';

/** Reads the rules of pods and gives equal rules one object (`scheduling` 3.10, 3.11). */
export class RuleBook {
  private readonly known = new Map<string, TopologyRules>();

  constructor(
    private readonly counters: Counters,
    private readonly namespaces: NamespaceLabels,
    private readonly options: SchedulingOptions,
  ) {}

  /** Null where nothing that other pods do can matter to the pod. */
  rulesOf(pod: Pod, profile: PodProfile): TopologyRules | null {
    const { topologySpread, podAffinity, podAntiAffinity } = pod.shape;
    const unreadable = problemOf(pod);
    const parts: Omit<TopologyRules, 'id'> = {
      spread: unreadable === null ? topologySpread.map((constraint) => this.spreadRule(constraint, pod)) : [],
      affinity: unreadable === null && podAffinity.length > 0 ? this.affinityRule(pod, profile) : null,
      antiAffinity:
        unreadable === null ? podAntiAffinity.map((term) => this.antiAffinityRule(term, pod, profile)) : [],
      repelledBy: [...profile.repelledBy],
      unreadable,
    };
    return isEmpty(parts) ? null : this.intern(parts);
  }

  /** Where pods are counted that hold the pod's anti-affinity terms; terms that can't be read are dropped. */
  ownedBy({ namespace, shape }: Pod): readonly DomainTally[] {
    return shape.podAntiAffinity
      .filter((term) => termProblem(term) === null)
      .map((term) => {
        const query = this.counters.query([criterionOf(term, namespace)], true);
        return this.counters.owning(query, this.counters.column(term.topologyKey));
      });
  }

  private spreadRule(constraint: TopologySpreadConstraint, pod: Pod): SpreadRule {
    const { selector, maxSkew, minDomains } = constraint;
    // The scheduler counts no pods for an empty selector, though the pod itself matches it.
    const criteria = isBlank(selector)
      ? []
      : [{ selector, namespaces: [pod.namespace], namespaceSelector: null }];
    const query = this.counters.query(criteria, false);
    const tally = this.counters.spreading(query, this.census(constraint, pod));
    const self = labelSelectorMatches(selector, pod.labels) ? 1 : 0;
    return {
      tally,
      maxSkew,
      minDomains: minDomains ?? 1,
      self,
      isCounted: self === 1 && criteria.length > 0,
    };
  }

  private census(constraint: TopologySpreadConstraint, pod: Pod): DomainCensus {
    const honoursAffinity = constraint.nodeAffinityPolicy === 'Honor';
    const honoursTaints = constraint.nodeTaintsPolicy === 'Honor';
    const keys = [...new Set(pod.shape.topologySpread.map(({ topologyKey }) => topologyKey))].sort();
    const text = JSON.stringify([
      constraint.topologyKey,
      keys,
      honoursAffinity ? nodeAffinityText(pod) : null,
      honoursTaints ? tolerationsText(pod.shape) : null,
    ]);
    const { tolerations } = this.options;
    const admits = (node: Node): boolean =>
      (!honoursAffinity || requiredNodeAffinityMatches(pod, node)) &&
      (!honoursTaints ||
        firstUntoleratedTaint(node.taints, pod.shape.tolerations, tolerations) === undefined);
    const columns = keys.map((key) => this.counters.column(key));
    return this.counters.census(text, {
      column: this.counters.column(constraint.topologyKey),
      columns,
      admits,
    });
  }

  private affinityRule({ namespace, shape }: Pod, profile: PodProfile): AffinityRule {
    const criteria = shape.podAffinity.map((term) => criterionOf(term, namespace));
    const query = this.counters.query(criteria, true);
    const columns = new Set(shape.podAffinity.map(({ topologyKey }) => this.counters.column(topologyKey)));
    return {
      tallies: [...columns].map((column) => this.counters.matching(query, column)),
      matchesItself: query.matches(profile, this.namespaces),
    };
  }

  private antiAffinityRule(term: PodAffinityTerm, { namespace }: Pod, profile: PodProfile): AntiAffinityRule {
    const query = this.counters.query([criterionOf(term, namespace)], true);
    const tally = this.counters.matching(query, this.counters.column(term.topologyKey));
    return { tally, matchesItself: query.matches(profile, this.namespaces) };
  }

  private intern(parts: Omit<TopologyRules, 'id'>): TopologyRules {
    const key = textOf(parts);
    let rules = this.known.get(key);
    if (rules === undefined) {
      rules = { id: this.known.size, ...parts };
      this.known.set(key, rules);
    }
    return rules;
  }
}

/** The term's namespaces; its owner's own where it names none. */
function criterionOf(term: PodAffinityTerm, ownNamespace: string): Criterion {
  const { selector, namespaceSelector } = term;
  const isOwn = term.namespaces.length === 0 && namespaceSelector === null;
  return { selector, namespaceSelector, namespaces: isOwn ? [ownNamespace] : term.namespaces };
}

function problemOf({ shape }: Pod): UnreadableRules | null {
  for (const { selector } of shape.topologySpread) {
    const problem = selectorProblem(selector);
    if (problem !== null) return { plugin: 'PodTopologySpread', text: problem };
  }
  for (const term of [...shape.podAffinity, ...shape.podAntiAffinity]) {
    const problem = termProblem(term);
    if (problem !== null) return { plugin: 'InterPodAffinity', text: `parsing pod: ${problem}` };
  }
  return null;
}

function termProblem({ selector, namespaceSelector }: PodAffinityTerm): string | null {
  return selectorProblem(selector) ?? selectorProblem(namespaceSelector);
}

function isBlank(selector: LabelSelector | null): boolean {
  return selector === null || selector.matchLabels.size + selector.matchExpressions.length === 0;
}

function isEmpty({
  spread,
  affinity,
  antiAffinity,
  repelledBy,
  unreadable,
}: Omit<TopologyRules, 'id'>): boolean {
  const count = spread.length + antiAffinity.length + repelledBy.length;
  return count === 0 && affinity === null && unreadable === null;
}

function textOf({
  spread,
  affinity,
  antiAffinity,
  repelledBy,
  unreadable,
}: Omit<TopologyRules, 'id'>): string {
  return JSON.stringify([
    spread.map(({ tally, maxSkew, minDomains, self }) => [tally.id, maxSkew, minDomains, self]),
    affinity === null ? null : [affinity.tallies.map(({ id }) => id), affinity.matchesItself],
    antiAffinity.map(({ tally, matchesItself }) => [tally.id, matchesItself]),
    repelledBy.map(({ id }) => id),
    unreadable,
  ]);
}
