import { InProcessDispatcher } from './http/in-process-dispatcher.js';
import { LoopbackServer } from './http/loopback-server.js';
import { frontWithAdmin, KubernetesCluster } from './kubernetes/index.js';
import type { ClusterOptions, NodeProfile } from './kubernetes/index.js';
import type { Front } from './world/front.js';
import { MachineFleet } from './world/machine.js';
import type { Machine } from './world/machine.js';
import { SeededRandom } from './world/seeded-random.js';
import type { WorldClock } from './world/world-clock.js';

export interface CloudSandboxOptions {
  readonly clock: WorldClock;
  /** Same seed and same requests: same history. */
  readonly seed: number | string;
  readonly kubernetes?: ClusterOptions;
  /** How nodes behave beyond what all of them do. */
  readonly nodeProfile?: (machine: Machine) => NodeProfile;
}

/** Where the fronts of a served sandbox listen. */
export interface ServedFronts {
  readonly kubernetesUrl: string;
  /** With the version segment: a value for `HCLOUD_ENDPOINT`, or for `api_url`. */
  readonly cloudUrl: string;
  close(): Promise<void>;
}

/** Ports to listen on; any free one where absent. */
export interface FrontPorts {
  readonly kubernetes?: number;
  readonly cloud?: number;
}

/** A cluster on a simulated cloud: machines bought there become nodes here. All on one clock. */
export abstract class CloudSandbox {
  readonly clock: WorldClock;
  readonly fleet = new MachineFleet();
  readonly cluster: KubernetesCluster;
  protected readonly random: SeededRandom;

  constructor({ clock, seed, kubernetes, nodeProfile }: CloudSandboxOptions) {
    this.random = new SeededRandom(seed);
    this.clock = clock;
    this.cluster = new KubernetesCluster({
      clock,
      random: this.random,
      fleet: this.fleet,
      nodeProfile: (machine) => this.profileOf(machine, nodeProfile?.(machine) ?? {}),
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

  /** Both APIs on the loopback interface, with their admin interfaces `/_sandbox` and `/_fake`. */
  async serve(ports: FrontPorts = {}): Promise<ServedFronts> {
    const { front, versionPath } = this.cloudFront('with admin');
    const kubernetes = await LoopbackServer.listen(frontWithAdmin(this.cluster), ports.kubernetes);
    const cloud = await LoopbackServer.listen(front, ports.cloud).catch(async (error: unknown) => {
      await kubernetes.close();
      throw error;
    });
    return {
      kubernetesUrl: kubernetes.origin,
      cloudUrl: `${cloud.origin}${versionPath}`,
      close: async () => {
        await Promise.all([kubernetes.close(), cloud.close()]);
      },
    };
  }

  /** Both APIs without sockets, under these origins. */
  dispatcher(origins: { readonly kubernetes: string; readonly cloud: string }): InProcessDispatcher {
    return new InProcessDispatcher({ clock: this.clock })
      .mount(origins.kubernetes, this.cluster.front)
      .mount(origins.cloud, this.cloudFront('plain').front);
  }

  /** The cloud's API, and the path under which it is found. */
  protected abstract cloudFront(kind: 'plain' | 'with admin'): {
    readonly front: Front;
    readonly versionPath: string;
  };

  /** What this cloud does to every node that boots on its machines. */
  protected abstract profileOf(machine: Machine, wanted: NodeProfile): NodeProfile;
}
