import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';

/** Where the parts of one answer go: an undici handler of either generation. */
export interface ResponseSink {
  /** Hands the client what it needs to abort. It may abort at once. */
  start(): void;
  /** The client takes no more for now if false; `onResume` of {@link sinkFor} tells when it does again. */
  head(status: number, headers: Readonly<Record<string, string>>): boolean;
  data(chunk: string): boolean;
  end(): void;
  error(error: Error): void;
}

export interface SinkEvents {
  readonly onAbort: (reason?: Error) => void;
  readonly onResume: () => void;
}

/** undici's own calls still speak the first generation of handlers; interceptors speak the second. */
export function sinkFor(handler: Dispatcher.DispatchHandler, events: SinkEvents): ResponseSink {
  return handler.onRequestStart === undefined
    ? new FirstGenerationSink(handler, events)
    : new SecondGenerationSink(handler, events);
}

/* eslint-disable @typescript-eslint/no-deprecated -- undici 7 deprecates these handlers, and uses them itself */
class FirstGenerationSink implements ResponseSink {
  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly events: SinkEvents,
  ) {}

  start(): void {
    this.handler.onConnect?.((reason) => this.events.onAbort(reason));
  }

  head(status: number, headers: Readonly<Record<string, string>>): boolean {
    const raw = Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from(name),
      Buffer.from(value, 'latin1'),
    ]);
    this.handler.onResponseStarted?.();
    const more = this.handler.onHeaders?.(
      status,
      raw,
      () => this.events.onResume(),
      STATUS_CODES[status] ?? '',
    );
    return more !== false;
  }

  data(chunk: string): boolean {
    return this.handler.onData?.(Buffer.from(chunk)) !== false;
  }

  end(): void {
    this.handler.onComplete?.([]);
  }

  error(error: Error): void {
    this.handler.onError?.(error);
  }
}
/* eslint-enable @typescript-eslint/no-deprecated */

class SecondGenerationSink implements ResponseSink {
  private readonly controller: Controller;

  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    events: SinkEvents,
  ) {
    this.controller = new Controller(events);
  }

  start(): void {
    this.handler.onRequestStart?.(this.controller, {});
  }

  head(status: number, headers: Readonly<Record<string, string>>): boolean {
    this.handler.onResponseStart?.(this.controller, status, { ...headers }, STATUS_CODES[status] ?? '');
    return !this.controller.paused;
  }

  data(chunk: string): boolean {
    this.handler.onResponseData?.(this.controller, Buffer.from(chunk));
    return !this.controller.paused;
  }

  end(): void {
    this.handler.onResponseEnd?.(this.controller, {});
  }

  error(error: Error): void {
    this.handler.onResponseError?.(this.controller, error);
  }
}

class Controller implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(private readonly events: SinkEvents) {}

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.events.onAbort(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.events.onResume();
  }
}
