import type { FrontRequest, FrontResponse } from './front.js';

/**
 * What goes wrong.
 *
 * - `answer`: this answer instead of the service's; nothing happens in the world.
 * - `commit-then-answer`: the service does its work, then this answer is given.
 * - `cut-before` / `cut-after`: the connection ends without an answer, before or after the work was done.
 * - `delay`: everything comes `ms` of world time later.
 * - `hang`: nothing happens until the world time `untilMs`, then the request is served.
 * - `drop`: the request vanishes: never served, never answered, until the client leaves.
 * - `rewrite`: the service's answer is changed on its way, e.g. truncated.
 */
export type FaultAction =
  | {
      readonly kind: 'answer' | 'commit-then-answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'cut-before' | 'cut-after' | 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'hang'; readonly untilMs: number }
  | { readonly kind: 'rewrite'; readonly change: (response: FrontResponse) => FrontResponse };

/** Which requests it hits; absent parts match everything. */
export interface FaultMatch {
  readonly method?: string;
  /** Exact path, or a pattern on the path. */
  readonly path?: string | RegExp;
  readonly when?: (request: FrontRequest) => boolean;
}

export interface FaultRule {
  /** To find and remove it by. Default: `fault-<n>`. */
  readonly id?: string;
  readonly match?: FaultMatch;
  /** Matching requests let through at first. Default 0. */
  readonly after?: number;
  /** Hits before the rule is spent. Default: without end. */
  readonly times?: number;
  /** Hits only every n-th matching request, beginning with the first after `after`. Default 1. */
  readonly every?: number;
  /** Chance of a hit, drawn from the plan's random stream. Default 1. */
  readonly probability?: number;
  readonly action: FaultAction;
}

export interface ArmedFault {
  readonly id: string;
  readonly rule: FaultRule;
  /** Requests that matched, hit or not. */
  readonly seen: number;
  readonly hits: number;
}

/** The faults of one front, by code, by API or by scenario. Rules are asked in the order in which they were added. */
export class FaultPlan {
  private faults: { id: string; rule: FaultRule; seen: number; hits: number }[] = [];
  private serial = 0;

  /** `chance` gives numbers in [0, 1) for rules with a probability. */
  constructor(private readonly chance: () => number) {}

  /** Returns the rule's id. A rule of the same id is replaced. */
  add(rule: FaultRule): string {
    const id = rule.id ?? `fault-${++this.serial}`;
    this.remove(id);
    this.faults.push({ id, rule, seen: 0, hits: 0 });
    return id;
  }

  remove(id: string): boolean {
    const before = this.faults.length;
    this.faults = this.faults.filter((fault) => fault.id !== id);
    return this.faults.length < before;
  }

  clear(): void {
    this.faults = [];
  }

  list(): readonly ArmedFault[] {
    return this.faults;
  }

  /**
   * The actions that hit this request, in order: any number of delays, and at most one other, which ends the list.
   * Asks only the rules whose action is of these kinds, so that a front can ask at several stages of its work and
   * each rule still counts a request once.
   */
  actionsFor(request: FrontRequest, kinds: ReadonlySet<FaultAction['kind']>): readonly FaultAction[] {
    const actions: FaultAction[] = [];
    for (const fault of this.faults) {
      if (!kinds.has(fault.rule.action.kind) || !matches(fault.rule.match ?? {}, request)) continue;
      fault.seen++;
      if (!this.isDue(fault)) continue;
      fault.hits++;
      actions.push(fault.rule.action);
      if (fault.rule.action.kind !== 'delay') break;
    }
    return actions;
  }

  private isDue(fault: { rule: FaultRule; seen: number; hits: number }): boolean {
    const { after = 0, times = Infinity, every = 1, probability = 1 } = fault.rule;
    if (fault.seen <= after || fault.hits >= times) return false;
    if ((fault.seen - after - 1) % every !== 0) return false;
    return probability >= 1 || this.chance() < probability;
  }
}

function matches(match: FaultMatch, request: FrontRequest): boolean {
  if (match.method !== undefined && match.method !== request.method) return false;
  if (typeof match.path === 'string' && match.path !== request.path) return false;
  if (match.path instanceof RegExp && request.path.search(match.path) < 0) return false;
  return match.when === undefined || match.when(request);
}
