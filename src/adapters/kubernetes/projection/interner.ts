/** A table this small is never swept. */
const SWEEP_ENTRIES_MIN = 1_024;

/**
 * Gives one object for equal texts as long as anybody holds it. Dead entries are swept out each time the table has
 * doubled, so it is bounded by twice the number of live objects.
 */
export class Interner<T extends object> {
  private readonly entries = new Map<string, WeakRef<T>>();
  private sweepAt = SWEEP_ENTRIES_MIN;

  /** `text` must be equal exactly for equal objects. */
  intern(text: string, make: () => T): T {
    const known = this.entries.get(text)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.entries.set(text, new WeakRef(made));
    if (this.entries.size >= this.sweepAt) this.sweep();
    return made;
  }

  get size(): number {
    return this.entries.size;
  }

  private sweep(): void {
    for (const [text, reference] of this.entries) {
      if (reference.deref() === undefined) this.entries.delete(text);
    }
    this.sweepAt = Math.max(SWEEP_ENTRIES_MIN, this.entries.size * 2);
  }
}

/** Node names, namespaces and phases in use at a time, at 15,000 nodes. */
const GENERATION_ENTRIES_MAX = 32_768;

/**
 * One copy of equal strings, which JSON parsing makes anew each time. Strings can't be held weakly, so the table
 * has two generations: what was not asked for during a whole one is forgotten.
 */
export class StringPool {
  private young = new Map<string, string>();
  private old = new Map<string, string>();

  intern(text: string): string {
    const known = this.young.get(text) ?? this.old.get(text);
    this.young.set(known ?? text, known ?? text);
    if (this.young.size >= GENERATION_ENTRIES_MAX) {
      this.old = this.young;
      this.young = new Map();
    }
    return known ?? text;
  }

  get size(): number {
    return this.young.size + this.old.size;
  }
}
