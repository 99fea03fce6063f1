import type { LabelSelector } from '../../kubernetes/selectors.js';
import type { PodProfile } from './pod-profile.js';
import type { NamespaceLabels, PodQuery } from './pod-query.js';

/** Entries under the value of a label. */
type ByLabel<T> = Map<string, Map<string, T[]>>;

/** Label values of which a pod must have one. */
interface Anchor {
  readonly key: string;
  readonly values: readonly string[];
}

/**
 * Brings queries and profiles together: whichever comes later finds its partners among those that were there. A query
 * is filed under a label that its pods must have, so that ten thousand kinds of pods with a selector each don't mean a
 * hundred million comparisons.
 */
export class Matchmaker {
  private readonly anchored: ByLabel<PodQuery> = new Map();
  private readonly unanchored: PodQuery[] = [];
  private readonly profiles: PodProfile[] = [];
  /** Only for keys that some query is filed under. */
  private readonly profilesBy: ByLabel<PodProfile> = new Map();

  constructor(private readonly namespaces: NamespaceLabels) {}

  addQuery(query: PodQuery): void {
    const anchor = this.anchorOf(query);
    if (anchor === null) {
      this.unanchored.push(query);
      for (const profile of this.profiles) this.introduce(query, profile);
      return;
    }
    for (const value of anchor.values) {
      listOf(this.anchored, anchor.key, value).push(query);
      for (const profile of this.profilesWith(anchor.key, value)) this.introduce(query, profile);
    }
  }

  addProfile(profile: PodProfile): void {
    this.profiles.push(profile);
    for (const query of this.unanchored) this.introduce(query, profile);
    for (const [key, value] of profile.labels) {
      for (const query of this.anchored.get(key)?.get(value) ?? []) this.introduce(query, profile);
      if (this.profilesBy.has(key)) listOf(this.profilesBy, key, value).push(profile);
    }
  }

  private introduce(query: PodQuery, profile: PodProfile): void {
    if (!query.matches(profile, this.namespaces)) return;
    query.members.push(profile);
    profile.queries.push(query);
    profile.repelledBy.push(...query.owning.values());
  }

  /** The label under which the fewest queries are filed already; null where the query needs none. */
  private anchorOf({ criteria }: PodQuery): Anchor | null {
    let best: Anchor | null = null;
    let fewest = Infinity;
    for (const anchor of criteria.flatMap(({ selector }) => anchorsOf(selector))) {
      const queries = anchor.values.map((value) => this.anchored.get(anchor.key)?.get(value)?.length ?? 0);
      const crowd = Math.max(...queries);
      if (crowd >= fewest) continue;
      best = anchor;
      fewest = crowd;
    }
    return best;
  }

  private profilesWith(key: string, value: string): readonly PodProfile[] {
    if (!this.profilesBy.has(key)) {
      this.profilesBy.set(key, new Map());
      for (const profile of this.profiles) {
        const own = profile.labels.get(key);
        if (own !== undefined) listOf(this.profilesBy, key, own).push(profile);
      }
    }
    return this.profilesBy.get(key)?.get(value) ?? [];
  }
}

function anchorsOf(selector: LabelSelector | null): Anchor[] {
  if (selector === null) return [];
  const equal = [...selector.matchLabels].map(([key, value]) => ({ key, values: [value] }));
  const oneOf = selector.matchExpressions
    .filter(({ operator, values }) => operator === 'In' && values.length > 0)
    .map(({ key, values }) => ({ key, values: [...new Set(values)] }));
  return [...equal, ...oneOf];
}

function listOf<T>(index: ByLabel<T>, key: string, value: string): T[] {
  let byValue = index.get(key);
  if (byValue === undefined) {
    byValue = new Map();
    index.set(key, byValue);
  }
  let list = byValue.get(value);
  if (list === undefined) {
    list = [];
    byValue.set(value, list);
  }
  return list;
}
