/** A small seeded generator (mulberry32): the same seed makes the same scenarios on any machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** In [0, bound), small numbers more often: many small cases find more than few large ones. */
  mostlyBelow(bound: number): number {
    return Math.min(this.below(bound), this.below(bound));
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to pick from');
    return choices[this.below(choices.length)] as T;
  }

  /** Each with the probability, in order. */
  some<T>(choices: readonly T[], probability = 0.5): T[] {
    return choices.filter(() => this.chance(probability));
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled: T[] = [];
    for (const item of items) shuffled.splice(this.below(shuffled.length + 1), 0, item);
    return shuffled;
  }

  /** As many as asked for. */
  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
