import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { isExpendablePod } from '../../domain/kubernetes/pod-kinds.js';
import type { NodePods, NodeRemoval } from '../../domain/scale-down/index.js';
import { collectPods, DisruptionTracker, WorkloadIndex } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import type { ClusterState } from '../ports/cluster-reader.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { messageOf } from './in-parallel.js';
import { ScaleDownSettings } from './scale-down-settings.js';

export type FreshVerdict =
  | { readonly kind: 'may-go'; readonly node: Node; readonly pods: NodePods }
  | { readonly kind: 'stays'; readonly why: string };

export interface CheckOptions {
  /** UIDs of pods that were evicted: the cache may still show them. */
  readonly evicted?: ReadonlySet<string>;
  /** Shared by the nodes of one start, so that together they do not overdraw a budget; otherwise read afresh. */
  readonly budgets?: DisruptionTracker;
  /** The node's pods; absent: as the cache has them. */
  readonly pods?: readonly Pod[];
}

/** Looks at a node again, with newer eyes than the plan (`scale-down` 8.4). */
@injectable()
export class FreshNodeCheck {
  constructor(
    @inject(ClusterReader) private readonly reader: ClusterReader,
    @inject(ClusterWriter) private readonly writer: Pick<ClusterWriter, 'podsOn'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Disruption budgets as they are now; without any when the cache can't be read: the check will say so itself. */
  budgets(): DisruptionTracker {
    const state = this.read();
    return new DisruptionTracker(typeof state === 'string' ? [] : state.disruptionBudgets);
  }

  /**
   * The same with the node's pods as the API server has them: a watch that has gone silent leaves the cache behind by a
   * minute and more, and a pod that was bound meanwhile must not go unseen. Rejects only when the signal is aborted.
   */
  async checkAtServer(
    removal: NodeRemoval,
    signal: AbortSignal,
    options: CheckOptions = {},
  ): Promise<FreshVerdict> {
    let pods: readonly Pod[];
    try {
      pods = await this.writer.podsOn(removal.node.name, signal);
    } catch (error) {
      signal.throwIfAborted();
      return stays(`its pods could not be read: ${messageOf(error)}`);
    }
    return this.check(removal, { ...options, pods });
  }

  /** Never throws: what can't be read stays. */
  check(removal: NodeRemoval, options: CheckOptions = {}): FreshVerdict {
    const state = this.read();
    if (typeof state === 'string') return stays(state);
    const node = state.nodes.find(({ name }) => name === removal.node.name);
    if (node === undefined) return stays('the node is gone');
    if (node.uid !== removal.node.uid) return stays('another node has taken its name');
    const collection = this.collect(removal, state, options);
    if (collection.blocked) return stays(`pod ${collection.blocker.key}: ${collection.blocker.reason}`);
    if (removal.isEmpty && collection.toMove.length > 0) return stays('it is not empty any more');
    if (collection.onCompletion.length > 0) return stays('it waits until a pod has completed');
    return { kind: 'may-go', node, pods: collection };
  }

  /** An empty node has nothing that controllers or budgets could say anything about. */
  private collect(removal: NodeRemoval, state: ClusterState, options: CheckOptions) {
    const { policy } = this.settings;
    const { evicted, budgets, pods: known = state.pods } = options;
    const pods = known.filter(
      (pod) =>
        pod.nodeName === removal.node.name &&
        !isExpendablePod(pod, policy.expendablePriorityCutoff) &&
        evicted?.has(pod.uid) !== true,
    );
    const nowMs = this.clock.now();
    return removal.isEmpty
      ? collectPods(pods, { nowMs, policy, workloads: null, budgets: new DisruptionTracker([]) })
      : collectPods(pods, {
          nowMs,
          policy,
          workloads: new WorkloadIndex(state.workloads, state.daemonSets),
          budgets: budgets ?? new DisruptionTracker(state.disruptionBudgets),
        });
  }

  private read(): ClusterState | string {
    try {
      return this.reader.state();
    } catch (error) {
      return `the cluster could not be read: ${messageOf(error)}`;
    }
  }
}

function stays(why: string): FreshVerdict {
  return { kind: 'stays', why };
}
