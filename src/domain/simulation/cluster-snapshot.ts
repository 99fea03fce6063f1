import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import type { Verdict } from './verdict.js';

/** Pods that are interchangeable for scheduling (`scheduling` 5.3). */
export interface PodClass {
  /** Dense, unique within one {@link Classification}. */
  readonly id: number;
  /** Any one pod of the class stands for all. */
  readonly exemplar: Pod;
}

/** How a search walks over nodes, and which nodes it may use. */
export interface PlacementSearch {
  /** Nodes that may take the pod; all that are schedulable when absent. */
  readonly accepts?: (nodeName: string) => boolean;
  /** Tried first, if it is in the snapshot and accepted. */
  readonly hint?: string;
}

export type Placement =
  { readonly fit: true; readonly nodeName: string } | (Verdict & { readonly fit: false });

/**
 * Nodes and pods of one moment, forkable. All changes after `fork` are undone by `revert` or kept by `commit`; forks
 * nest; a fork costs O(1), a revert O(changes). `commit` at top level does nothing, `revert` there is a bug.
 *
 * Nodes are visited in the order in which they were added.
 */
export interface ClusterSnapshot {
  fork(): void;
  revert(): void;
  commit(): void;

  /** Adds a node with the pods that run on it, without checks. A second node of the same name is a bug. */
  addNode(node: Node, pods?: readonly Pod[]): void;
  removeNode(nodeName: string): void;
  hasNode(nodeName: string): boolean;
  node(nodeName: string): Node | undefined;
  /** In order of addition. */
  nodeNames(): readonly string[];
  /** Pods charged to a node, in order of addition. */
  podsOn(nodeName: string): readonly Pod[];

  /** Charges the pod to the node without checks. */
  addPod(pod: Pod, nodeName: string): void;
  removePod(pod: Pod, nodeName: string): void;

  /** Direct check of one node; changes nothing. `spec.unschedulable` is judged by the filter (a toleration helps). */
  check(pod: Pod, nodeName: string): Verdict;
  /** `check`, then `addPod` if it fits. */
  place(pod: Pod, nodeName: string): Verdict;
  /**
   * Places the pod on the hint or on the first accepted node in round-robin order that fits. Nodes with
   * `spec.unschedulable` are skipped, even if the pod tolerates it (`scheduling` 4.6). Cost grows with kinds of
   * nodes, not with nodes.
   */
  placeAnywhere(pod: Pod, search?: PlacementSearch): Placement;
}
