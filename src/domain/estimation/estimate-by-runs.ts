import type { Pod } from '../kubernetes/pod.js';
import { PODS } from '../kubernetes/resources.js';
import { copyOfTemplate } from '../node-group/template-copy.js';
import type { SimulatedNode } from '../node-group/template-copy.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import { amountsOf } from '../simulation/amounts.js';
import type { ClusterSnapshot, MountedVolumes } from '../simulation/cluster-snapshot.js';
import { NameIndex } from '../simulation/name-index.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { TopologyRules } from '../simulation/topology/topology-rules.js';
import type { Rejection } from '../simulation/verdict.js';
import type { Estimate, EstimationLimits, Estimator, PendingClass } from './estimate.js';
import { packByBudget } from './class-packing.js';
import { GroupLedger } from './group-ledger.js';
import type { NodeCounts } from './group-ledger.js';
import { NewNodes } from './new-nodes.js';
import { capacityPerNode } from './node-run.js';
import type { Need, NodeRun } from './node-run.js';
import { largestFirst, referredFirst } from './order-classes.js';
import { packOneByOne } from './pack-one-by-one.js';
import { CLAIM_TAKEN, ContestedClaims, driverOfPlaces, packedVolumes, withPlaces } from './run-volumes.js';

/**
 * Packs class by class instead of pod by pod: new nodes of one group are equal until they get different pods, so it
 * is enough to divide (`scheduling` 5.7). The result is that of placing the pods one by one on the first new node
 * that takes them; the cost is that of classes times runs of equal nodes, whatever the number of pods.
 */
export const estimateByRuns: Estimator = (snapshot, template, classes, limits) => {
  const fresh = freshNode(snapshot, template);
  snapshot.fork();
  snapshot.addNode(fresh.node, fresh.pods);
  try {
    return new RunPacking(snapshot, fresh, classes, limits).estimate();
  } finally {
    snapshot.revert();
  }
};

/** A first copy of the template whose name is free in the snapshot. */
function freshNode(snapshot: ClusterSnapshot, template: NodeTemplate): SimulatedNode {
  for (let index = 0; ; index++) {
    const copy = copyOfTemplate(template, `e-${index}`);
    if (!snapshot.hasNode(copy.node.name)) return copy;
  }
}

class RunPacking {
  private readonly resources = new NameIndex();
  private readonly needs: readonly Need[];
  /** Null: no pod means anything to another. */
  private readonly ledger: GroupLedger | null;
  private readonly nodes: NewNodes;
  private readonly claims = new ContestedClaims();
  private readonly placed: number[];
  private readonly rejections: (Rejection | undefined)[];
  private stoppedBy: Estimate['stoppedBy'] = null;

  constructor(
    private readonly snapshot: ClusterSnapshot,
    private readonly freshNode: SimulatedNode,
    private readonly classes: readonly PendingClass[],
    private readonly limits: EstimationLimits,
  ) {
    const exemplars = classes.map(({ pods }) => pods[0]!);
    const picture = snapshot.topologyFrom(freshNode.node.name, exemplars);
    this.ledger = picture === null ? null : new GroupLedger(picture);
    this.needs = exemplars.map((pod, index) => this.needOf(pod, index));
    const fresh = this.freshRun(this.ledger?.freshCounts ?? NO_COUNTS);
    this.nodes = new NewNodes(fresh, limits.maxNodes, this.ledger);
    this.placed = classes.map(() => 0);
    this.rejections = classes.map(() => undefined);
  }

  estimate(): Estimate {
    for (const index of this.order()) {
      if (this.stoppedBy !== 'time' && this.limits.isOutOfTime?.() === true) this.stoppedBy = 'time';
      if (this.stoppedBy === 'time') this.rejections[index] = OUT_OF_TIME;
      else this.pack(index);
    }
    const { placed, rejections, stoppedBy } = this;
    return { nodeCount: this.nodes.usedCount, placed, rejections, stoppedBy };
  }

  private order(): readonly number[] {
    const order = largestFirst(this.classes, this.freshNode.node.allocatable);
    return this.ledger === null ? order : referredFirst(order, this.ledger);
  }

  private pack(index: number): void {
    const { pods, volumes } = this.classes[index]!;
    const rejection = this.rejectionOnFresh(index);
    if (rejection !== null) {
      this.rejections[index] = rejection;
      return;
    }
    const rules = this.ledger?.rulesOf(index) ?? null;
    const wanted = Math.min(pods.length, this.claims.allowance(volumes));
    const rest = rules === null ? this.packPlain(index, wanted) : this.packRuled(index, rules, wanted);
    if (wanted > rest) this.claims.take(volumes);
    if (rest === 0 && wanted < pods.length) this.rejections[index] = CLAIM_TAKEN;
    this.placed[index] = wanted - rest;
  }

