import type {
  ContainerObject,
  ContainerStatusObject,
  Quantities,
} from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';
import type { Feature, PodDraft } from './draft.js';

/** Written amounts by resource; several ways to write what is nearly the same, so that rounding shows. */
const ASKED: Record<string, readonly string[]> = {
  cpu: ['0', '1', '500m', '500u', '1500u', '0.5', '2', '1e0', '1001m', '0.1n'],
  memory: ['0', '1Gi', '1G', '1.5Gi', '512Mi', '128974848', '.5Ki', '1e3', '1500m', '3Gi'],
  'ephemeral-storage': ['0', '1Gi', '2Gi', '1500M'],
  'hugepages-2Mi': ['0', '100Mi', '2Mi'],
  'example.com/gpu': ['0', '1', '2', '1500m'],
  'deviceclass.resource.kubernetes.io/x': ['1'],
  'attachable-volumes-aws-ebs': ['1'],
  'requests.example.com/x': ['7'],
  'Bad_Prefix/x': ['7'],
  'example.com/a/b': ['7'],
  foo: ['3'],
  storage: ['1Gi'],
  pods: ['5'],
};

const OFFERED: Record<string, readonly string[]> = {
  cpu: ['1', '2', '4', '3m', '2500m', '0'],
  memory: ['2Gi', '4Gi', '8Gi', '3G', '1.5Gi'],
  pods: ['1', '2', '3', '5', '110', '0'],
  'ephemeral-storage': ['2Gi', '10Gi', '1500M'],
  'hugepages-2Mi': ['0', '100Mi', '200Mi'],
  'example.com/gpu': ['0', '1', '2', '3'],
  'deviceclass.resource.kubernetes.io/x': ['1'],
  'attachable-volumes-aws-ebs': ['1'],
  'requests.example.com/x': ['1'],
  foo: ['1'],
};

function amounts(from: Record<string, readonly string[]>, random: Random, probability: number): Quantities {
  return Object.fromEntries(
    Object.entries(from)
      .filter(([name]) => random.chance(['cpu', 'memory', 'pods'].includes(name) ? 0.75 : probability))
      .map(([name, texts]) => [name, random.pick(texts)]),
  );
}

const asked = (random: Random) => amounts(ASKED, random, 0.12);

function container(name: string, random: Random): ContainerObject {
  return { name, resources: { requests: asked(random) } };
}

export const resources: Feature = {
  name: 'resources',
  node(node, random) {
    node.status.allocatable = amounts(OFFERED, random, 0.5);
    if (random.chance(0.8)) node.status.allocatable['pods'] = random.pick(['2', '4', '110']);
  },
  pod(pod, random) {
    const [main] = pod.spec.containers;
    if (main !== undefined) main.resources = { requests: asked(random) };
    if (random.chance(0.2)) pod.spec.containers.push(container('second', random));
    for (let index = 0; index < random.pick([0, 0, 0, 1, 2, 3]); index++) {
      const init = container(`init-${index.toString()}`, random);
      pod.spec.initContainers.push({
        ...init,
        restartPolicy: random.pick(['Always', 'Always', null, 'Never']),
      });
    }
    if (random.chance(0.1)) pod.spec.overhead = asked(random);
    if (random.chance(0.1)) pod.spec.resources = { requests: asked(random) };
  },
};

/** What an in-place resize leaves in the status. */
export const resizes: Feature = {
  name: 'resizes',
  pod(pod, random) {
    if (!random.chance(0.5)) return;
    pod.status.containerStatuses = pod.spec.containers.map((each) => statusOf(each, random));
    pod.status.initContainerStatuses = pod.spec.initContainers.map((each) => statusOf(each, random));
    if (random.chance(0.3)) {
      pod.status.resources = { requests: asked(random) };
      pod.status.allocatedResources = asked(random);
    }
    const reasons = random.times(random.below(3), () => random.pick(['Infeasible', 'Deferred']));
    pod.status.conditions = reasons.map((reason) => ({ type: 'PodResizePending', status: 'True', reason }));
  },
};

function statusOf(container: ContainerObject, random: Random): ContainerStatusObject {
  return {
    name: random.chance(0.9) ? (container.name ?? '') : 'another',
    resources: random.chance(0.8) ? { requests: asked(random) } : null,
    allocatedResources: random.chance(0.6) ? asked(random) : null,
  };
}

const ODD = [
  '8Ei',
  '9007199254740991',
  '9007199254740993',
  '1E',
  '4E',
  '1e30',
  '9e15',
  '4503599627370496',
  '5',
  '6',
  ' 1 ',
];
const INVALID = ['-1', '-1Gi', 'many', '1 Gi', '1K', '', '0x10'];

/** Amounts beyond every bound; a pod with one that is no request at all is not in the cluster. */
export const hugeAmounts: Feature = {
  name: 'huge and negative amounts',
  node(node, random) {
    const allocatable = (node.status.allocatable ??= {});
    const name = random.pick(['cpu', 'memory', 'pods', 'example.com/gpu']);
    if (random.chance(0.6)) allocatable[name] = random.pick([...ODD, '-1', '-8Ei', '0', null, 4, '-1500m']);
    if (random.chance(0.03)) allocatable[name] = 'many';
  },
  pod(pod, random) {
    if (random.chance(0.5)) overwrite(pod, random, random.pick(ODD));
    if (random.chance(0.05)) overwrite(pod, random, random.pick(INVALID));
  },
};

function overwrite(pod: PodDraft, random: Random, text: string): void {
  const container = random.pick([...pod.spec.containers, ...pod.spec.initContainers]);
  const name = random.pick(['cpu', 'memory', 'memory', 'example.com/gpu']);
  container.resources = { requests: { ...container.resources?.requests, [name]: text } };
}

export const hostPorts: Feature = {
  name: 'host ports',
  pod(pod, random) {
    for (const each of [...pod.spec.containers, ...pod.spec.initContainers]) {
      if (!random.chance(0.5)) continue;
      each.ports = random.times(random.between(1, 2), () => ({
        containerPort: 80,
        hostPort: random.pick([8080, 8080, 9090, 0, -1]),
        hostIP: random.pick(['', '', '0.0.0.0', '10.0.0.1', '10.0.0.2', '::']),
        protocol: random.pick(['', 'TCP', 'TCP', 'UDP', 'tcp']),
      }));
    }
  },
};
