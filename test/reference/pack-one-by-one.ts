import type { EstimationLimits, PendingClass } from '../../src/domain/estimation/estimate.js';
import { HOSTNAME_LABEL } from '../../src/domain/kubernetes/labels.js';
import type { Pod } from '../../src/domain/kubernetes/pod.js';
import { copyOfTemplate } from '../../src/domain/node-group/template-copy.js';
import type { NodeTemplate } from '../../src/domain/node-group/node-group.js';
import type { ClusterSnapshot } from '../../src/domain/simulation/cluster-snapshot.js';

/** Nodes that received a pod, and how many pods of each class were placed. */
export interface Packing {
  readonly nodeCount: number;
  readonly placed: readonly number[];
}

/**
 * `scheduling` 4.5 and `scale-up` 6.1 and 6.3 to the letter: pod by pod, on the first new node that takes it, else on
 * the last one, else on one more. The oracle for the packing that divides instead.
 */
export function packOneByOne(
  snapshot: ClusterSnapshot,
  template: NodeTemplate,
  classes: readonly PendingClass[],
  limits: EstimationLimits,
  order: readonly number[] = byScore(classes, template),
): Packing {
  snapshot.fork();
  const added: string[] = [];
  const placed = classes.map(() => 0);
  let mayAdd = true;

  const tryOn = (pod: Pod, node: string): boolean => snapshot.place(pod, node).fit;
  const ownPods = template.pods.length;
  const isEmpty = (node: string): boolean => snapshot.podsOn(node).length === ownPods;

  const addNode = (): string => {
    const copy = copyOfTemplate(template, `e-${added.length}`);
    snapshot.addNode(copy.node, copy.pods);
    added.push(copy.node.name);
    return copy.node.name;
  };

  /** A pod that is spread over nodes may fit on an earlier one now that another has been filled. */
  const tryAgain = (pod: Pod): boolean =>
    pod.shape.topologySpread.some(({ topologyKey }) => topologyKey === HOSTNAME_LABEL) &&
    added.some((node) => tryOn(pod, node));

  for (const index of order) {
    const pods = [...classes[index]!.pods];
    while (pods.length > 0 && added.some((node) => tryOn(pods[0]!, node))) {
      pods.shift();
      placed[index]!++;
    }
    while (mayAdd && pods.length > 0) {
      const last = added.at(-1);
      if (last === undefined || !(tryOn(pods[0]!, last) || tryAgain(pods[0]!))) {
        if (last !== undefined && isEmpty(last)) break;
        if (limits.maxNodes !== null && added.length >= limits.maxNodes) {
          mayAdd = false;
          break;
        }
        if (!tryOn(pods[0]!, addNode())) break;
      }
      pods.shift();
      placed[index]!++;
    }
  }
  const nodeCount = added.filter((node) => !isEmpty(node)).length;
  snapshot.revert();
  return { nodeCount, placed };
}

function byScore(classes: readonly PendingClass[], template: NodeTemplate): number[] {
  const score = (index: number): number =>
    ['cpu', 'memory'].reduce((sum, name) => {
      const total = template.node.allocatable.get(name) ?? 0;
      const asked = classes[index]!.pods[0]!.shape.requests.get(name) ?? 0;
      return sum + (total === 0 ? 0 : asked / total);
    }, 0);
  return classes.map((_, index) => index).sort((left, right) => score(right) - score(left));
}
