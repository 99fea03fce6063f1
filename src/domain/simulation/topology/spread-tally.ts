import type { DomainCensus } from './domain-census.js';
import { DomainTally } from './domain-tally.js';
import type { Moments } from './moments.js';

/**
 * The tally of a spread constraint: counts only on nodes of its census and knows the smallest count of all domains,
 * from the number of domains at each count. Domains without pods are the census's rest.
 */
export class SpreadTally extends DomainTally {
  /** Number of domains by count; only counts above zero. */
  private readonly domainsWith = new Map<number, number>();
  private lowest = Infinity;

  constructor(
    id: number,
    readonly census: DomainCensus,
    moments: Moments,
  ) {
    super(id, census.column, moments);
  }

  override covers(row: number): boolean {
    return this.census.includes(row);
  }

  /** Smallest count over the domains; 0 without any. */
  get minimum(): number {
    return this.census.size > this.counts.size || this.census.size === 0 ? 0 : this.lowest;
  }

  /** Smallest count over the domains but one; infinite without any other. */
  minimumWithout(domain: number): number {
    if (!this.census.has(domain)) return this.census.size === 0 ? Infinity : this.minimum;
    const own = this.countIn(domain);
    const others = this.census.size - 1;
    if (others === 0) return Infinity;
    if (others > this.counts.size - (own > 0 ? 1 : 0)) return 0;
    return own === this.lowest && this.domainsWith.get(own) === 1 ? this.nextAbove(own) : this.lowest;
  }

  protected override counted(before: number, after: number): void {
    if (before > 0) this.shift(before, -1);
    if (after > 0) this.shift(after, 1);
    if (this.counts.size === 0) this.lowest = Infinity;
    else if (after > 0 && after < this.lowest) this.lowest = after;
    else if (!this.domainsWith.has(this.lowest)) this.lowest = this.nextAbove(this.lowest);
  }

  private shift(count: number, change: number): void {
    const domains = (this.domainsWith.get(count) ?? 0) + change;
    if (domains === 0) this.domainsWith.delete(count);
    else this.domainsWith.set(count, domains);
  }

  /** There is a domain with a larger count. Mostly one step: counts grow by few pods at a time. */
  private nextAbove(count: number): number {
    let next = count + 1;
    while (!this.domainsWith.has(next)) next++;
    return next;
  }
}
