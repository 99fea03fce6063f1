/** Dense numbers for names, in order of first sight. Grows with the distinct names of one snapshot. */
export class NameIndex {
  private readonly indexes = new Map<string, number>();
  private readonly names: string[] = [];

  /** The name's number, a new one at first sight. */
  of(name: string): number {
    let index = this.indexes.get(name);
    if (index === undefined) {
      index = this.names.push(name) - 1;
      this.indexes.set(name, index);
    }
    return index;
  }

  nameOf(index: number): string {
    return this.names[index] ?? '';
  }

  get size(): number {
    return this.names.length;
  }
}
