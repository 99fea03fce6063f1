import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { FEATURES } from './features/index.js';
import { newNode, newPod, newWorld, NODE_NAMES } from './features/draft.js';
import type { Feature, PodDraft } from './features/draft.js';
import type { Random } from './random.js';
import type { Scenario, Step } from './scenario.js';

const NODES_MAX = 8;
const PODS_MAX = 20;
const STEPS_MAX = 8;

export interface Generated {
  readonly scenario: Scenario;
  /** Names of the features that are switched on. */
  readonly features: readonly string[];
}

/** A random cluster with a few random features, and random changes of it. */
export function generateScenario(random: Random): Generated {
  const features = FEATURES.filter(([, probability]) => random.chance(probability)).map(
    ([feature]) => feature,
  );
  const { options, objects } = makeWorld(features, random);
  const names = NODE_NAMES.slice(0, random.between(1, NODES_MAX));
  const nodes = names.map((name) => makeNode(name, features, random));
  const podCount = 1 + random.mostlyBelow(PODS_MAX);
  const pods = makePods(podCount, features, random);
  const scenario: Scenario = {
    options,
    cluster: { nodes, placements: [], ...objects },
    pods,
    steps: [...firstPlacements(podCount, names, random), ...changes(podCount, features, random)],
  };
  return { scenario, features: features.map((feature) => feature.name) };
}

/** The same cluster, but its pods look for places one after the other, some leave again, and forks come to nothing. */
export function withSearches(scenario: Scenario, random: Random): Scenario {
  const steps = scenario.pods.flatMap(({ metadata }): Step[] => {
    const pod = metadata?.name ?? '';
    const hint = random.chance(0.3) ? random.pick(NODE_NAMES.slice(0, 6)) : null;
    const search: Step = { do: 'search', pod, hint };
    const aside = random.below(8);
    if (aside === 0) return [search, { do: 'remove', pod: podName(scenario.pods.length, random) }];
    if (aside === 1) return [{ do: 'fork' }, search, { do: random.pick(['revert', 'commit']) }, search];
    if (aside === 2) return [{ do: 'remove-node', node: random.pick(NODE_NAMES.slice(0, 6)) }, search];
    return [search];
  });
  return { ...scenario, steps: [...scenario.steps.slice(0, 3), ...steps, ...steps.slice(0, 5)] };
}

/** What a cluster has beside nodes and pods, and what its scheduler is told. */
export function makeWorld(features: readonly Feature[], random: Random) {
  const world = newWorld();
  for (const feature of features) feature.world?.(world, random);
  const { tolerationComparison, addedAffinity, ...objects } = world;
  return { options: { tolerationComparison, addedAffinity }, objects };
}

function makeNode(name: string, features: readonly Feature[], random: Random): NodeObject {
  const node = newNode(name, random);
  for (const feature of features) feature.node?.(node, random);
  return node;
}

/** About a third is like an earlier one, or nearly: only then it shows whether pods are wrongly taken for equal. */
export function makePods(count: number, features: readonly Feature[], random: Random): PodObject[] {
  const pods: PodObject[] = [];
  for (let index = 0; index < count; index++) {
    const name = `p${index.toString()}`;
    const isLikeAnother = pods.length > 0 && random.chance(0.35);
    pods.push(
      isLikeAnother
        ? likeAnother(random.pick(pods), name, features, random)
        : makePod(name, features, random),
    );
  }
  return pods;
}

function likeAnother(pod: PodObject, name: string, features: readonly Feature[], random: Random): PodObject {
  const twin = structuredClone(pod) as PodDraft;
  Object.assign(twin.metadata, { name, uid: `uid-${name}` });
  if (random.chance(0.35)) return twin;
  if (random.chance(0.4)) {
    changeNumber(twin.spec, random);
    return twin;
  }
  const fresh = newPod(name, random);
  twin.metadata.labels = fresh.metadata.labels;
  if (random.chance(0.3)) twin.metadata.namespace = fresh.metadata.namespace;
  if (features.length > 0 && random.chance(0.5))
    completed(twin, (draft) => random.pick(features).pod?.(draft, random));
  return twin;
}

/** One number anywhere is one more or less: a port, a skew, a number of domains. */
function changeNumber(root: unknown, random: Random): void {
  const holders: [Record<string, unknown>, string, number][] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const record = value as Record<string, unknown>;
    for (const [key, part] of Object.entries(record)) {
      // An absent number of domains is one.
      if (typeof part === 'number') holders.push([record, key, part]);
      else if (key === 'minDomains') holders.push([record, key, 1]);
      else walk(part);
    }
  };
  walk(root);
  if (holders.length === 0) return;
  const [record, key, value] = random.pick(holders);
  record[key] = value + random.pick([-1, 1, 1]);
}

/** Features write into lists that a pod may have lost. */
function completed(pod: PodDraft, write: (pod: PodDraft) => void): void {
  const { containers, initContainers } = pod.spec as Partial<PodDraft['spec']>;
  pod.spec.containers = containers ?? [{ name: 'main' }];
  pod.spec.initContainers = initContainers ?? [];
  pod.status = pod.status ?? {};
  write(pod);
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
  const once = () => change(podCount, features, random);
  const passing = (): Step[] => [
    { do: 'fork' },
    ...random.times(random.between(1, 3), once),
    { do: random.pick(['revert', 'revert', 'commit']) },
  ];
  return random
    .times(random.mostlyBelow(STEPS_MAX + 1), () => (random.chance(0.25) ? passing() : [once()]))
    .flat();
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
    case 9:
      return { do: 'remove-node', node };
    default:
      return { do: random.pick(['commit', 'fork', 'fork', 'revert']) };
  }
}
