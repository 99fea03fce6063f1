import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import { refusal, zeroRefusal } from '../refusal.js';
import { livingWorkers } from '../state/pool-snapshot.js';
import type { PoolSnapshot, Worker } from '../state/pool-snapshot.js';

export interface WithdrawalBasis {
  /** Just read. */
  readonly fresh: PoolSnapshot;
  /** Machines to take back, at least 1. */
  readonly count: number;
  readonly minSize: number;
  /** Written by us and not seen yet; 0 where there is none. */
  readonly unseen: number;
  /** Workers that never came up may be deleted, too. */
  readonly mayCancelWorkers: boolean;
}

/** How to take machines back without touching one that runs. */
export type Withdrawal =
  | { readonly kind: 'lower-count'; readonly to: number }
  /** To be deleted by their ids. */
  | { readonly kind: 'cancel'; readonly workers: readonly Worker[] }
  | { readonly kind: 'refused'; readonly failure: CloudFailure };

/**
 * differs from upstream and `utho` 4.5: Utho picks the victims of a lower count among all workers that it has, those on
 * order that no list shows included. So the count is lowered only where no worker is left to be hit; beside workers,
 * orders that never come have to be waited for (case U055).
 */
export function planWithdrawal(basis: WithdrawalBasis): Withdrawal {
  const { fresh, count } = basis;
  const problem = checkSize(fresh, count, basis.minSize) ?? checkKnowledge(basis);
  if (problem !== null) return { kind: 'refused', failure: problem };
  const living = livingWorkers(fresh);
  const to = fresh.count - count;
  if (living.length === 0) return { kind: 'lower-count', to };
  const hasOrders = fresh.count > living.length;
  const workers = basis.mayCancelWorkers && !hasOrders ? newestWithoutNode(living).slice(0, count) : [];
  if (workers.length === count) return { kind: 'cancel', workers };
  const message = `cannot decrease node pool ${fresh.id} to ${to}: ${living.length} workers exist`;
  return { kind: 'refused', failure: refusal('existing-workers', message) };
}

/** Null where it is known what the platform has. */
function checkKnowledge({ fresh, unseen }: WithdrawalBasis): CloudFailure | null {
  if (unseen > 0) {
    const message = `the count ${unseen} that was written to node pool ${fresh.id} does not show yet`;
    return refusal('unseen-write', message, 'transient');
  }
  if (fresh.unreadable === 0) return null;
  const message = `node pool ${fresh.id} has workers that can't be read, so nobody knows what would be hit`;
  return refusal('unreadable-workers', message, 'transient');
}

/** Null where the size left is within the bounds. */
export function checkSize(
  { id, count: current }: { readonly id: string; readonly count: number },
  count: number,
  minSize: number,
): CloudFailure | null {
  const desired = current - count;
  if (desired < minSize) {
    const sizes = `current size: ${current}, desired size: ${desired}, minimum size: ${minSize}`;
    return refusal('min-size', `node group ${id}: size decrease is too small. ${sizes}`);
  }
  return desired < 1 ? zeroRefusal(id) : null;
}

/** Ids are given in order, so the largest is the newest. */
function newestWithoutNode(living: readonly Worker[]): readonly Worker[] {
  return living
    .filter((worker) => worker.state === 'creating' && !worker.mayRun)
    .sort((left, right) => compareIds(right.record.id, left.record.id));
}

function compareIds(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
