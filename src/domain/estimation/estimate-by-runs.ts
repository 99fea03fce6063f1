import type { Pod } from '../kubernetes/pod.js';
import { PODS } from '../kubernetes/resources.js';
import { copyOfTemplate } from '../node-group/template-copy.js';
import type { SimulatedNode } from '../node-group/template-copy.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import { amountsOf } from '../simulation/amounts.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import { NameIndex } from '../simulation/name-index.js';
import type { Rejection } from '../simulation/verdict.js';
import type { Estimate, EstimationLimits, Estimator, PendingClass } from './estimate.js';
import { capacityPerNode, fillRun } from './node-run.js';
import type { Need, NodeRun } from './node-run.js';
import { largestFirst } from './order-classes.js';

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
  /** A node as it comes from the template. */
  private readonly fresh: NodeRun;
  /** New nodes with room for another pod, in order of creation. */
  private runs: NodeRun[] = [];
  private nodeCount = 0;
  private readonly placed: number[];
  private readonly rejections: (Rejection | undefined)[];
  private stoppedBy: Estimate['stoppedBy'] = null;

  constructor(
    private readonly snapshot: ClusterSnapshot,
    private readonly freshNode: SimulatedNode,
    private readonly classes: readonly PendingClass[],
    private readonly limits: EstimationLimits,
  ) {
    this.needs = classes.map(({ pods }) => needOf(pods[0]!, this.resources));
    this.fresh = runOf(freshNode, this.resources);
    this.placed = classes.map(() => 0);
    this.rejections = classes.map(() => undefined);
  }

  estimate(): Estimate {
    for (const index of largestFirst(this.classes, this.freshNode.node.allocatable)) {
      if (this.stoppedBy !== 'time' && this.limits.isOutOfTime?.() === true) this.stoppedBy = 'time';
      if (this.stoppedBy === 'time') this.rejections[index] = OUT_OF_TIME;
      else this.pack(index);
    }
    const { nodeCount, placed, rejections, stoppedBy } = this;
    return { nodeCount, placed, rejections, stoppedBy };
  }

  private pack(index: number): void {
    const { pods } = this.classes[index]!;
    // What a fresh node does not take, none of the filled ones takes.
    const verdict = this.snapshot.check(pods[0]!, this.freshNode.node.name);
    if (!verdict.fit) {
      this.rejections[index] = verdict;
      return;
    }
    let rest = this.placeOnRuns(this.needs[index]!, pods.length);
    if (rest > 0 && this.stoppedBy === null) rest = this.placeOnNewNodes(this.needs[index]!, rest);
    if (rest > 0) this.rejections[index] = this.nodeLimitReached();
    this.placed[index] = pods.length - rest;
  }

  /** Places as many as the nodes at hand take; returns how many are left. */
  private placeOnRuns(need: Need, pods: number): number {
    let rest = pods;
    for (let i = 0; i < this.runs.length && rest > 0; i++) {
      const run = this.runs[i]!;
      const capacity = capacityPerNode(run, need);
      if (capacity === 0) continue;
      const taken = Math.min(rest, capacity * run.count);
      const parts = fillRun(run, need, taken, capacity);
      this.runs.splice(i, 1, ...parts);
      i += parts.length - 1;
      rest -= taken;
    }
    return rest;
  }

  private placeOnNewNodes(need: Need, pods: number): number {
    const capacity = capacityPerNode(this.fresh, need);
    const wanted = Math.ceil(pods / capacity);
    const allowed = Math.min(wanted, this.nodesAllowed());
    if (allowed < wanted) this.stoppedBy = 'node-limit';
    if (allowed === 0) return pods;
    const taken = Math.min(pods, allowed * capacity);
    this.runs.push(...fillRun({ ...this.fresh, count: allowed }, need, taken, capacity));
    this.nodeCount += allowed;
    return pods - taken;
  }

  private nodesAllowed(): number {
    const { maxNodes } = this.limits;
    return maxNodes === null ? Infinity : Math.max(0, maxNodes - this.nodeCount);
  }

  private nodeLimitReached(): Rejection {
    const limit = Math.max(0, this.limits.maxNodes ?? 0);
    const rule = 'EstimationNodeLimit';
    return { fit: false, plugin: rule, reasons: [{ rule, text: 'no more new nodes allowed', limit }] };
  }
}

const OUT_OF_TIME: Rejection = {
  fit: false,
  plugin: 'EstimationTimeLimit',
  reasons: [{ rule: 'EstimationTimeLimit', text: 'the time for packing was up' }],
};

function needOf(pod: Pod, resources: NameIndex): Need {
  return { amounts: amountsOf(pod.shape.requests, resources), hostPorts: pod.shape.hostPorts };
}

function runOf({ node, pods }: SimulatedNode, resources: NameIndex): NodeRun {
  const free: number[] = [];
  for (let resource = 0; resource < resources.size; resource++) {
    const name = resources.nameOf(resource);
    const charged = pods.reduce(
      (sum, pod) => sum + (name === PODS ? 1 : ((pod.charged ?? pod.shape.requests).get(name) ?? 0)),
      0,
    );
    free.push((node.allocatable.get(name) ?? 0) - charged);
  }
  return { count: 1, free, usedPorts: pods.flatMap((pod) => pod.shape.hostPorts) };
}
