import { UthoError } from './utho-error.js';

/** 256: one change for a pool at a time and one refresh; more waiting means that something went wrong. */
const WAITING_MAX = 256;

interface Waiting {
  readonly admit: () => void;
}

/** Lets a limited number of requests run at the same time; the others wait in their order. */
export class RequestQueue {
  private readonly queue = new Set<Waiting>();
  private free: number;

  constructor(count: number) {
    this.free = count;
  }

  /** Throws UthoError where the signal is aborted before its turn. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private async acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw unsent('aborted', 'the request was given up');
    if (this.free > 0) {
      this.free--;
      return;
    }
    if (this.queue.size >= WAITING_MAX) throw unsent('queue_full', 'too many requests wait already');
    await this.turn(signal);
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        admit: (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = (): void => {
        this.queue.delete(waiting);
        reject(unsent('aborted', 'the request was given up'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.queue.add(waiting);
    });
  }

  /** The slot passes on to whoever waits longest. */
  private release(): void {
    const [next] = this.queue;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.queue.delete(next);
    next.admit();
  }
}

function unsent(code: string, message: string): UthoError {
  return new UthoError({ class: 'transient', code, message, outcome: 'unsent', status: null });
}
