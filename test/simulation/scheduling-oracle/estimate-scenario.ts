import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import type { Cluster, SchedulerOptions } from '../../reference/oracle/cluster.js';
import { newNode } from './features/draft.js';
import type { Feature } from './features/draft.js';
import { FEATURES } from './features/index.js';
import { makePods, makeWorld } from './generate.js';
import type { Random } from './random.js';

export const TEMPLATE_NAME = 'template';
const NODE_NAMES = ['n0', 'n1', 'n2'];

/** A cluster, pods that wait, and a group whose template may be copied for them. Plain JSON. */
export interface EstimateScenario {
  readonly options: SchedulerOptions;
  readonly cluster: Cluster;
  readonly running: readonly { readonly pod: string; readonly node: string }[];
  readonly template: NodeObject;
  /** Pods of DaemonSets that each copy brings. */
  readonly templatePods: readonly PodObject[];
  /** Those that run and those that wait. */
  readonly pods: readonly PodObject[];
  /** Null: as many nodes as are needed. */
  readonly maxNodes: number | null;
}

/** What no pod has that waits for a new node. */
const LEFT_OUT = ['node names', 'terminating pods', 'resizes'];

export function generateEstimate(random: Random): EstimateScenario {
  const features = FEATURES.filter(
    ([{ name }, probability]) => random.chance(probability) && !LEFT_OUT.includes(name),
  ).map(([feature]) => feature);
  const { options, objects } = makeWorld(features, random);
  const nodes = NODE_NAMES.slice(0, random.below(NODE_NAMES.length + 1)).map((name) =>
    makeNode(name, features, random),
  );
  const template = makeNode(TEMPLATE_NAME, features, random);
  const pods = makePods(random.between(1, 16), features, random);
  const runningCount = nodes.length === 0 ? 0 : random.below(pods.length);
  return {
    options,
    cluster: { nodes, placements: [], ...objects },
    running: random.times(runningCount, (index) => ({
      pod: `p${index.toString()}`,
      node: random.pick(nodes).metadata.name,
    })),
    template,
    templatePods: random.chance(0.3) ? makePods(random.between(1, 2), features, random) : [],
    pods,
    maxNodes: random.pick([null, null, 1, 2, 4]),
  };
}

function makeNode(name: string, features: readonly Feature[], random: Random) {
  const node = newNode(name, random);
  for (const feature of features) feature.node?.(node, random);
  return node;
}
