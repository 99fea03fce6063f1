import type { Clock } from '../../../application/ports/clock.js';
import { ApiError } from '../client/api-error.js';
import { ACTIONS_PER_CALL } from '../client/hetzner-api.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { Action } from '../client/records.js';

const FIRST_POLL_MS = 500;
const GROWTH = 1.5;
const INTERVAL_MS_MAX = 5_000;
/** Answers in a row that may lack an action before it counts as lost. */
const MISSING_MAX = 3;

export type ActionOutcome =
  | { readonly kind: 'success' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** The API no longer knows the action: look at the resource itself. */
  | { readonly kind: 'lost' };

interface OpenAction {
  readonly settle: (outcome: ActionOutcome) => void;
  missing: number;
}

export interface PollerOptions {
  readonly intervalMs: number;
  readonly isBudgetLow: () => boolean;
  /** Ends all polling. */
  readonly lifetime: AbortSignal;
}

/** Watches all open actions with one request for up to 25 of them. */
export class ActionPoller {
  private readonly open = new Map<number, OpenAction>();
  private intervalMs = FIRST_POLL_MS;
  private running = false;

  constructor(
    private readonly api: HetznerApi,
    private readonly clock: Clock,
    private readonly options: PollerOptions,
  ) {}

  /** Settles when the action is over. Rejects with the signal's reason when that comes first. */
  wait(action: Action, signal: AbortSignal): Promise<ActionOutcome> {
    const known = outcomeOf(action);
    if (known !== null) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.open.delete(action.id);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const settle = (outcome: ActionOutcome): void => {
        this.open.delete(action.id);
        signal.removeEventListener('abort', onAbort);
        resolve(outcome);
      };
      this.open.set(action.id, { settle, missing: 0 });
      this.intervalMs = FIRST_POLL_MS;
      this.start();
    });
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    this.run().catch(() => {
      // Only the end of the lifetime gets here; who waits hears of it by an own signal.
      this.running = false;
    });
  }

  private async run(): Promise<void> {
    while (this.open.size > 0) {
      await this.clock.sleep(this.nextIntervalMs(), this.options.lifetime);
      const ids = [...this.open.keys()];
      for (let start = 0; start < ids.length; start += ACTIONS_PER_CALL) {
        await this.poll(ids.slice(start, start + ACTIONS_PER_CALL));
      }
    }
    this.running = false;
  }

  private nextIntervalMs(): number {
    const intervalMs = this.intervalMs;
    const cap = Math.min(INTERVAL_MS_MAX, Math.max(this.options.intervalMs, intervalMs * GROWTH));
    this.intervalMs = cap;
    return this.options.isBudgetLow() ? INTERVAL_MS_MAX : intervalMs;
  }

  private async poll(ids: readonly number[]): Promise<void> {
    let actions;
    try {
      // The next round is the retry.
      actions = await this.api.actions(ids, { signal: this.options.lifetime, retriesMax: 0 });
    } catch (error) {
      this.options.lifetime.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      return;
    }
    const byId = new Map(actions.map((action) => [action.id, action]));
    for (const id of ids) this.noteAnswer(id, byId.get(id));
  }

  private noteAnswer(id: number, action: Action | undefined): void {
    const entry = this.open.get(id);
    if (entry === undefined) return;
    if (action === undefined) {
      if (++entry.missing >= MISSING_MAX) entry.settle({ kind: 'lost' });
      return;
    }
    entry.missing = 0;
    const outcome = outcomeOf(action);
    if (outcome !== null) entry.settle(outcome);
  }
}

function outcomeOf(action: Action): ActionOutcome | null {
  if (action.error !== null) return { kind: 'error', ...action.error };
  return action.status === 'success' ? { kind: 'success' } : null;
}
