import { EventQueue } from './event-queue.js';
import { eventLoopTurn, sleepOn } from './sleep.js';
import type { ScheduledTask, WorldClock } from './world-clock.js';

/** Longest delay that a timer of Node.js can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** World time that runs `factor` times as fast as real time. */
export class AcceleratedClock implements WorldClock {
  private readonly queue = new EventQueue();
  private readonly realStartMs = performance.now();
  private timer: NodeJS.Timeout | null = null;
  /** World time for which the timer is set; null: there is none. */
  private armedForMs: number | null = null;
  private stopped = false;

  constructor(
    private readonly factor: number,
    /** World time at the beginning. */
    private readonly startMs: number = Date.now(),
  ) {
    if (!(factor > 0)) throw new RangeError(`a clock runs forward: factor ${factor}`);
  }

  now(): number {
    return Math.floor(this.startMs + (performance.now() - this.realStartMs) * this.factor);
  }

  schedule(delayMs: number, task: () => void): ScheduledTask {
    const event = this.queue.add(this.now() + Math.max(0, delayMs), task);
    if (this.stopped) this.queue.clear();
    this.arm();
    return {
      cancel: () => {
        event.cancel();
        // A timer for nothing would keep the process alive.
        this.arm();
      },
    };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  yield(): Promise<void> {
    return eventLoopTurn();
  }

  stop(): void {
    this.stopped = true;
    this.queue.clear();
    this.arm();
  }

  /** One timer, set to the first task: timers of different lengths would not keep the order of one moment. */
  private arm(): void {
    const next = this.queue.peek();
    if (this.armedForMs === (next?.atMs ?? null)) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.armedForMs = next?.atMs ?? null;
    if (next === null) return;
    const realMs = Math.ceil((next.atMs - this.now()) / this.factor);
    this.timer = setTimeout(() => this.runDue(), Math.min(Math.max(0, realMs), TIMER_MS_MAX));
  }

  private runDue(): void {
    this.timer = null;
    this.armedForMs = null;
    const nowMs = this.now();
    try {
      for (let event = this.queue.takeDue(nowMs); event !== null; event = this.queue.takeDue(nowMs)) {
        event.task();
      }
    } finally {
      this.arm();
    }
  }
}

/** World time is the time on the wall. */
export class RealClock extends AcceleratedClock {
  constructor() {
    super(1);
  }
}
