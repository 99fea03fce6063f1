import type { Clock } from '../../../application/ports/clock.js';
import { ApiUnreachableError } from './api-error.js';

/**
 * Abort signal of one request, tied to its caller's signal and to a time limit that can be moved. `end` unties both,
 * so that a signal that lives as long as the process gathers no listeners.
 */
export class Lifetime {
  private readonly controller = new AbortController();
  private readonly timer = new AbortController();
  private heardMs: number;
  private limitMs = 0;
  private watching = false;
  private readonly onParentAbort = (): void => this.abort(this.parent?.reason);

  constructor(
    private readonly clock: Clock,
    readonly parent?: AbortSignal,
  ) {
    this.heardMs = clock.now();
    if (parent?.aborted === true) this.abort(parent.reason);
    else parent?.addEventListener('abort', this.onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on, silence of `limitMs` aborts. */
  limitSilence(limitMs: number): void {
    this.limitMs = limitMs;
    this.heard();
    if (!this.watching) void this.watch();
  }

  heard(): void {
    this.heardMs = this.clock.now();
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
    this.end();
  }

  end(): void {
    this.parent?.removeEventListener('abort', this.onParentAbort);
    this.timer.abort();
  }

  /** One timer for many signs of life: when it rings it looks how long the silence really was. */
  private async watch(): Promise<void> {
    this.watching = true;
    while (!this.timer.signal.aborted) {
      const leftMs = this.heardMs + this.limitMs - this.clock.now();
      if (leftMs <= 0) {
        this.abort(new SilenceError(this.limitMs));
        return;
      }
      await this.clock.sleep(leftMs, this.timer.signal).catch(() => undefined);
    }
  }
}

/** Nothing was heard on an open connection for the limit. */
export class SilenceError extends ApiUnreachableError {
  constructor(limitMs: number) {
    super(`nothing was heard from the Kubernetes API for ${limitMs / 1000} s`);
    this.name = 'SilenceError';
  }
}
