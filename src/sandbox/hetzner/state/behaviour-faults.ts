import type { Labels } from '../api/labels.js';

export interface ActionError {
  readonly code: string;
  readonly message: string;
}

interface ActionFault {
  readonly command: string;
  /** Null: the action never ends. */
  readonly error: ActionError | null;
  left: number;
}

interface PageShift {
  readonly path: string;
  readonly change: () => void;
}

/** What goes wrong inside the cloud, beyond single requests (`hetzner` 4.9). */
export class BehaviourFaults {
  private actionFaults: ActionFault[] = [];
  private hiddenActions: { id: number | null; left: number }[] = [];
  private readonly droppedServers = new Map<number, number>();
  private pageShifts: PageShift[] = [];
  private nodeless: { matches: (labels: Labels) => boolean; left: number }[] = [];

  /** The next actions of this command end with the error. */
  failActions(command: string, error: ActionError, times = 1): void {
    this.actionFaults.push({ command, error, left: times });
  }

  /** The next actions of this command run for ever. */
  stickActions(command: string, times = 1): void {
    this.actionFaults.push({ command, error: null, left: times });
  }

  /** `GET /actions` leaves out one action (null: any) for so many polls. */
  hideAction(id: number | null, polls: number): void {
    this.hiddenActions.push({ id, left: polls });
  }

  /** Server lists leave out one server that exists. */
  dropFromList(serverId: number, times = 1): void {
    this.droppedServers.set(serverId, times);
  }

  /** Something happens between two pages: once, after the next page of this path that has a successor. */
  afterNextPage(path: string, change: () => void): void {
    this.pageShifts.push({ path, change });
  }

  /** The next servers with such labels run, but no node ever joins from them. */
  keepNodesAway(matches: (labels: Labels) => boolean, count = 1): void {
    this.nodeless.push({ matches, left: count });
  }

  clear(): void {
    this.actionFaults = [];
    this.hiddenActions = [];
    this.droppedServers.clear();
    this.pageShifts = [];
    this.nodeless = [];
  }

  takeActionFault(command: string): { readonly error: ActionError | null } | null {
    const fault = this.actionFaults.find((one) => one.command === command && one.left > 0);
    if (fault === undefined) return null;
    fault.left--;
    return { error: fault.error };
  }

  takeHiddenAction(id: number): boolean {
    const hidden = this.hiddenActions.find((one) => (one.id === null || one.id === id) && one.left > 0);
    if (hidden !== undefined) hidden.left--;
    return hidden !== undefined;
  }

  takeDroppedServer(id: number): boolean {
    const left = this.droppedServers.get(id) ?? 0;
    if (left > 0) this.droppedServers.set(id, left - 1);
    return left > 0;
  }

  takePageShift(path: string): void {
    const index = this.pageShifts.findIndex((shift) => shift.path === path);
    if (index >= 0) this.pageShifts.splice(index, 1)[0]!.change();
  }

  takeNodeless(labels: Labels): boolean {
    const rule = this.nodeless.find((one) => one.left > 0 && one.matches(labels));
    if (rule !== undefined) rule.left--;
    return rule !== undefined;
  }
}
