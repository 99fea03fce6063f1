import type { PreparedNode } from './node-preparation.js';

/**
 * Nodes of an atomic group that are deleted together once all are ready (`scale-down` 8.7). Every member arrives or
 * fails within the time of its own waits, so nobody waits for ever (W49, W50).
 */
export class AtomicBatch {
  private readonly arrived: PreparedNode[] = [];
  private hasFailed = false;
  private isComplete = false;

  constructor(private readonly expected: number) {}

  /** Notes that the node is ready. */
  arrive(node: PreparedNode): 'complete' | 'waiting' | 'failed' {
    if (this.hasFailed) return 'failed';
    this.arrived.push(node);
    this.isComplete = this.arrived.length === this.expected;
    return this.isComplete ? 'complete' : 'waiting';
  }

  /** One member can't go: returns those that have waited for it. Later ones are told on arrival. */
  fail(): readonly PreparedNode[] {
    this.hasFailed = true;
    return this.take();
  }

  /** The members that have arrived; they are handed out once. */
  take(): readonly PreparedNode[] {
    return this.arrived.splice(0);
  }

  /** Members are still to come. */
  get isOpen(): boolean {
    return !this.hasFailed && !this.isComplete;
  }

  get waiting(): number {
    return this.arrived.length;
  }
}
