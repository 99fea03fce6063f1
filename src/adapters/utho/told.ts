/** Remembered sentences: more than a cluster has pools, odd words and broken records. Beyond that, some are told again. */
const KEYS_MAX = 10_000;

/** What was told already, so that a state that lasts is told once. */
export class Told {
  private readonly keys = new Set<string>();

  /** True for the first time of this key. */
  isNew(key: string): boolean {
    if (this.keys.has(key)) return false;
    if (this.keys.size >= KEYS_MAX) this.keys.clear();
    this.keys.add(key);
    return true;
  }
}
