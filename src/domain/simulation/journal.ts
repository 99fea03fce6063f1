import { SnapshotError } from './snapshot-error.js';

/** Takes back one change; the arguments are those of {@link Journal.record}. */
export type Undo = (row: number, column: number, value: number) => void;

const INITIAL_ENTRIES = 256;

/**
 * What has changed since the open forks, as typed entries in columns. Every part of a snapshot that forks registers
 * its kinds of changes here and records the old value before it writes. A fork costs O(1), a revert O(changes).
 */
export class Journal {
  private readonly undos: Undo[] = [];
  /** For each open fork the length that it began with. */
  private readonly marks: number[] = [];
  private length = 0;
  /** Operation, row and column of each entry. */
  private places = new Int32Array(3 * INITIAL_ENTRIES);
  private values = new Float64Array(INITIAL_ENTRIES);
  /** Old values that are no numbers, for the few entries that have one; last in, first out. */
  private readonly objects: unknown[] = [];

  /** Registers a kind of change; the result names it in {@link record}. */
  operation(undo: Undo): number {
    return this.undos.push(undo) - 1;
  }

  /** Without an open fork nothing can be reverted, and nothing is kept. */
  record(operation: number, row: number, column = 0, value = 0): void {
    if (this.marks.length === 0) return;
    if (this.length === this.values.length) this.grow();
    const place = 3 * this.length;
    this.places[place] = operation;
    this.places[place + 1] = row;
    this.places[place + 2] = column;
    this.values[this.length++] = value;
  }

  /** Goes with the entry that was just recorded; its undo must take it with {@link takeObject}. */
  keepObject(object: unknown): void {
    if (this.marks.length > 0) this.objects.push(object);
  }

  takeObject(): unknown {
    return this.objects.pop();
  }

  fork(): void {
    this.marks.push(this.length);
  }

  revert(): void {
    const mark = this.marks.at(-1);
    if (mark === undefined) throw new SnapshotError('no-fork', 'revert without a fork');
    while (this.length > mark) {
      this.length--;
      const place = 3 * this.length;
      const undo = this.undos[this.places[place]!]!;
      undo(this.places[place + 1]!, this.places[place + 2]!, this.values[this.length]!);
    }
    this.marks.pop();
  }

  /** Hands the changes to the outer fork; at top level they are final, and a commit there does nothing. */
  commit(): void {
    this.marks.pop();
    if (this.marks.length > 0) return;
    this.length = 0;
    this.objects.length = 0;
  }

  private grow(): void {
    const places = new Int32Array(2 * this.places.length);
    places.set(this.places);
    this.places = places;
    const values = new Float64Array(2 * this.values.length);
    values.set(this.values);
    this.values = values;
  }
}
