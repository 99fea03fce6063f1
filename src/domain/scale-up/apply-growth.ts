import type { PendingClass } from '../estimation/estimate.js';
import { largestFirst } from '../estimation/order-classes.js';
import type { Pod } from '../kubernetes/pod.js';
import { NO_RESOURCES } from '../kubernetes/resources.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import { copyOfTemplate } from '../node-group/template-copy.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Steps } from './steps.js';

/** Nodes between two pauses: some milliseconds of work. */
const NODES_PER_STEP = 64;

/** Machines that the cloud accepted. */
export interface AcceptedGrowth {
  readonly template: NodeTemplate;
  readonly count: number;
}

export interface AppliedGrowth {
  /** How many pods of each class found a place on the new nodes, by index; always a prefix. */
  readonly placed: readonly number[];
  /** Classes with the pods that are left, without empty ones. */
  readonly left: readonly PendingClass[];
}

/**
 * Puts the new nodes into the snapshot and the pending pods onto them, so that another round plans for the rest only
 * (`scale-up` 13.6). `round` keeps node names apart.
 */
export function* applyGrowth(
  snapshot: ClusterSnapshot,
  classes: readonly PendingClass[],
  growth: readonly AcceptedGrowth[],
  round: number,
): Steps<AppliedGrowth> {
  const added: string[] = [];
  for (const { template, count } of growth) {
    for (let index = 0; index < count; index++) {
      const { node, pods } = copyOfTemplate(template, `${index}-salvo-${round}`);
      snapshot.addNode(node, pods);
      added.push(node.name);
    }
  }
  const placed = classes.map(() => 0);
  const allocatable = growth[0]?.template.node.allocatable ?? NO_RESOURCES;
  for (const index of largestFirst(classes, allocatable)) {
    placed[index] = yield* placeInOrder(snapshot, classes[index]!.pods, added);
  }
  const left = classes
    .map(({ classId, pods }, index) => ({ classId, pods: pods.slice(placed[index]) }))
    .filter(({ pods }) => pods.length > 0);
  return { placed, left };
}

/**
 * First fit, as the estimation packs. Where one of equal pods did not fit, none does, but for pods that are spread: these
 * go round the nodes as long as some is placed. Returns how many were placed.
 */
function* placeInOrder(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  nodeNames: readonly string[],
): Steps<number> {
  const goesRound = pods.some((pod) => pod.shape.topologySpread.length > 0);
  let placed = 0;
  for (let before = -1; before < placed && placed < pods.length;) {
    before = placed;
    for (const [index, nodeName] of nodeNames.entries()) {
      while (placed < pods.length && snapshot.place(pods[placed]!, nodeName).fit) placed++;
      if (placed === pods.length) break;
      if (index % NODES_PER_STEP === 0) yield null;
    }
    if (!goesRound) break;
  }
  return placed;
}
