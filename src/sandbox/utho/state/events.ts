import type { WorkerState } from './records.js';

/** Who made something happen; `number` is the request's in the journal. */
export type Cause =
  | { readonly kind: 'request'; readonly number: number }
  /** Somebody at the console: the world's own interface. */
  | { readonly kind: 'console' }
  /** The platform's own scaling rules. */
  | { readonly kind: 'policy' }
  /** The platform keeping its promises. */
  | { readonly kind: 'platform' };

interface EventBase {
  readonly atMs: number;
  readonly clusterId: string;
  readonly poolId: string;
  readonly cause: Cause;
}

/** A worker goes: drawn because there were too many, deleted by name, or lost outside of the pool's control. */
export interface WorkerEvent extends EventBase {
  readonly kind: 'victim' | 'named' | 'lost';
  /** Null: it had no record yet. */
  readonly workerId: string | null;
  readonly hostname: string;
  /** Its state at that moment. */
  readonly state: WorkerState;
  /** Of the pool at that moment; for a victim the count that made it one. */
  readonly count: number;
  /** Live workers of the pool, this one included. */
  readonly live: number;
}

export interface CountEvent extends EventBase {
  readonly kind: 'count';
  readonly from: number;
  readonly to: number;
}

export interface PoolEvent extends EventBase {
  readonly kind: 'pool-removed' | 'pool-renamed' | 'plan-changed';
  /** The new name or plan; empty for a removal. */
  readonly to: string;
}

export type UthoEvent = WorkerEvent | CountEvent | PoolEvent;

type WithoutTime<E> = E extends unknown ? Omit<E, 'atMs'> : never;

/** Events remembered, at most; the oldest are forgotten. */
const EVENTS_MAX = 10_000;

export class EventLog {
  private events: UthoEvent[] = [];

  constructor(private readonly now: () => number) {}

  add(event: WithoutTime<UthoEvent>): void {
    this.events.push({ ...event, atMs: this.now() });
    // In steps, since shifting one by one would move the whole list each time.
    if (this.events.length > 1.1 * EVENTS_MAX) this.events = this.events.slice(-EVENTS_MAX);
  }

  list(): readonly UthoEvent[] {
    return this.events;
  }
}
