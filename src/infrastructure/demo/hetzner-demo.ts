import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../sandbox/hetzner-sandbox.js';
import type { KubernetesCluster } from '../../sandbox/kubernetes/index.js';
import { RealClock } from '../../sandbox/world/index.js';
import { PLATFORM, QUICK_CLUSTER, QUICK_FLAGS, QUICK_NODES } from './demo-world.js';
import type { DemoWorld, OpenDemo } from './demo-world.js';
import { writeKubeconfig } from './kubeconfig-file.js';
import { workload } from './workload.js';

/** The first choice for the load: its type wastes least. It is sold out. */
const SOLD_OUT_POOL = 'budget';
/** The pool that grows instead. */
const GROWING_POOL = 'regular';
const POOL_MINIMUM = 1;

const CONTROL_PLANE = 'control-plane-1';
const CONTROL_PLANE_TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** One control-plane server, one worker of the second pool; the first pool's type is sold out. */
export class HetznerDemo implements DemoWorld {
  readonly title = 'A simulated cluster on Hetzner Cloud';
  readonly clock = new RealClock();
  readonly cluster: KubernetesCluster;
  readonly load = workload('web', 10, '750m');
  readonly circumstance = `The type of pool ${SOLD_OUT_POOL} is sold out.`;
  readonly minimum = POOL_MINIMUM;
  private readonly sandbox: HetznerSandbox;

  constructor() {
    const quick = { meanMs: 700, spreadMs: 200 };
    this.sandbox = new HetznerSandbox({
      clock: this.clock,
      seed: 'demo',
      hetzner: { timings: { createServer: quick, startServer: quick, deleteServer: quick } },
      kubernetes: QUICK_CLUSTER,
      nodeProfile: ({ name }) => ({
        ...QUICK_NODES,
        ...(name === CONTROL_PLANE && { taints: [CONTROL_PLANE_TAINT] }),
      }),
    });
    const { cloud, cluster } = this.sandbox;
    this.cluster = cluster;
    cloud.setStock('cx33', 'fsn1', 0);
    cloud.seedServer({ name: CONTROL_PLANE, type: 'cx23', protected: true });
    cloud.seedServer({
      name: `${GROWING_POOL}-0000000000000001`,
      type: 'cpx22',
      location: 'nbg1',
      labels: { [POOL_LABEL]: GROWING_POOL },
    });
    this.sandbox.start();
    cluster.apply(PLATFORM);
  }

  async open(folder: string): Promise<OpenDemo> {
    const served = await this.sandbox.serve();
    return {
      kubernetesUrl: served.kubernetesUrl,
      flags: [
        '--cloud-provider=hetzner',
        `--nodes=0:4:cx33:fsn1:${SOLD_OUT_POOL}`,
        `--nodes=${POOL_MINIMUM}:6:cpx22:nbg1:${GROWING_POOL}`,
        ...QUICK_FLAGS,
        `--kubeconfig=${writeKubeconfig(folder, 'autoscaler', this.cluster, served)}`,
      ],
      // The legacy format, as the published manifest has it.
      environment: {
        HCLOUD_TOKEN: DEFAULT_TOKEN,
        HCLOUD_ENDPOINT: served.cloudUrl,
        HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\nruncmd:\n  - join-the-cluster\n').toString('base64'),
        HCLOUD_IMAGE: 'ubuntu-24.04',
      },
      preface: '',
      close: () => served.close(),
    };
  }

  stop(): void {
    this.sandbox.stop();
  }

  workers(): number {
    return this.sandbox.poolServers(GROWING_POOL).length;
  }

  machines(): number {
    return this.sandbox.cloud.servers().length;
  }

  isWorthTelling(): boolean {
    return true;
  }

  objectionsToGrowth(): readonly string[] {
    const creations = this.sandbox.cloud.calls({ method: 'POST', path: '/servers' });
    const wasTried = creations.some(({ status }) => status === 412);
    return [
      ...(wasTried ? [] : [`pool ${SOLD_OUT_POOL} was never tried`]),
      ...(this.sandbox.poolServers(SOLD_OUT_POOL).length === 0 ? [] : [`pool ${SOLD_OUT_POOL} has servers`]),
    ];
  }

  objections(): readonly string[] {
    return this.sandbox.cloud.invariants();
  }
}
