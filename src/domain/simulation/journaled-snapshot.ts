import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot, MountedVolumes, Placement, PlacementSearch } from './cluster-snapshot.js';
import { DemandTable } from './demand.js';
import type { Demand } from './demand.js';
import { FitChecker } from './fit-checker.js';
import { Journal } from './journal.js';
import { NameIndex } from './name-index.js';
import { NodeSearch } from './node-search.js';
import { NodeTable } from './node-table.js';
import type { SchedulingOptions } from './scheduling-options.js';
import { SnapshotError } from './snapshot-error.js';
import type { TopologyPicture } from './topology/topology-picture.js';
import { Topology } from './topology/topology.js';
import { StorageIndex } from './volumes/storage-index.js';
import { VolumeDemands } from './volumes/volume-demand.js';
import { VolumeUse } from './volumes/volume-use.js';
import type { Rejection, Verdict } from './verdict.js';

/** Result of a search without a hit; `check` on a node tells the reasons there. */
const NO_NODE: Rejection = {
  fit: false,
  plugin: 'NoFittingNode',
  reasons: [{ rule: 'NoFittingNode', text: "couldn't find a matching Node with passing predicates" }],
};

/** An empty snapshot that judges as kube-scheduler does. */
export function createSnapshot(options: SchedulingOptions = {}): ClusterSnapshot {
  return new JournaledSnapshot(options);
}

/** A {@link ClusterSnapshot} on typed arrays with an undo journal: nothing is copied, whatever the cluster's size. */
export class JournaledSnapshot implements ClusterSnapshot {
  private readonly journal = new Journal();
  private readonly resources = new NameIndex();
  private readonly nodes = new NodeTable(this.resources, this.journal);
  private readonly topology: Topology;
  private readonly volumes: VolumeUse;
  private readonly demands: DemandTable;
  private readonly checker: FitChecker;
  private readonly search: NodeSearch;
  private names: readonly string[] | null = null;

  constructor(options: SchedulingOptions = {}) {
    this.topology = new Topology(this.nodes, options);
    this.volumes = new VolumeUse(this.nodes, StorageIndex.of(options.storage));
    this.demands = new DemandTable(this.resources, this.topology, new VolumeDemands(this.volumes));
    this.checker = new FitChecker(this.nodes, options);
    this.search = new NodeSearch(this.nodes, this.checker, this.journal);
  }

  fork(): void {
    this.journal.fork();
  }

  revert(): void {
    this.journal.revert();
    this.names = null;
  }

  commit(): void {
    this.journal.commit();
  }

  addNode(node: Node, pods: readonly Pod[] = []): void {
    if (this.hasNode(node.name))
      throw new SnapshotError('duplicate-node', `node ${node.name} exists already`);
    const row = this.nodes.add(node);
    this.checker.nodeAdded(row);
    this.search.nodeAdded(row);
    this.names = null;
    for (const pod of pods) this.nodes.charge(row, pod, this.demands.chargeOf(pod));
  }

  removeNode(nodeName: string): void {
    this.nodes.remove(this.rowOf(nodeName));
    this.names = null;
  }

  hasNode(nodeName: string): boolean {
    return this.nodes.rowOf(nodeName) >= 0;
  }

  node(nodeName: string): Node | undefined {
    return this.nodes.nodes[this.nodes.rowOf(nodeName)];
  }

  nodeNames(): readonly string[] {
    this.names ??= this.nodes.nodes.filter((_, row) => this.nodes.present[row] === 1).map(({ name }) => name);
    return this.names;
  }

  podsOn(nodeName: string): readonly Pod[] {
    return [...this.nodes.pods[this.rowOf(nodeName)]!];
  }

  addPod(pod: Pod, nodeName: string): void {
    this.nodes.charge(this.rowOf(nodeName), pod, this.demands.chargeOf(pod));
  }

  removePod(pod: Pod, nodeName: string): void {
    const row = this.rowOf(nodeName);
    const pods = this.nodes.pods[row]!;
    const byIdentity = pods.indexOf(pod);
    const index = byIdentity >= 0 ? byIdentity : pods.findIndex(({ uid }) => uid === pod.uid);
    if (index < 0) throw new SnapshotError('unknown-pod', `pod ${pod.uid} is not on node ${nodeName}`);
    this.nodes.release(row, index, this.demands.chargeOf(pods[index]!));
    this.search.roomAppeared();
  }

  check(pod: Pod, nodeName: string): Verdict {
    return this.checker.check(this.demands.ofAssigned(pod), this.rowOf(nodeName));
  }

  checkAlone(pod: Pod, nodeName: string): Verdict {
    return this.checker.checkAlone(this.demands.ofAssigned(pod), this.rowOf(nodeName));
  }

  topologyFrom(nodeName: string, pods: readonly Pod[]): TopologyPicture | null {
    return this.topology.pictureFrom(this.rowOf(nodeName), pods);
  }

  expectDomainsOf(nodes: readonly Node[]): void {
    this.topology.expect(nodes);
  }

  volumesOn(nodeName: string): MountedVolumes {
    return this.volumes.on(this.rowOf(nodeName));
  }

  place(pod: Pod, nodeName: string): Verdict {
    const verdict = this.check(pod, nodeName);
    if (verdict.fit) this.addPod(pod, nodeName);
    return verdict;
  }

  placeAnywhere(pod: Pod, { accepts, hint }: PlacementSearch = {}): Placement {
    const demand = this.demands.of(pod);
    const rejection = this.checker.rejectionEverywhere(demand);
    if (rejection !== null) return rejection;
    const hinted = hint === undefined ? -1 : this.hintedRow(demand, hint, accepts);
    const row = hinted >= 0 ? hinted : this.search.find(demand, accepts);
    if (row < 0) return NO_NODE;
    this.nodes.charge(row, pod, this.demands.chargeOf(pod));
    return { fit: true, nodeName: this.nodes.nodes[row]!.name };
  }

  /** A hint that is gone, not accepted or full is no error: the search goes on without it. */
  private hintedRow(demand: Demand, hint: string, accepts: PlacementSearch['accepts']): number {
    const row = this.nodes.rowOf(hint);
    if (row < 0 || accepts?.(hint) === false) return -1;
    return this.checker.fits(demand, row) ? row : -1;
  }

  private rowOf(nodeName: string): number {
    const row = this.nodes.rowOf(nodeName);
    if (row < 0) throw new SnapshotError('unknown-node', `node ${nodeName} is not in the snapshot`);
    return row;
  }
}
