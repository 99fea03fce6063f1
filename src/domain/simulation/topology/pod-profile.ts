import type { Labels } from '../../kubernetes/labels.js';
import type { PodShape } from '../../kubernetes/pod.js';
import type { DomainTally } from './domain-tally.js';
import type { PodMember, PodQuery } from './pod-query.js';
import type { TopologyRules } from './topology-rules.js';

/** All pods that no rule between pods can tell apart: same namespace, labels and anti-affinity, terminating or not. */
export class PodProfile implements PodMember {
  /** Kinds of pods that these are. Grows only. */
  readonly queries: PodQuery[] = [];
  /** Where pods are counted that hold a term against these. Grows only. */
  readonly repelledBy: DomainTally[] = [];
  /** Number of pods by row. */
  readonly rows = new Map<number, number>();
  /** What was worked out for incoming pods of a shape; good as long as `repelledBy` is as long as it was then. */
  readonly rulesByShape = new Map<
    PodShape,
    { readonly rules: TopologyRules | null; readonly repelledBy: number }
  >();

  /** `owned`: where these are counted as holders of a term. */
  constructor(
    readonly namespace: string,
    readonly labels: Labels,
    readonly isTerminating: boolean,
    readonly owned: readonly DomainTally[],
  ) {}

  /** One pod more on the row, or one fewer, in everything that counts such pods. */
  count(row: number, change: 1 | -1): void {
    const pods = (this.rows.get(row) ?? 0) + change;
    if (pods === 0) this.rows.delete(row);
    else this.rows.set(row, pods);
    for (const { matching, spreading } of this.queries) {
      for (const tally of matching.values()) tally.add(row, change);
      for (const tally of spreading.values()) tally.add(row, change);
    }
    for (const tally of this.owned) tally.add(row, change);
  }

  /** Everything that a pod on the row is counted in. */
  talliesAt(row: number): DomainTally[] {
    const counting = this.queries.flatMap(({ matching, spreading }) => [
      ...matching.values(),
      ...spreading.values(),
    ]);
    return [...counting, ...this.owned].filter((tally) => tally.covers(row));
  }
}
