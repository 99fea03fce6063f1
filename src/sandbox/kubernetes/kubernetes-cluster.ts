import { FaultyFront } from '../world/faulty-front.js';
import type { Front } from '../world/front.js';
import type { MachineFleet } from '../world/machine.js';
import type { SeededRandom } from '../world/seeded-random.js';
import type { WorldClock } from '../world/world-clock.js';
import { ApiFaults } from './api/api-faults.js';
import { ApiServer } from './api/api-server.js';
import { RecordingFront, RequestLog } from './api/request-log.js';
import { ClusterDesk } from './cluster-desk.js';
import { ControlPlane } from './control-plane.js';
import { kubeconfigText } from './kubeconfig.js';
import type { KubeconfigOptions } from './kubeconfig.js';
import type { NodeProfileOf } from './kubelet/node-profile.js';
import { NAMESPACES, SERVICE_ACCOUNTS } from './objects/kinds.js';
import { Registry } from './registry/registry.js';
import { ObjectStore } from './store/object-store.js';

export interface ClusterOptions {
  /** Changes per kind from which a watch may resume, at least. Default 4,096. */
  readonly historyMax?: number;
  /** API requests kept for assertions. Default 10,000. */
  readonly requestsKept?: number;
  /** From binding to Running. Default 2 s. */
  readonly podStartMs?: number;
  /** That a pod needs to stop, within its grace period. Default 1 s. */
  readonly podStopMs?: number;
  /** Silence of a kubelet until its node counts as unknown. Default 50 s, as upstream. */
  readonly silenceGraceMs?: number;
  /** From a node's registration to its initialization by the cloud controller. Default 2 s. */
  readonly initializeMs?: number;
  /** From the last pod's end to the end of a volume's attachment. Default 2 s. */
  readonly detachMs?: number;
  /** Time between two signs of life of a kubelet. Default 0: none, which costs nothing. */
  readonly heartbeatMs?: number;
}

export interface ClusterParts {
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly fleet: MachineFleet;
  /** How the node of a machine behaves. Default: a healthy one. */
  readonly nodeProfile?: NodeProfileOf;
  readonly options?: ClusterOptions;
}

const SYSTEM_NAMESPACES = ['default', 'kube-system', 'kube-node-lease', 'kube-public'];

/**
 * A simulated cluster behind a real API. The API serves from the beginning; scheduler, controllers and kubelets work
 * from {@link start} on.
 */
export class KubernetesCluster extends ClusterDesk {
  readonly front: Front;
  readonly faults: ApiFaults;
  /** The latest API requests. */
  readonly requests: RequestLog;
  private readonly controlPlane: ControlPlane;

  constructor({ clock, random, fleet, nodeProfile = () => ({}), options = {} }: ClusterParts) {
    const store = new ObjectStore(options.historyMax ?? 4_096);
    const registry = new Registry(store, clock, random.fork('kubernetes'));
    super(registry);
    const chance = random.fork('kubernetes-faults');
    this.faults = new ApiFaults(store, () => chance.next());
    this.requests = new RequestLog(options.requestsKept ?? 10_000);
    const server = new FaultyFront(new ApiServer(registry, this.faults), this.faults.requests, clock);
    this.front = new RecordingFront(server, this.requests, () => clock.now());
    for (const name of SYSTEM_NAMESPACES) {
      registry.create(NAMESPACES, { metadata: { name } }, '');
      registry.create(SERVICE_ACCOUNTS, { metadata: { name: 'default' } }, name);
    }
    this.controlPlane = new ControlPlane(registry, fleet, nodeProfile, {
      podTimes: { startMs: options.podStartMs ?? 2_000, stopMs: options.podStopMs ?? 1_000 },
      silenceGraceMs: options.silenceGraceMs ?? 50_000,
      initializeMs: options.initializeMs ?? 2_000,
      detachMs: options.detachMs ?? 2_000,
      heartbeatMs: options.heartbeatMs ?? 0,
    });
  }

  /** Sets scheduler, controllers and kubelets to work. */
  start(): void {
    this.controlPlane.start();
  }

  /** Stops them for good, and ends all watches. */
  stop(): void {
    this.controlPlane.stop();
    this.faults.cutWatches();
  }

  /** Whether nodes outlive their machines, as ghosts. */
  keepGhosts(keeps: boolean): void {
    this.controlPlane.keepGhosts(keeps);
  }

  kubeconfig(url: string, options: KubeconfigOptions = {}): string {
    return kubeconfigText(url, options);
  }
}
