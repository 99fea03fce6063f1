import { frontWithAdmin as cloudWithAdmin, HetznerCloud } from './hetzner/index.js';
import type { SettingsChange } from './hetzner/index.js';
import { InProcessDispatcher } from './http/in-process-dispatcher.js';
import { LoopbackServer } from './http/loopback-server.js';
import { frontWithAdmin as clusterWithAdmin, KubernetesCluster } from './kubernetes/index.js';
import type { ClusterOptions, NodeProfile } from './kubernetes/index.js';
import { MachineFleet } from './world/machine.js';
import type { Machine } from './world/machine.js';
import { SeededRandom } from './world/seeded-random.js';
import type { WorldClock } from './world/world-clock.js';

/** Label that puts a server into a pool. */
export const POOL_LABEL = 'hcloud/node-group';

export interface HetznerSandboxOptions {
  readonly clock: WorldClock;
  /** Same seed and same requests: same history. */
  readonly seed: number | string;
  readonly hetzner?: SettingsChange;
  readonly kubernetes?: ClusterOptions;
  /** How nodes behave beyond what all of them do. */
  readonly nodeProfile?: (machine: Machine) => NodeProfile;
}

/** Where the fronts of a served sandbox listen. */
export interface ServedSandbox {
  readonly kubernetesUrl: string;
  /** With the version segment: a value for `HCLOUD_ENDPOINT`. */
  readonly hetznerUrl: string;
  close(): Promise<void>;
}

/** A cluster on Hetzner Cloud: servers bought there become nodes here. */
export class HetznerSandbox {
  readonly clock: WorldClock;
  readonly fleet = new MachineFleet();
  readonly cloud: HetznerCloud;
  readonly cluster: KubernetesCluster;

  constructor({ clock, seed, hetzner, kubernetes, nodeProfile }: HetznerSandboxOptions) {
    const random = new SeededRandom(seed);
    this.clock = clock;
    this.cloud = new HetznerCloud({
      clock,
      random,
      fleet: this.fleet,
      ...(hetzner && { settings: hetzner }),
    });
    this.cluster = new KubernetesCluster({
      clock,
      random,
      fleet: this.fleet,
      nodeProfile: (machine) => joinedToPool(machine, nodeProfile?.(machine) ?? {}),
      ...(kubernetes && { options: kubernetes }),
    });
  }

  /** Sets scheduler, controllers and kubelets to work. */
  start(): void {
    this.cluster.start();
  }

  /** Ends the world: nothing happens in it any more. */
  stop(): void {
    this.cluster.stop();
    this.clock.stop();
  }

  /** Servers that belong to the pool, whatever their state. */
  poolServers(pool: string): readonly { readonly name: string; readonly status: string }[] {
    return this.cloud.servers().filter(({ labels }) => labels[POOL_LABEL] === pool);
  }

  /** Both APIs on the loopback interface, with their admin interfaces `/_sandbox` and `/_fake`. */
  async serve(
    ports: { readonly kubernetes?: number; readonly hetzner?: number } = {},
  ): Promise<ServedSandbox> {
    const kubernetes = await LoopbackServer.listen(clusterWithAdmin(this.cluster), ports.kubernetes);
    const hetzner = await LoopbackServer.listen(cloudWithAdmin(this.cloud), ports.hetzner).catch(
      async (error: unknown) => {
        await kubernetes.close();
        throw error;
      },
    );
    return {
      kubernetesUrl: kubernetes.origin,
      hetznerUrl: `${hetzner.origin}/v1`,
      close: async () => {
        await Promise.all([kubernetes.close(), hetzner.close()]);
      },
    };
  }

  /** Both APIs without sockets, under these origins. */
  dispatcher(origins: { readonly kubernetes: string; readonly hetzner: string }): InProcessDispatcher {
    return new InProcessDispatcher({ clock: this.clock })
      .mount(origins.kubernetes, this.cluster.front)
      .mount(origins.hetzner, this.cloud.front);
  }
}

/** What a pool's cloud-init does: the node registers with the label of its pool. */
function joinedToPool(machine: Machine, profile: NodeProfile): NodeProfile {
  const pool = machine.labels[POOL_LABEL];
  return pool === undefined ? profile : { ...profile, labels: { [POOL_LABEL]: pool, ...profile.labels } };
}
