import type { PendingClass } from '../estimation/estimate.js';
import { GroupLedger } from '../estimation/group-ledger.js';
import { largestFirst, referredFirst } from '../estimation/order-classes.js';
import { waitsForOthers } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import { copyOfTemplate } from '../node-group/template-copy.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Steps } from './steps.js';

/** Nodes between two pauses: some milliseconds of work. */
const NODES_PER_STEP = 64;

/** Machines that the cloud accepted, or would. */
export interface AcceptedGrowth {
  readonly template: NodeTemplate;
  readonly count: number;
}

export interface AppliedGrowth {
  /** How many pods of each class found a place on the new nodes, by index; always a prefix. */
  readonly placed: readonly number[];
  /** Classes with the pods that are left, without empty ones. */
  readonly left: readonly PendingClass[];
  /** The new nodes. */
  readonly nodeNames: readonly string[];
}

/**
 * Puts the new nodes into the snapshot and the pending pods onto them, so that another round plans for the rest only
 * (`scale-up` 13.6). `roundName` keeps node names apart. `earlier`: nodes of earlier rounds, where pods whose rules wait for
 * others may fit now that these have come.
 */
export function* applyGrowth(
  snapshot: ClusterSnapshot,
  classes: readonly PendingClass[],
  growth: readonly AcceptedGrowth[],
  roundName: string,
  earlier: readonly string[] = [],
): Steps<AppliedGrowth> {
  const added: string[] = [];
  for (const { template, count } of growth) {
    for (let index = 0; index < count; index++) {
      const { node, pods } = copyOfTemplate(template, `${index}-${roundName}`);
      snapshot.addNode(node, pods);
      added.push(node.name);
    }
  }
  const placed = classes.map(() => 0);
  const all = [...earlier, ...added];
  for (const index of packingOrder(snapshot, classes, added[0] ?? all[0])) {
    const { pods } = classes[index]!;
    // Equal pods have equal rules.
    placed[index] = waitsForOthers(pods[0]!)
      ? yield* placeRoundAndRound(snapshot, pods, all)
      : yield* placeInOrder(snapshot, pods, added);
  }
  const left = classes
    .map((one, index) => ({ ...one, pods: one.pods.slice(placed[index]) }))
    .filter(({ pods }) => pods.length > 0);
  return { placed, left, nodeNames: added };
}

/** The order in which the estimation packs on such a node; pods would miss those that they wait for in any other. */
function packingOrder(
  snapshot: ClusterSnapshot,
  classes: readonly PendingClass[],
  nodeName: string | undefined,
): readonly number[] {
  if (nodeName === undefined) return [];
  const order = largestFirst(classes, snapshot.node(nodeName)!.allocatable);
  const exemplars = classes.map(({ pods }) => pods[0]!);
  const picture = snapshot.topologyFrom(nodeName, exemplars);
  return picture === null ? order : referredFirst(order, new GroupLedger(picture));
}

/** First fit, as the estimation packs: where one of equal pods did not fit, none does. Returns how many were placed. */
function* placeInOrder(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  nodeNames: readonly string[],
): Steps<number> {
  let placed = 0;
  for (const [index, nodeName] of nodeNames.entries()) {
    while (placed < pods.length && snapshot.place(pods[placed]!, nodeName).fit) placed++;
    if (placed === pods.length) break;
    if (index % NODES_PER_STEP === 0) yield null;
  }
  return placed;
}

/** Where a pod did not fit it may fit once its equals have been placed elsewhere: as long as some is placed. */
function* placeRoundAndRound(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  nodeNames: readonly string[],
): Steps<number> {
  let placed = 0;
  for (let before = -1; before < placed && placed < pods.length;) {
    before = placed;
    placed += yield* placeInOrder(snapshot, pods.slice(placed), nodeNames);
  }
  return placed;
}
