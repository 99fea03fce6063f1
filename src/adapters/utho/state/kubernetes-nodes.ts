import type { ClusterReader } from '../../../application/ports/cluster-reader.js';
import { ClusterReadError } from '../../../application/ports/cluster-reader.js';
import { ZONE_LABEL } from '../../../domain/kubernetes/labels.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import type { DaemonSet } from '../../../domain/kubernetes/workload.js';
import type { WorkerRecord } from '../client/records.js';
import { workerIdOfNode } from './provider-id.js';

type WorkerName = Pick<WorkerRecord, 'id' | 'hostname'>;

/** The cluster's nodes by the worker that they run on, at one moment. */
export class KubernetesNodes {
  private readonly byWorkerId = new Map<string, Node>();
  private readonly byName = new Map<string, Node>();

  private constructor(
    nodes: readonly Node[],
    private readonly daemonSets: readonly DaemonSet[],
    /** False: the caches are too old, so every worker may have a node. */
    readonly isKnown: boolean,
  ) {
    for (const node of nodes) {
      const workerId = workerIdOfNode(node);
      if (workerId !== null) this.byWorkerId.set(workerId, node);
      this.byName.set(node.name.toLowerCase(), node);
    }
  }

  static of(reader: ClusterReader): KubernetesNodes {
    try {
      const { nodes, daemonSets } = reader.state();
      return new KubernetesNodes(nodes, daemonSets, true);
    } catch (error) {
      if (!(error instanceof ClusterReadError)) throw error;
      return new KubernetesNodes([], [], false);
    }
  }

  /** The node of a worker: by id, else by host name where the node of that name names no other worker. */
  of(worker: WorkerName): Node | undefined {
    const node = this.byWorkerId.get(worker.id);
    if (node !== undefined || worker.hostname === '') return node;
    const namesake = this.named(worker.hostname);
    return namesake === undefined || workerIdOfNode(namesake) !== null ? undefined : namesake;
  }

  /** Host names have no case. */
  named(name: string): Node | undefined {
    return this.byName.get(name.toLowerCase());
  }

  /** True also where nobody can tell. */
  mayRun(worker: WorkerName): boolean {
    return !this.isKnown || this.of(worker) !== undefined;
  }

  /** kube-proxy runs as a DaemonSet, so that the engine charges fresh nodes with its pod. */
  hasKubeProxySet(): boolean {
    return this.daemonSets.some(
      ({ namespace, name }) => namespace === 'kube-system' && name === 'kube-proxy',
    );
  }

  /** Zone of the workers' nodes: null where they have none, undefined where there is no node to look at. */
  zoneOf(workers: readonly WorkerName[]): string | null | undefined {
    const nodes = workers.map((worker) => this.of(worker)).filter((node) => node !== undefined);
    if (nodes.length === 0) return undefined;
    return nodes.map((node) => node.labels.get(ZONE_LABEL)).find((zone) => zone !== undefined) ?? null;
  }
}