  /** What a fresh node does not take, none of the filled ones takes; rules between pods are judged later. */
  private rejectionOnFresh(index: number): Rejection | null {
    const pod = this.classes[index]!.pods[0]!;
    const { name } = this.freshNode.node;
    const rules = this.ledger?.rulesOf(index) ?? null;
    const isJudgedLater = rules !== null && this.ledger?.lacksLabel(rules) === false;
    const verdict = isJudgedLater ? this.snapshot.checkAlone(pod, name) : this.snapshot.check(pod, name);
    return verdict.fit ? null : verdict;
  }

  private packPlain(index: number, pods: number): number {
    let rest = this.placeOnRuns(index, pods);
    if (rest > 0 && this.stoppedBy === null) rest = this.placeOnNewNodes(index, rest);
    if (rest > 0) this.rejections[index] = this.nodeLimitReached();
    return rest;
  }

  private packRuled(index: number, rules: TopologyRules, pods: number): number {
    const ledger = this.ledger!;
    const packed = { index, need: this.needs[index]!, rules };
    if (this.stoppedBy !== null) this.nodes.close();
    const isSpreadOverNodes = rules.spread.some(({ tally }) => tally.column.isPerNode);
    const pack = isSpreadOverNodes || ledger.isMovedByNodes(rules) ? packOneByOne : packByBudget;
    const { rest, rejection } = pack(packed, pods, this.nodes, ledger);
    if (rest === 0) return 0;
    if (rejection === null) this.stoppedBy ??= 'node-limit';
    this.rejections[index] = rejection ?? this.nodeLimitReached();
    return rest;
  }

  /** Places as many as the nodes at hand take; returns how many are left. */
  private placeOnRuns(index: number, pods: number): number {
    const need = this.needs[index]!;
    const { runs } = this.nodes;
    let rest = pods;
    for (let i = 0; i < runs.length && rest > 0; i++) {
      const run = runs[i]!;
      const capacity = capacityPerNode(run, need);
      if (capacity === 0) continue;
      const taken = Math.min(rest, capacity * run.count);
      i += this.nodes.fill(i, need, taken, capacity) - 1;
      rest -= taken;
    }
    this.ledger?.addPods(index, pods - rest);
    return rest;
  }

  private placeOnNewNodes(index: number, pods: number): number {
    const need = this.needs[index]!;
    const capacity = capacityPerNode(this.nodes.fresh, need);
    const wanted = Math.ceil(pods / capacity);
    const allowed = Math.min(wanted, this.nodes.allowed);
    if (allowed < wanted) this.stoppedBy = 'node-limit';
    if (allowed === 0) return pods;
    const taken = Math.min(pods, allowed * capacity);
    this.nodes.fill(this.nodes.open(allowed), need, taken, capacity);
    this.ledger?.addPods(index, taken);
    return pods - taken;
  }

  private needOf(pod: Pod, index: number): Need {
    const amounts = amountsOf(pod.shape.requests, this.resources);
    const raised = this.ledger?.sharedBy(index) ?? [];
    const need = { amounts, hostPorts: pod.shape.hostPorts, raised, volumes: null };
    const { volumes } = this.classes[index]!;
    if (volumes === undefined) return need;
    return {
      ...need,
      amounts: withPlaces(amounts, volumes, this.resources),
      volumes: packedVolumes(volumes, this.resources),
    };
  }

  private freshRun(counts: NodeCounts): NodeRun {
    const { node, pods } = this.freshNode;
    const hasVolumes = this.classes.some(({ volumes }) => volumes !== undefined);
    const mounted = hasVolumes ? this.snapshot.volumesOn(node.name) : NOTHING_MOUNTED;
    const free: number[] = [];
    for (let resource = 0; resource < this.resources.size; resource++) {
      const name = this.resources.nameOf(resource);
      const driver = driverOfPlaces(name);
      free.push(driver === null ? freeAmount(this.freshNode, name) : mounted.freePlaces(driver));
    }
    const usedPorts = pods.flatMap((pod) => pod.shape.hostPorts);
    const perNode = [...counts].filter(([{ column }]) => column.isPerNode);
    return { count: 1, free, usedPorts, volumes: mounted, counts: new Map(perNode), isEmpty: true };
  }

  private nodeLimitReached(): Rejection {
    const limit = Math.max(0, this.limits.maxNodes ?? 0);
    const rule = 'EstimationNodeLimit';
    return { fit: false, plugin: rule, reasons: [{ rule, text: 'no more new nodes allowed', limit }] };
  }
}

const NO_COUNTS: NodeCounts = new Map<DomainTally, number>();

const OUT_OF_TIME: Rejection = {
  fit: false,
  plugin: 'EstimationTimeLimit',
  reasons: [{ rule: 'EstimationTimeLimit', text: 'the time for packing was up' }],
};

const NOTHING_MOUNTED: MountedVolumes = { volumes: new Set(), disks: [], freePlaces: () => Infinity };

function freeAmount({ node, pods }: SimulatedNode, name: string): number {
  const charged = pods.reduce(
    (sum, pod) => sum + (name === PODS ? 1 : ((pod.charged ?? pod.shape.requests).get(name) ?? 0)),
    0,
  );
  return (node.allocatable.get(name) ?? 0) - charged;
}
