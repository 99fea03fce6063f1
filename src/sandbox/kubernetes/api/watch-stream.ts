import type { Kind } from '../objects/kind.js';
import { expired } from '../objects/api-error.js';

/** Lines that wait for a slow client; a watch that falls behind further is ended, as the API server does. */
const BACKLOG_MAX = 200_000;
/** Objects of the initial state in one piece of text: the state of a large cluster fits into no string. */
const STATE_CHUNK = 500;

/** The connection broke: the transport cuts the answer off. */
export class WatchCut extends Error {
  constructor() {
    super('watch cut off');
    this.name = 'WatchCut';
  }
}

export function watchLine(type: string, objectJson: string): string {
  return `{"type":"${type}","object":${objectJson}}\n`;
}

/** Lines of one open watch, between the server that writes and the client that reads. */
export class WatchStream implements AsyncIterable<string> {
  /** What the watch begins with, rendered as the client takes it; events come after. */
  private state: Iterator<string> | null = null;
  private lines: string[] = [];
  private ended = false;
  private broken = false;
  private silent = false;
  private wake: (() => void) | null = null;
  private readonly closeListeners: (() => void)[] = [];

  constructor(
    readonly kind: Kind,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.close(), { once: true });
    if (signal.aborted) this.ended = true;
  }

  get isOpen(): boolean {
    return !this.ended;
  }

  /** Called once, when the watch is over for whatever reason. */
  onClose(listener: () => void): void {
    if (this.ended) listener();
    else this.closeListeners.push(listener);
  }

  /** The lines that come before all events. */
  begin(state: Iterator<string>): void {
    this.state = state;
  }

  send(type: string, objectJson: string): void {
    if (this.ended || this.silent) return;
    this.lines.push(watchLine(type, objectJson));
    if (this.lines.length > BACKLOG_MAX) this.end();
    else this.wakeReader();
  }

  silence(): void {
    this.silent = true;
    this.state = null;
    this.lines = [];
  }

  /** Tells the client that its version is forgotten, and ends. */
  expire(): void {
    this.send('ERROR', JSON.stringify(expired('too old resource version').status()));
    this.end();
  }

  /** No more lines; those that wait are still read. */
  end(): void {
    if (!this.silent) this.close();
  }

  /** Breaks off; lines that wait are lost. */
  cut(): void {
    this.broken ||= !this.ended;
    this.close();
  }

  /** Not a generator: a generator that waits for a line could not be left before the line comes. */
  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => this.next(),
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  private async next(): Promise<IteratorResult<string>> {
    while (true) {
      if (this.broken) throw new WatchCut();
      const state = this.stateChunk();
      if (state !== '') return { done: false, value: state };
      if (this.lines.length > 0) {
        const text = this.lines.join('');
        this.lines = [];
        return { done: false, value: text };
      }
      if (this.ended) return { done: true, value: undefined };
      await this.nextLine();
    }
  }

  /** Empty once all of it is told. */
  private stateChunk(): string {
    const chunk: string[] = [];
    while (this.state !== null && chunk.length < STATE_CHUNK) {
      const line = this.state.next();
      if (line.done === true) this.state = null;
      else chunk.push(line.value);
    }
    return chunk.join('');
  }

  private nextLine(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private wakeReader(): void {
    const wake = this.wake;
    this.wake = null;
    wake?.();
  }

  private close(): void {
    if (this.ended) return;
    this.ended = true;
    this.wakeReader();
    for (const listener of this.closeListeners.splice(0)) listener();
  }
}
