import type { Labels } from '../kubernetes/labels.js';
import type { Pod } from '../kubernetes/pod.js';
import { labelSelectorMatches } from '../kubernetes/match-selector.js';
import type { DisruptionBudget } from '../kubernetes/workload.js';

/** A budget with what is left of it. */
interface Account {
  readonly budget: DisruptionBudget;
  /** May go below zero: pods that are safe to evict are subtracted without being checked. */
  remaining: number;
}

/** Whether pods may leave, judged by the budgets as they stand. */
export interface DisruptionAnswer {
  readonly possible: boolean;
  /** All of them at once. */
  readonly inParallel: boolean;
  /** The pod that stands in the way of one or the other. */
  readonly blocker: Pod | null;
}

/** Running account of disruption budgets while nodes are accepted for removal (`scale-down` 6). */
export class DisruptionTracker {
  private readonly accountsByNamespace = new Map<string, Account[]>();
  /** Pods of one workload share their labels, so matching is paid once per workload. */
  private readonly matches = new Map<Account[], Map<Labels, readonly Account[]>>();
  private readonly removed = new Set<string>();

  constructor(budgets: readonly DisruptionBudget[]) {
    for (const budget of budgets) {
      const account = { budget, remaining: budget.disruptionsAllowed };
      const accounts = this.accountsByNamespace.get(budget.namespace);
      if (accounts === undefined) this.accountsByNamespace.set(budget.namespace, [account]);
      else accounts.push(account);
    }
  }

  matching(pod: Pod): readonly DisruptionBudget[] {
    return this.accountsOf(pod).map(({ budget }) => budget);
  }

  /** A budget that forbids the pod's eviction; one that forbade it from the start is named first. */
  exhausted(pod: Pod): DisruptionBudget | undefined {
    let exhausted: DisruptionBudget | undefined;
    for (const { budget, remaining } of this.accountsOf(pod)) {
      if (remaining >= 1) continue;
      if (budget.disruptionsAllowed < 1) return budget;
      exhausted ??= budget;
    }
    return exhausted;
  }

  /** The pod is blocked only since nodes were accepted before, and would not be otherwise. */
  isExhaustedByPlan(pod: Pod): boolean {
    return (this.exhausted(pod)?.disruptionsAllowed ?? 0) >= 1;
  }

  canRemove(pods: readonly Pod[]): DisruptionAnswer {
    const wanted = new Map<Account, number>();
    let blocker: Pod | null = null;
    for (const pod of pods) {
      for (const account of this.accountsOf(pod)) {
        if (account.remaining < 1) return { possible: false, inParallel: false, blocker: pod };
        const count = (wanted.get(account) ?? 0) + 1;
        wanted.set(account, count);
        if (count > account.remaining) blocker ??= pod;
      }
    }
    return { possible: true, inParallel: blocker === null, blocker };
  }

  /**
   * Subtracts the pods. differs from upstream: a pod that moves twice in one simulation is subtracted once, as it is
   * evicted once (W12).
   */
  remove(pods: readonly Pod[]): void {
    for (const pod of pods) {
      const accounts = this.accountsOf(pod);
      if (accounts.length === 0 || this.removed.has(pod.uid)) continue;
      this.removed.add(pod.uid);
      for (const account of accounts) account.remaining--;
    }
  }

  private accountsOf(pod: Pod): readonly Account[] {
    const accounts = this.accountsByNamespace.get(pod.namespace);
    if (accounts === undefined) return NO_ACCOUNTS;
    const byLabels = this.matches.get(accounts) ?? new Map<Labels, readonly Account[]>();
    this.matches.set(accounts, byLabels);
    let matching = byLabels.get(pod.labels);
    if (matching === undefined) {
      matching = accounts.filter(({ budget }) => labelSelectorMatches(budget.selector, pod.labels));
      byLabels.set(pod.labels, matching);
    }
    return matching;
  }
}

const NO_ACCOUNTS: readonly Account[] = [];
