import type { ScheduledTask } from './world-clock.js';

/** One task in its place in time. */
export interface QueuedEvent extends ScheduledTask {
  readonly atMs: number;
  readonly sequence: number;
  readonly task: () => void;
  readonly cancelled: boolean;
}

class Entry implements QueuedEvent {
  cancelled = false;

  constructor(
    readonly atMs: number,
    readonly sequence: number,
    readonly task: () => void,
    private readonly onCancel: () => void,
  ) {}

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.onCancel();
  }
}

/** Below this size cancelled entries are left to be met in passing. */
const COMPACTION_SIZE_MIN = 64;

/** Tasks by time, then by order of arrival: a binary heap. Cancelled entries are skipped, and swept when they dominate. */
export class EventQueue {
  private heap: Entry[] = [];
  private sequence = 0;
  private cancelledCount = 0;

  /** Tasks that still wait. */
  get size(): number {
    return this.heap.length - this.cancelledCount;
  }

  add(atMs: number, task: () => void): QueuedEvent {
    const entry = new Entry(atMs, this.sequence++, task, () => this.noteCancelled());
    this.heap.push(entry);
    this.siftUp(this.heap.length - 1);
    return entry;
  }

  /** The next task; stays in the queue. */
  peek(): QueuedEvent | null {
    while (this.heap[0]?.cancelled === true) {
      this.removeFirst();
      this.cancelledCount--;
    }
    return this.heap[0] ?? null;
  }

  /** Takes out the next task that is due at `nowMs`. It can't be cancelled any more. */
  takeDue(nowMs: number): QueuedEvent | null {
    const next = this.peek();
    if (next === null || next.atMs > nowMs) return null;
    const entry = this.removeFirst();
    entry.cancelled = true;
    return entry;
  }

  clear(): void {
    for (const entry of this.heap) entry.cancelled = true;
    this.heap = [];
    this.cancelledCount = 0;
  }

  private noteCancelled(): void {
    this.cancelledCount++;
    if (this.heap.length < COMPACTION_SIZE_MIN || this.cancelledCount * 2 < this.heap.length) return;
    // A sorted array is a heap.
    this.heap = this.heap.filter((entry) => !entry.cancelled).sort(compare);
    this.cancelledCount = 0;
  }

  private removeFirst(): Entry {
    const first = this.heap[0]!;
    const last = this.heap.pop()!;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.siftDown();
    }
    return first;
  }

  private siftUp(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (compare(this.heap[index]!, this.heap[parent]!) >= 0) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private siftDown(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.heap.length) return;
      const right = left + 1;
      const rightIsSmaller = right < this.heap.length && compare(this.heap[right]!, this.heap[left]!) < 0;
      const child = rightIsSmaller ? right : left;
      if (compare(this.heap[index]!, this.heap[child]!) <= 0) return;
      this.swap(index, child);
      index = child;
    }
  }

  private swap(a: number, b: number): void {
    const entry = this.heap[a]!;
    this.heap[a] = this.heap[b]!;
    this.heap[b] = entry;
  }
}

function compare(a: QueuedEvent, b: QueuedEvent): number {
  return a.atMs - b.atMs || a.sequence - b.sequence;
}
