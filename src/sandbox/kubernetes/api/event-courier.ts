import type { StoreEvent } from '../store/collection.js';
import type { ScheduledTask, WorldClock } from '../../world/world-clock.js';
import type { ApiFaults } from './api-faults.js';

/** How long a change waits for another one that overtakes it. */
const OVERTAKEN_WITHIN_MS = 200;

/**
 * Brings the changes of a collection to one watch: at once and in order, or late, or out of order where a fault says
 * so. A change is overtaken by the next one of another object only: no client could tell which of two states of one
 * object is the last.
 */
export class EventCourier {
  private readonly tasks = new Set<ScheduledTask>();
  private held: StoreEvent | null = null;
  private lastDueMs = 0;

  constructor(
    private readonly clock: WorldClock,
    private readonly faults: ApiFaults,
    private readonly deliver: (event: StoreEvent) => void,
  ) {}

  /** Changes that the client does not know yet, though later ones may be there. */
  get isBusy(): boolean {
    return this.tasks.size > 0;
  }

  take(event: StoreEvent): void {
    const nowMs = this.clock.now();
    const dueMs = Math.max(nowMs + this.faults.eventDelayMs, this.lastDueMs);
    if (dueMs <= nowMs) this.hand(event);
    else {
      this.lastDueMs = dueMs;
      this.later(dueMs - nowMs, () => this.hand(event));
    }
  }

  stop(): void {
    for (const task of this.tasks) task.cancel();
    this.tasks.clear();
    this.held = null;
  }

  private hand(event: StoreEvent): void {
    if (this.held !== null && this.held.current.key === event.current.key) this.handHeld();
    if (this.held === null && this.faults.reorders) {
      this.held = event;
      this.later(OVERTAKEN_WITHIN_MS, () => this.handHeld());
      return;
    }
    this.deliver(event);
    this.handHeld();
  }

  private handHeld(): void {
    const { held } = this;
    this.held = null;
    if (held !== null) this.deliver(held);
  }

  private later(delayMs: number, task: () => void): void {
    const scheduled = this.clock.schedule(delayMs, () => {
      this.tasks.delete(scheduled);
      task();
    });
    this.tasks.add(scheduled);
  }
}
