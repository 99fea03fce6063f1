/** Lines of the log that a guide names: which of them came. Told once each, however often they come. */
export class LogFacts {
  private readonly missing: Set<string>;

  /** @param beginnings of messages. */
  constructor(beginnings: readonly string[]) {
    this.missing = new Set(beginnings);
  }

  /** Whether the message is one of these, for the first time. */
  isNew(message: string): boolean {
    for (const beginning of this.missing) {
      if (message.startsWith(beginning)) return this.missing.delete(beginning);
    }
    return false;
  }

  /** A sentence for each that has not come. */
  objections(): readonly string[] {
    return [...this.missing].map((beginning) => `the log never said '${beginning}…'`);
  }
}
