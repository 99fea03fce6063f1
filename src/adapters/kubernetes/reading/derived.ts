/** A value made from others, made anew only when one of them is another object. */
export class Derived<Sources extends readonly object[], T> {
  private sources: Sources | null = null;
  private value: T | null = null;

  constructor(private readonly make: (...sources: Sources) => T) {}

  from(...sources: Sources): T {
    const known = this.sources;
    if (this.value === null || known?.some((source, index) => source !== sources[index]) !== false) {
      this.value = this.make(...sources);
      this.sources = sources;
    }
    return this.value;
  }
}
