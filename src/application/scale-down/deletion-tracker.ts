import { inject, injectable } from 'inversify';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { DeletionsInProgress } from '../../domain/observation.js';
import type { EndedDeletion, NodeRemoval } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { DeletionFailure } from './node-delete-result.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** A deletion that ended, until the loop collects it. */
export interface DeletionRecord extends EndedDeletion {
  readonly removal: NodeRemoval;
  /** Null: the cloud has accepted the deletion. */
  readonly failure: DeletionFailure | null;
}

/** Results that nobody collects are dropped, oldest first: ten iterations of a large scale-down. */
const RECORDS_MAX = 1_000;
/** Evictions remembered at most: as many pods as a hundred full nodes hold. */
const EVICTIONS_MAX = 11_000;

/** The book of deletions under way (`scale-down` 8.14). It lives in this process only. */
@injectable()
export class DeletionTracker {
  private readonly underWay = new Map<string, NodeRemoval>();
  private evictions: { readonly pod: Pod; readonly evictedMs: number }[] = [];
  private records: DeletionRecord[] = [];

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  start(removal: NodeRemoval): void {
    this.underWay.set(removal.node.name, removal);
  }

  end(removal: NodeRemoval, failure: DeletionFailure | null): void {
    this.underWay.delete(removal.node.name);
    const { groupId } = removal;
    this.records.push({ removal, failure, groupId, endedMs: this.clock.now(), outcome: outcomeOf(failure) });
    this.records = this.records.slice(-RECORDS_MAX);
  }

  /** The process no longer leads: what becomes of the deletion is the successor's affair. */
  forget(removal: NodeRemoval): void {
    this.underWay.delete(removal.node.name);
  }

  isDeleting(nodeName: string): boolean {
    return this.underWay.has(nodeName);
  }

  registerEviction(pod: Pod): void {
    if (this.settings.policy.evictedPodRetentionMs <= 0) return;
    this.evictions.push({ pod, evictedMs: this.clock.now() });
    this.evictions = this.evictions.slice(-EVICTIONS_MAX);
  }

  /** A copy: later changes do not show. Evictions as old as the retention are dropped. */
  inProgress(): DeletionsInProgress {
    const removals = [...this.underWay.values()];
    const names = (isEmpty: boolean) =>
      removals.filter((removal) => removal.isEmpty === isEmpty).map(({ node }) => node.name);
    const oldestMs = this.clock.now() - this.settings.policy.evictedPodRetentionMs;
    this.evictions = this.evictions.filter(({ evictedMs }) => evictedMs > oldestMs);
    return { empty: names(true), drained: names(false), recentEvictions: [...this.evictions] };
  }

  /** Deletions that ended since the last call, oldest first. */
  collect(): readonly DeletionRecord[] {
    const collected = this.records;
    this.records = [];
    return collected;
  }
}

function outcomeOf(failure: DeletionFailure | null): EndedDeletion['outcome'] {
  if (failure === null) return 'deleted';
  return failure.code === 'NodeDeleteErrorFailedToDelete' ? 'refused' : 'aborted';
}
