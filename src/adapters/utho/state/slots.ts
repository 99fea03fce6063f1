import { orderIdOf } from './provider-id.js';

/** A machine on order that no record stands for yet. */
export interface Slot {
  readonly id: string;
  /** When it was first seen. */
  readonly sinceMs: number;
}

/** Placeholders of one pool, oldest first. Bounded by the pool's target. */
export class Slots {
  private slots: readonly Slot[] = [];
  private serial = 0;

  constructor(private readonly poolId: string) {}

  all(): readonly Slot[] {
    return this.slots;
  }

  has(id: string): boolean {
    return this.slots.some((slot) => slot.id === id);
  }

  /**
   * Brings their number to `needed`. Of those that go, `arrivals` were fulfilled, oldest first: they are returned. The
   * others were withdrawn, youngest first.
   */
  settle(needed: number, arrivals: number, nowMs: number): readonly Slot[] {
    const surplus = this.slots.length - needed;
    if (surplus <= 0) {
      this.open(-surplus, nowMs);
      return [];
    }
    const fulfilled = Math.min(surplus, arrivals);
    const arrived = this.slots.slice(0, fulfilled);
    this.slots = this.slots.slice(fulfilled, fulfilled + needed);
    return arrived;
  }

  /** These are withdrawn; younger ones keep their names. */
  withdraw(ids: ReadonlySet<string>): void {
    this.slots = this.slots.filter((slot) => !ids.has(slot.id));
  }

  private open(count: number, nowMs: number): void {
    const opened = Array.from({ length: count }, () => ({
      id: orderIdOf(this.poolId, ++this.serial),
      sinceMs: nowMs,
    }));
    this.slots = [...this.slots, ...opened];
  }
}
