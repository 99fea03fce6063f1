/** Counts changes of counters, so that two moments can be compared. Never set back, not by a revert either. */
export class Moments {
  private latest = 0;

  next(): number {
    return ++this.latest;
  }
}
