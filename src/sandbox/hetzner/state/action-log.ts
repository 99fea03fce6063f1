import type { ActionRecord } from './records.js';

/** Finished actions stay readable this long. */
const RETENTION_MS = 24 * 3_600_000;
/** Old ones are looked for after so many new ones. */
const SWEEP_INTERVAL = 500;

/** The actions of one project, oldest first. */
export class ActionLog {
  private readonly actions = new Map<number, ActionRecord>();
  private sinceSweep = 0;

  constructor(private readonly now: () => number) {}

  add(action: ActionRecord): void {
    this.actions.set(action.id, action);
    if (++this.sinceSweep >= SWEEP_INTERVAL) this.sweep();
  }

  get(id: number): ActionRecord | null {
    const action = this.actions.get(id);
    return action === undefined || this.isOld(action) ? null : action;
  }

  ofResource(type: string, id: number): readonly ActionRecord[] {
    const concerns = (action: ActionRecord): boolean =>
      action.resources.some((resource) => resource.type === type && resource.id === id);
    return [...this.actions.values()].filter((action) => !this.isOld(action) && concerns(action));
  }

  private isOld(action: ActionRecord): boolean {
    return action.finishedMs !== null && action.finishedMs + RETENTION_MS < this.now();
  }

  private sweep(): void {
    this.sinceSweep = 0;
    for (const [id, action] of this.actions) if (this.isOld(action)) this.actions.delete(id);
  }
}
