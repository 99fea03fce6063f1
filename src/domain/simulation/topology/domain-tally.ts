import type { DomainColumn } from './domain-column.js';
import type { Moments } from './moments.js';

/**
 * How many pods of some kind each domain of one topology key holds (`scheduling` 5.6). A function of the nodes and
 * pods that are there now: additions and their reversal are the same operation.
 */
export class DomainTally {
  /** When it last changed, and when a count last went down. */
  changedAt = 0;
  loweredAt = 0;
  /** Over all domains. */
  total = 0;
  protected readonly counts = new Map<number, number>();

  /** `id`: unique within one snapshot. */
  constructor(
    readonly id: number,
    readonly column: DomainColumn,
    private readonly moments: Moments,
  ) {}

  countIn(domain: number): number {
    return this.counts.get(domain) ?? 0;
  }

  countAt(row: number): number {
    return this.countIn(this.column.at(row));
  }

  /** Whether pods on the row are counted. */
  covers(row: number): boolean {
    return this.column.at(row) >= 0;
  }

  /** So many pods more on the row, or fewer. */
  add(row: number, change: number): void {
    if (!this.covers(row)) return;
    const domain = this.column.at(row);
    const before = this.countIn(domain);
    const after = before + change;
    if (after === 0) this.counts.delete(domain);
    else this.counts.set(domain, after);
    this.total += change;
    this.counted(before, after);
    this.changedAt = this.moments.next();
    if (change < 0) this.loweredAt = this.changedAt;
  }

  protected counted(_before: number, _after: number): void {
    // A plain tally keeps nothing beside the counts.
  }
}
