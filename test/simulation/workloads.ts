import type { Manifest } from '../../src/sandbox/kubernetes/index.js';
import { RUN_FOR } from '../../src/sandbox/kubernetes/index.js';
import type { SeededRandom } from '../../src/sandbox/world/index.js';
import { POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';

/** What keeps the pods of a workload where they are, if anything. */
export type Stickiness =
  'none' | 'not-safe' | 'local-storage' | 'budget-of-none' | 'budget-of-one' | 'bare' | 'system';

export interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job' | 'Pod';
  readonly name: string;
  readonly namespace: string;
  readonly stickiness: Stickiness;
  /** The only pool that takes its pods, or null. */
  readonly pool: string | null;
  readonly cpuMilli: number;
  replicas: number;
}

const STICKINESS: readonly Stickiness[] = [
  ...['none', 'none', 'none', 'none', 'budget-of-one'],
  ...['not-safe', 'local-storage', 'budget-of-none', 'bare', 'system'],
] as Stickiness[];

/** Any workload whose pods each fit on an empty node of the smallest pool. */
export function drawWorkload(
  random: SeededRandom,
  serial: number,
  pools: readonly string[],
  cpuMilliMax: number,
): Workload {
  const stickiness = random.pick(STICKINESS);
  const kind =
    stickiness === 'bare'
      ? 'Pod'
      : stickiness === 'none'
        ? random.pick(['Deployment', 'StatefulSet', 'Job'])
        : 'Deployment';
  return {
    kind: kind as Workload['kind'],
    name: `load-${serial}`,
    namespace: stickiness === 'system' ? 'kube-system' : 'default',
    stickiness,
    pool: random.next() < 0.3 ? random.pick(pools) : null,
    cpuMilli: 100 + random.int(cpuMilliMax - 100),
    replicas: kind === 'Pod' ? 1 : 1 + random.int(6),
  };
}

/** `poolLabel`: the label of nodes that names their pool. */
export function manifestsOf(
  workload: Workload,
  random: SeededRandom,
  poolLabel = POOL_LABEL,
): readonly Manifest[] {
  const { kind, name, namespace, replicas } = workload;
  const metadata = { name, namespace };
  const template = podTemplate(workload, poolLabel);
  if (kind === 'Pod') {
    return [{ apiVersion: 'v1', kind, metadata: { ...template.metadata, ...metadata }, spec: template.spec }];
  }
  if (kind === 'Job') {
    const annotations = { [RUN_FOR]: `${60 + random.int(900)}` };
    const spec = { ...template.spec, restartPolicy: 'Never' };
    const jobTemplate = { metadata: { ...template.metadata, annotations }, spec };
    const jobSpec = { parallelism: replicas, completions: replicas, template: jobTemplate };
    return [{ apiVersion: 'batch/v1', kind, metadata, spec: jobSpec }];
  }
  const selector = { matchLabels: { app: name } };
  const workloadManifest = { apiVersion: 'apps/v1', kind, metadata, spec: { replicas, selector, template } };
  return [...budgetsOf(workload), workloadManifest];
}

function podTemplate({ name, stickiness, pool, cpuMilli }: Workload, poolLabel: string) {
  const containers = [
    { name: 'main', image: 'pause', resources: { requests: { cpu: `${cpuMilli}m`, memory: '64Mi' } } },
  ];
  return {
    metadata: {
      labels: { app: name },
      annotations:
        stickiness === 'not-safe' ? { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } : {},
    },
    spec: {
      containers,
      ...(pool === null ? {} : { nodeSelector: { [poolLabel]: pool } }),
      ...(stickiness === 'local-storage' ? { volumes: [{ name: 'scratch', emptyDir: {} }] } : {}),
    },
  };
}

export function budgetsOf({ name, namespace, stickiness }: Workload): readonly Manifest[] {
  if (stickiness !== 'budget-of-none' && stickiness !== 'budget-of-one') return [];
  const maxUnavailable = stickiness === 'budget-of-none' ? 0 : 1;
  const spec = { selector: { matchLabels: { app: name } }, maxUnavailable };
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace }, spec }];
}

/** On every node of every pool. */
export const AGENT: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' } },
      spec: {
        containers: [
          { name: 'main', image: 'pause', resources: { requests: { cpu: '100m', memory: '32Mi' } } },
        ],
      },
    },
  },
};
