/** Called for each record that appeared or changed. */
export type ChangeListener<T> = (record: T, previous: T | undefined) => void;

/**
 * Records of one resource by uid. A record that is equal to the one held is dropped in its favour, so that repeats,
 * heartbeats and fresh lists change nothing and wake nobody.
 */
export class RecordStore<T extends object> {
  private records = new Map<string, T>();
  private cached: readonly T[] | null = null;

  constructor(private readonly onChange: ChangeListener<T> = () => undefined) {}

  get size(): number {
    return this.records.size;
  }

  get(uid: string): T | undefined {
    return this.records.get(uid);
  }

  /** All records; the same array until something changes. */
  all(): readonly T[] {
    this.cached ??= [...this.records.values()];
    return this.cached;
  }

  put(uid: string, record: T): void {
    const previous = this.records.get(uid);
    if (previous !== undefined && isEqualRecord(previous, record)) return;
    this.records.set(uid, record);
    this.cached = null;
    this.onChange(record, previous);
  }

  remove(uid: string): void {
    if (this.records.delete(uid)) this.cached = null;
  }

  /** The record held for this uid, where the given one says the same. */
  preferHeld(uid: string, record: T): T {
    const held = this.records.get(uid);
    return held !== undefined && isEqualRecord(held, record) ? held : record;
  }

  /** Takes the content of a complete list at one stroke: what is not in it is gone. */
  replace(records: Map<string, T>): void {
    const before = this.records;
    this.records = records;
    this.cached = null;
    for (const [uid, record] of records) {
      const previous = before.get(uid);
      if (previous !== record) this.onChange(record, previous);
    }
  }
}

/** Field by field: shared parts (labels, shapes, strings) by identity, flat arrays by content. */
export function isEqualRecord<T extends object>(left: T, right: T): boolean {
  for (const key of Object.keys(right) as (keyof T)[]) {
    const [one, other]: readonly unknown[] = [left[key], right[key]];
    if (one === other) continue;
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    if (one.some((value, index) => value !== other[index])) return false;
  }
  return true;
}
