import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesCluster, Manifest } from '../../sandbox/kubernetes/index.js';
import { DEFAULT_TOKEN } from '../../sandbox/utho/index.js';
import { UthoSandbox } from '../../sandbox/utho-sandbox.js';
import { RealClock } from '../../sandbox/world/index.js';
import type { LogEntry } from './autoscaler-process.js';
import { PLATFORM, QUICK_CLUSTER, QUICK_FLAGS, QUICK_NODES } from './demo-world.js';
import type { DemoWorld, OpenDemo } from './demo-world.js';
import { writeKubeconfig } from './kubeconfig-file.js';
import { LogFacts } from './log-facts.js';
import { readPublishedManifests } from './published-manifests.js';
import type { PublishedManifests } from './published-manifests.js';

const POOL = 'pool-Qx7Lm2Za';
const POOL_MINIMUM = 1;
const POOL_MAXIMUM = 6;
/** Its `auto_scale` is off. */
const STATIC_POOL = 'static-pool';
/** 2 vCPU, 4 GB. */
const PLAN = '10308';

/** Lines that guides to this provider tell people to look for. */
const LOG_FACTS = [
  '--node-group-auto-discovery is ignored for utho',
  'fetched 2 node pools from the cluster',
  `node-pool ${POOL}: autoscaling=true (min=${POOL_MINIMUM} max=${POOL_MAXIMUM})`,
  `node-pool ${STATIC_POOL}: autoscaling=false`,
  `skipping non-autoscaling node pool: ${STATIC_POOL}`,
  'configured 1 autoscaling node pools',
  'IncreaseSize: requested delta=',
  'IncreaseSize: calling UpdateNodePool with targetSize=',
  `IncreaseSize: node group ${POOL} count updated, new Count=`,
  'DeleteNodes: requested deletion of ',
  'DeleteNodes: provider confirmed deletion of node ',
];

/** A cluster with one pool that is scaled and one that is not, and with what `deploy/utho` puts into it. */
export class UthoDemo implements DemoWorld {
  readonly title = 'A simulated cluster on Utho Kubernetes Engine';
  readonly clock = new RealClock();
  readonly cluster: KubernetesCluster;
  readonly load: Manifest;
  readonly circumstance = `Pool ${STATIC_POOL} is not autoscaled and must be left alone.`;
  readonly minimum = POOL_MINIMUM;
  private readonly manifests: PublishedManifests;
  private readonly sandbox: UthoSandbox;
  private readonly facts = new LogFacts(LOG_FACTS);

  constructor() {
    this.manifests = readPublishedManifests();
    this.load = this.manifests.stressTest;
    this.sandbox = new UthoSandbox({
      clock: this.clock,
      seed: 'demo',
      utho: {
        timings: { visibleAfterMs: 500, activeAfterMs: 1_500, deleteTakesMs: 700, recreateAfterMs: 5_000 },
      },
      kubernetes: QUICK_CLUSTER,
      nodeProfile: () => QUICK_NODES,
    });
    const { cloud, cluster } = this.sandbox;
    this.cluster = cluster;
    cloud.seedPool({ id: POOL, planId: PLAN, min: POOL_MINIMUM, max: POOL_MAXIMUM });
    cloud.seedPool({ id: STATIC_POOL, planId: PLAN, autoScale: false, min: null, max: null });
    this.sandbox.start();
    cluster.apply(...this.manifests.accessRules, PLATFORM);
  }

  async open(folder: string): Promise<OpenDemo> {
    const served = await this.sandbox.serve();
    const { flags, configFolder } = this.manifests;
    const mountedAt = this.mountConfig(folder);
    const ofManifest = flags.map((flag) => flag.replace(`=${configFolder}/`, `=${mountedAt}/`));
    const kubeconfig = writeKubeconfig(folder, 'autoscaler', this.cluster, served);
    const own = [...QUICK_FLAGS, `--kubeconfig=${kubeconfig}`];
    return {
      kubernetesUrl: served.kubernetesUrl,
      flags: [...ofManifest, ...own],
      environment: { UTHO_API_URL: served.cloudUrl },
      preface:
        `The autoscaler has the rights of deploy/utho/rbac.yaml and runs with the flags of deploy/utho/deployment.yaml,\n\n` +
        `    ${ofManifest.join('\n    ')}\n\nand, for a viewer's patience and for this machine, with\n\n` +
        `    ${own.join('\n    ')}\n\nIts cloud-config holds a token and no cluster_id. Of its log at --v=4 this shows the decisions and the lines\n` +
        `that guides name, once each.\n\n`,
      close: () => served.close(),
    };
  }

  stop(): void {
    this.sandbox.stop();
  }

  workers(): number {
    return this.sandbox.cloud.workers(POOL).length;
  }

  machines(): number {
    return this.sandbox.fleet.running().length;
  }

  isWorthTelling({ message, verbosity }: LogEntry): boolean {
    const isFact = this.facts.isNew(message);
    return isFact || verbosity === 0;
  }

  objectionsToGrowth(): readonly string[] {
    return this.objectionsToStaticPool();
  }

  objections(): readonly string[] {
    const denied = this.cluster.requests.list(({ status }) => status === 403);
    return [
      ...this.objectionsToStaticPool(),
      ...this.sandbox.cloud.invariants(),
      ...this.facts.objections(),
      ...denied.map(({ method, path }) => `the rights of deploy/utho do not allow ${method} ${path}`),
    ];
  }

  private objectionsToStaticPool(): readonly string[] {
    const { cloud } = this.sandbox;
    const touched = cloud.writes().filter(({ path }) => path.includes(`/${STATIC_POOL}/`));
    const has = cloud.workers(STATIC_POOL).length;
    return [
      ...touched.map(({ method, path }) => `the autoscaler touched pool ${STATIC_POOL}: ${method} ${path}`),
      ...(has === 1 ? [] : [`pool ${STATIC_POOL} has ${has} workers`]),
    ];
  }

  /** The Secret as a container sees it: a folder with a file for each key. */
  private mountConfig(folder: string): string {
    const mountedAt = join(folder, 'config');
    mkdirSync(mountedAt);
    const file = join(mountedAt, this.manifests.configName);
    writeFileSync(file, JSON.stringify({ token: DEFAULT_TOKEN }), { mode: 0o600 });
    return mountedAt;
  }
}
