import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import type { DisruptionTracker, NodePods, NodeRemoval } from '../../domain/scale-down/index.js';
import { evictsDaemonSetPod } from '../../domain/scale-down/index.js';
import { DeletionDelays } from './deletion-delays.js';
import type { FreshVerdict } from './fresh-node-check.js';
import { FreshNodeCheck } from './fresh-node-check.js';
import type { DeletionFailure } from './node-delete-result.js';
import { deletionFailure } from './node-delete-result.js';
import { NodeDrainer } from './node-drainer.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Pods that tolerate every mark come back at once; after so many drains the node goes with them, as upstream has it go after one. */
const DRAINS_MAX = 3;

/** A node that is ready to go, with the pods that were evicted from it. */
export interface PreparedNode {
  readonly removal: NodeRemoval;
  readonly evicted: ReadonlySet<string>;
}

export type Preparation =
  | ({ readonly kind: 'ready' } & PreparedNode)
  | { readonly kind: 'failed'; readonly failure: DeletionFailure };

/** Takes a marked node to the point where its machine may be deleted: looks again, drains, waits. */
@injectable()
export class NodePreparation {
  constructor(
    @inject(FreshNodeCheck) private readonly checks: FreshNodeCheck,
    @inject(NodeDrainer) private readonly drainer: NodeDrainer,
    @inject(DeletionDelays) private readonly delays: DeletionDelays,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Rejects only when the signal is aborted. */
  async prepare(removal: NodeRemoval, budgets: DisruptionTracker, signal: AbortSignal): Promise<Preparation> {
    const verdict = this.checks.check(removal, { budgets });
    if (verdict.kind === 'stays') return notAnyMore(verdict);
    budgets.remove(verdict.pods.toMove);
    const evicted = new Set<string>();
    const failure = removal.isEmpty
      ? await this.clear(verdict.pods, signal)
      : await this.drain(removal, verdict.pods, evicted, signal);
    if (failure !== null) return { kind: 'failed', failure };
    return this.awaitPermission(verdict.node, { removal, evicted }, signal);
  }

  private async clear(pods: NodePods, signal: AbortSignal): Promise<null> {
    await this.drainer.evictBestEffort(this.leavingDaemonSetPods(pods, true), signal);
    return null;
  }

  /** Pods that were bound while others were evicted are evicted too. */
  private async drain(
    removal: NodeRemoval,
    pods: NodePods,
    evicted: Set<string>,
    signal: AbortSignal,
  ): Promise<DeletionFailure | null> {
    let order = { pods: pods.toMove, daemonSetPods: this.leavingDaemonSetPods(pods, false) };
    for (let drains = 1; ; drains++) {
      const failure = await this.drainer.drain(order, signal);
      if (failure !== null) return failure;
      for (const { uid } of order.pods) evicted.add(uid);
      const verdict = await this.checks.checkAtServer(removal, signal, { evicted });
      if (verdict.kind === 'stays') return notAnyMore(verdict).failure;
      if (verdict.pods.toMove.length === 0 || drains === DRAINS_MAX) return null;
      order = { pods: verdict.pods.toMove, daemonSetPods: [] };
    }
  }

  private leavingDaemonSetPods({ daemonSet }: NodePods, isEmpty: boolean) {
    return daemonSet.filter((pod) => evictsDaemonSetPod(pod, isEmpty, this.settings.policy));
  }

  private async awaitPermission(
    node: Node,
    prepared: PreparedNode,
    signal: AbortSignal,
  ): Promise<Preparation> {
    if (await this.delays.whileAnnotated(node, signal)) return { kind: 'ready', ...prepared };
    const text = 'the node could not be read while waiting for its delay-deletion annotations';
    return { kind: 'failed', failure: deletionFailure('NodeDeleteErrorFailedToDelete', text) };
  }
}

function notAnyMore({ why }: FreshVerdict & { readonly kind: 'stays' }) {
  return {
    kind: 'failed' as const,
    failure: deletionFailure('NodeDeleteErrorInternal', `the node stays: ${why}`),
  };
}
