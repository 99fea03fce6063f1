import type { Node } from '../kubernetes/node.js';
import type { LegacyDisk, Pod } from '../kubernetes/pod.js';
import type { TopologyPicture } from './topology/topology-picture.js';
import type { Verdict } from './verdict.js';
import type { CountedVolume } from './volumes/storage-index.js';

/** Which nodes a search may use, and where it begins. */
export interface PlacementSearch {
  /** Nodes that may take the pod; all that are schedulable when absent. Asked only of nodes that would fit. */
  readonly accepts?: (nodeName: string) => boolean;
  /** Checked directly before the search, if it is in the snapshot and accepted; a hint that fails is no error. */
  readonly hint?: string;
}

/** What the pods of a node have mounted, as the next pod meets it. */
export interface MountedVolumes {
  readonly volumes: ReadonlySet<CountedVolume>;
  readonly disks: readonly LegacyDisk[];
  /** How many more volumes of the driver the node takes; Infinity where no limit is known. */
  freePlaces(driver: string): number;
}

export type Placement =
  { readonly fit: true; readonly nodeName: string } | (Verdict & { readonly fit: false });

/**
 * Nodes and pods of one moment, forkable. All changes after `fork` are undone by `revert` or kept by `commit`; forks
 * nest; a fork costs O(1), a revert O(changes). `commit` at top level does nothing, `revert` there is a bug; so is
 * naming a node that is not there (`SnapshotError`).
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
  /** Pods charged to a node, in order of addition; a copy. */
  podsOn(nodeName: string): readonly Pod[];

  /** Charges the pod to the node without checks. */
  addPod(pod: Pod, nodeName: string): void;
  removePod(pod: Pod, nodeName: string): void;

  /** Direct check of one node; changes nothing. `spec.unschedulable` is judged by the filter (a toleration helps). */
  check(pod: Pod, nodeName: string): Verdict;
  /** As `check`, but as if no pod meant anything to another: without topology spread and affinity between pods. */
  checkAlone(pod: Pod, nodeName: string): Verdict;
  /** How the rules between these pods look from the node; null where no pod means anything to another of them. */
  topologyFrom(nodeName: string, pods: readonly Pod[]): TopologyPicture | null;
  /**
   * From now on the domains of these nodes (zones, not host names) count for topology spread as if an empty node were in
   * each: they are about to come. Replaces what was expected before, and is no part of any fork.
   */
  expectDomainsOf(nodes: readonly Node[]): void;
  volumesOn(nodeName: string): MountedVolumes;
  /** `check`, then `addPod` if it fits. */
  place(pod: Pod, nodeName: string): Verdict;
  /**
   * Places the pod on the hint or on the first accepted node in round-robin order that fits: the search begins behind
   * the node that the last one found. The node that the pod has at present (`spec.nodeName`) does not matter. Nodes
   * with `spec.unschedulable` are skipped, even if the pod tolerates it (`scheduling` 4.6). Blocks of nodes without
   * room are not looked at, and a class of pods that found no node is not searched again until room appears.
   */
  placeAnywhere(pod: Pod, search?: PlacementSearch): Placement;
}
