import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import { hasTaint, TO_BE_DELETED_TAINT } from '../../domain/kubernetes/taint.js';
import { toBeDeletedTaint } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { EventKind, NodePatch } from '../ports/cluster-writer.js';
import { ClusterWriteError, ClusterWriter } from '../ports/cluster-writer.js';
import { Incidents } from '../ports/incidents.js';
import { inParallel, messageOf } from './in-parallel.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Nodes marked at the same time (upstream constant). */
const PARALLEL_MARKS = 5;
const INCIDENT = 'deletion-marks';

/** Gives and takes the hard mark and the cordon that goes with it (`scale-down` 8.3, 8.9.1). */
@injectable()
export class NodeMarker {
  /** Nodes whose mark could not be taken, with the patch that is still owed. Bounded by the nodes ever marked. */
  private readonly owed = new Map<string, NodePatch>();

  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Marks all nodes or none; one that is gone counts as marked. Returns what went wrong, or null. */
  async markAll(nodes: readonly Node[], signal: AbortSignal): Promise<Error | null> {
    const failures = await inParallel(nodes, PARALLEL_MARKS, (node) => this.mark(node, signal));
    const failure = failures.find((one) => one !== null) ?? null;
    if (failure === null || signal.aborted) return failure;
    // A node whose mark failed may carry it all the same, as the reply may have been lost.
    await inParallel(nodes, PARALLEL_MARKS, (node) => this.unmark(node, signal));
    return failure;
  }

  /** Takes the mark, and the cordon if it is ours. What fails is tried again by {@link retryOwed}. */
  async unmark(node: Node, signal: AbortSignal): Promise<void> {
    await this.take(node.name, this.unmarking(node), signal);
  }

  /** Tries again to take marks that could not be taken before. */
  async retryOwed(signal: AbortSignal): Promise<void> {
    const owed = [...this.owed];
    await inParallel(owed, PARALLEL_MARKS, ([name, patch]) => this.take(name, patch, signal));
  }

  private async mark(node: Node, signal: AbortSignal): Promise<Error | null> {
    try {
      signal.throwIfAborted();
      this.owed.delete(node.name);
      // The writer leaves a mark that is there alone, but its time must be ours (W46).
      const isMarked = hasTaint(node.taints, TO_BE_DELETED_TAINT);
      if (isMarked) await this.writer.patchNode(node.name, { removeTaints: [TO_BE_DELETED_TAINT] }, signal);
      const cordon = this.settings.policy.cordonNodeBeforeTerminating ? { unschedulable: true } : {};
      const addTaints = [toBeDeletedTaint(this.clock.now())];
      await this.writer.patchNode(node.name, { addTaints, ...cordon }, signal);
      this.tell(node, 'Normal', 'ScaleDown', 'marked the node as toBeDeleted/unschedulable');
      return null;
    } catch (error) {
      // What else is decided on it will find that it is gone; the others must not wait for that.
      if (isGone(error)) return null;
      if (!signal.aborted) {
        const text = `failed to mark the node as toBeDeleted/unschedulable: ${messageOf(error)}`;
        this.tell(node, 'Warning', 'ScaleDownFailed', text);
      }
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  /** differs from upstream: a node that was cordoned before we marked it stays cordoned (W45). */
  private unmarking(node: Node): NodePatch {
    const isOurCordon = this.settings.policy.cordonNodeBeforeTerminating && !node.unschedulable;
    return { removeTaints: [TO_BE_DELETED_TAINT], ...(isOurCordon ? { unschedulable: false } : {}) };
  }

  private async take(name: string, patch: NodePatch, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      await this.writer.patchNode(name, patch, signal);
      this.settled(name);
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) return this.settled(name);
      this.owed.set(name, patch);
      this.incidents.happened(INCIDENT, 'deletion marks could not be taken back; it is tried again', error);
    }
  }

  private settled(name: string): void {
    this.owed.delete(name);
    if (this.owed.size === 0) this.incidents.over(INCIDENT);
  }

  private tell(node: Node, type: EventKind, reason: string, message: string): void {
    const subject = { kind: 'Node' as const, namespace: '', name: node.name, uid: node.uid };
    this.writer.recordEvent({ subject, type, reason, message });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ClusterWriteError && error.code === 'not-found';
}
