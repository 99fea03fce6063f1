import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { FEATURES } from './features/index.js';
import { newNode, newPod, newWorld, NODE_NAMES } from './features/draft.js';
import type { Feature } from './features/draft.js';
import type { Random } from './random.js';
import type { Scenario, Step } from './scenario.js';

const NODES_MAX = 8;
const PODS_MAX = 20;
const STEPS_MAX = 12;

export interface Generated {
  readonly scenario: Scenario;
  /** Names of the features that are switched on. */
  readonly features: readonly string[];
}

/** A random cluster with a few random features, and random changes of it. */
export function generateScenario(random: Random, without: readonly string[] = []): Generated {
  const features = FEATURES.filter(
    ([feature, probability]) => random.chance(probability) && !without.includes(feature.name),
  ).map(([feature]) => feature);
  const world = newWorld();
  for (const feature of features) feature.world?.(world, random);
  const { tolerationComparison, addedAffinity, ...objects } = world;
  const names = NODE_NAMES.slice(0, random.between(1, NODES_MAX));
  const nodes = names.map((name) => makeNode(name, features, random));
  const podCount = 1 + random.mostlyBelow(PODS_MAX);
  const pods = random.times(podCount, (index) => makePod(`p${index.toString()}`, features, random));
  const scenario: Scenario = {
    options: { tolerationComparison, addedAffinity },
    cluster: { nodes, placements: [], ...objects },
    pods,
    steps: [...firstPlacements(podCount, names, random), ...changes(podCount, features, random)],
  };
  return { scenario, features: features.map((feature) => feature.name) };
}

function makeNode(name: string, features: readonly Feature[], random: Random): NodeObject {
  const node = newNode(name, random);
  for (const feature of features) feature.node?.(node, random);
  return node;
}

function makePod(name: string, features: readonly Feature[], random: Random): PodObject {
  const pod = newPod(name, random);
  for (const feature of features) feature.pod?.(pod, random);
  return pod;
}

function podName(podCount: number, random: Random): string {
  return `p${random.below(podCount).toString()}`;
}

/** About half of the pods run somewhere already. */
function firstPlacements(podCount: number, names: readonly string[], random: Random): Step[] {
  return random
    .times(Math.ceil(podCount / 2), () => podName(podCount, random))
    .map((pod) => ({ do: 'force', pod, node: random.pick(names) }));
}

function changes(podCount: number, features: readonly Feature[], random: Random): Step[] {
  return random.times(random.mostlyBelow(STEPS_MAX + 1), () => change(podCount, features, random));
}

function change(podCount: number, features: readonly Feature[], random: Random): Step {
  const pod = podName(podCount, random);
  const node = random.pick(NODE_NAMES.slice(0, 6));
  switch (random.below(12)) {
    case 0:
    case 1:
      return { do: 'force', pod, node };
    case 2:
      return { do: 'place', pod, node };
    case 3:
    case 4:
      return { do: 'search', pod, hint: random.chance(0.3) ? node : null };
    case 5:
    case 6:
      return { do: 'remove', pod };
    case 7: {
      const pods = random.times(random.below(3), () => podName(podCount, random));
      return { do: 'add-node', node: makeNode(random.pick(NODE_NAMES), features, random), pods };
    }
    case 8:
      return { do: 'remove-node', node };
    case 9:
      return { do: 'fork' };
    case 10:
      return { do: 'revert' };
    default:
      return { do: random.pick(['commit', 'fork', 'revert']) };
  }
}
