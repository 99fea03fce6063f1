import { EventQueue } from './event-queue.js';
import { eventLoopTurn, sleepOn } from './sleep.js';
import type { ScheduledTask, WorldClock } from './world-clock.js';

/** Turns in a row without any sign of work before the process counts as settled. */
const QUIET_TURNS = 3;
/** About a second of turns: work that goes on for longer is a loop, not a chain of promises. */
const TURNS_MAX = 1_000_000;
/** Names of pending work in Node.js: immediates, and requests to the file system. */
const VISIBLE_WORK = /^(Immediate|FSReq.*|CloseReq)$/;
/** 2026-01-01T00:00:00Z, so that histories can be compared. */
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);

/**
 * Time that moves only when told to. Between two tasks, and before it returns, it lets all that the last task set
 * in motion come to rest: it turns the event loop until three turns in a row show no sign of work.
 *
 * A turn drains promises, microtasks and next-ticks of any depth, and with them everything that in-process HTTP does
 * (undici handlers, web streams, async generators). Signs of work are: something was scheduled or yielded
 * on this clock, an immediate is pending, a file is being read or written, or a {@link hold} is open. What runs on
 * none of these (sockets, zlib, worker threads, real timers) is invisible and must be held open by its starter.
 */
export class VirtualClock implements WorldClock {
  private readonly queue = new EventQueue();
  private nowMs: number;
  /** Grows with every use of the clock. */
  private activity = 0;
  private holds = 0;
  private advancing = false;
  private stopped = false;

  constructor(startMs: number = DEFAULT_START_MS) {
    this.nowMs = startMs;
  }

  now(): number {
    return this.nowMs;
  }

  /** Number of tasks that wait for their time. */
  get pendingTasks(): number {
    return this.queue.size;
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    this.activity++;
    const event = this.queue.add(this.nowMs + Math.max(0, delayMs), task);
    if (this.stopped) this.queue.clear();
    return event;
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  yield(): Promise<void> {
    this.activity++;
    return eventLoopTurn();
  }

  stop(): void {
    this.stopped = true;
    this.queue.clear();
  }

  /** Keeps time from moving until the returned function is called: for work that the clock can't see. */
  hold(): () => void {
    this.holds++;
    let open = true;
    return () => {
      if (open) this.holds--;
      open = false;
    };
  }

  /** Lets work in motion come to rest; time stands still. Throws when it never does. */
  async settle(): Promise<void> {
    let quietTurns = 0;
    for (let turn = 0; quietTurns < QUIET_TURNS; turn++) {
      if (turn === TURNS_MAX)
        throw new Error(`work goes on and on at one moment: ${visibleWork().join(', ')}`);
      const before = this.activity;
      await eventLoopTurn();
      const quiet = this.activity === before && this.holds === 0 && visibleWork().length === 0;
      quietTurns = quiet ? quietTurns + 1 : 0;
    }
  }

  /**
   * Moves time forward by `ms`, running what falls due in order. A task that throws ends the advance at its moment
   * with its error.
   */
  async advance(ms: number): Promise<void> {
    await this.runUntilMoment(this.nowMs + ms, () => false);
  }

  /** Moves time forward until the predicate holds. Throws when it does not within `limitMs`. */
  async runUntil(predicate: () => boolean, limitMs: number): Promise<void> {
    const startMs = this.nowMs;
    const reached = await this.runUntilMoment(startMs + limitMs, predicate);
    if (!reached) throw new Error(`not so within ${limitMs} ms of virtual time: ${predicate.toString()}`);
  }

  /** Moves time forward until the promise settles, and gives its result. Throws when it does not within `limitMs`. */
  async complete<T>(promise: Promise<T>, limitMs: number = 60 * 60_000): Promise<T> {
    const outcome = { settled: false };
    const note = (): void => {
      outcome.settled = true;
    };
    promise.then(note, note);
    const reached = await this.runUntilMoment(this.nowMs + limitMs, () => outcome.settled);
    if (!reached) throw new Error(`the promise did not settle within ${limitMs} ms of virtual time`);
    return promise;
  }

  /** True as soon as the predicate holds; false at the end of the time. */
  private async runUntilMoment(endMs: number, predicate: () => boolean): Promise<boolean> {
    if (this.advancing) throw new Error('time is being moved already: advance is not re-entrant');
    this.advancing = true;
    try {
      await this.settle();
      while (!predicate()) {
        const event = this.queue.takeDue(endMs);
        if (event === null) {
          this.nowMs = Math.max(this.nowMs, endMs);
          return false;
        }
        this.nowMs = Math.max(this.nowMs, event.atMs);
        event.task();
        await this.settle();
      }
      return true;
    } finally {
      this.advancing = false;
    }
  }
}

/** Pending work of the process that says so by itself. */
function visibleWork(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => VISIBLE_WORK.test(name));
}
