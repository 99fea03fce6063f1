import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../sandbox/hetzner-sandbox.js';
import type { Manifest } from '../../sandbox/kubernetes/index.js';
import { RealClock } from '../../sandbox/world/index.js';

/** The first choice for the demo's pods: its type wastes least. It is sold out. */
export const SOLD_OUT_POOL = 'budget';
/** The pool that grows instead. */
export const GROWING_POOL = 'regular';
export const POOL_MINIMUM = 1;
export const POD_COUNT = 10;

const CONTROL_PLANE = 'control-plane-1';
const CONTROL_PLANE_TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** Flags of the autoscaler under show: real ones, with patience cut to what a viewer has. */
export const DEMO_FLAGS: readonly string[] = [
  '--cloud-provider=hetzner',
  `--nodes=0:4:cx33:fsn1:${SOLD_OUT_POOL}`,
  `--nodes=${POOL_MINIMUM}:6:cpx22:nbg1:${GROWING_POOL}`,
  '--scan-interval=2s',
  '--scale-down-unneeded-time=6s',
  '--scale-down-delay-after-add=6s',
  '--scale-down-delay-after-delete=0s',
  '--node-delete-delay-after-taint=1s',
  '--max-drain-parallelism=2',
  '--kube-client-qps=50',
  '--kube-client-burst=100',
  '--address=127.0.0.1:0',
  '--logging-format=json',
];

/** Environment of the autoscaler: the legacy format, as the published manifest has it. */
export function demoEnvironment(hetznerUrl: string): Readonly<Record<string, string>> {
  return {
    HCLOUD_TOKEN: DEFAULT_TOKEN,
    HCLOUD_ENDPOINT: hetznerUrl,
    HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\nruncmd:\n  - join-the-cluster\n').toString('base64'),
    HCLOUD_IMAGE: 'ubuntu-24.04',
  };
}

/** One control-plane server, one worker of the second pool, and some load that is there from the beginning. */
export function createDemoWorld(): HetznerSandbox {
  const quick = { meanMs: 700, spreadMs: 200 };
  const world = new HetznerSandbox({
    clock: new RealClock(),
    seed: 'demo',
    hetzner: { timings: { createServer: quick, startServer: quick, deleteServer: quick } },
    kubernetes: { podStartMs: 500, podStopMs: 500, initializeMs: 300, silenceGraceMs: 3_000 },
    nodeProfile: ({ name }) => ({
      ...{ joinAfterMs: 2_000, readyAfterMs: 500 },
      ...(name === CONTROL_PLANE && { taints: [CONTROL_PLANE_TAINT] }),
    }),
  });
  world.cloud.setStock('cx33', 'fsn1', 0);
  world.cloud.seedServer({ name: CONTROL_PLANE, type: 'cx23', protected: true });
  world.cloud.seedServer({
    name: `${GROWING_POOL}-0000000000000001`,
    type: 'cpx22',
    location: 'nbg1',
    labels: { [POOL_LABEL]: GROWING_POOL },
  });
  world.start();
  world.cluster.apply(workload('platform', 1, '600m'));
  return world;
}

export function workload(name: string, replicas: number, cpu: string): Manifest {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name, image: 'registry.k8s.io/pause:3.10', resources: { requests: { cpu, memory: '64Mi' } } },
          ],
        },
      },
    },
  };
}
