import { inject, injectable } from 'inversify';
import type {
  ClusterEvent,
  ClusterWriter,
  EvictionOutcome,
  NodePatch,
} from '../../application/ports/cluster-writer.js';
import { Incidents } from '../../application/ports/incidents.js';
import { Logger } from '../../application/ports/logger.js';
import { Random } from '../../application/ports/random.js';
import type { Node } from '../../domain/kubernetes/node.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { KubernetesConnection } from './connection/connect-kubernetes.js';
import { EventCorrelator } from './writing/event-correlator.js';
import { EventRecorder } from './writing/event-recorder.js';
import { NodePods } from './writing/node-pods.js';
import { NodeWriter } from './writing/node-writer.js';
import { PodEvictor } from './writing/pod-evictor.js';
import { StatusMap } from './writing/status-map.js';

export interface KubernetesWriterOptions {
  /** `--namespace`, default `kube-system`. */
  readonly namespace?: string;
  /** `--status-config-map-name`, default `cluster-autoscaler-status`. */
  readonly statusConfigMapName?: string;
  /** `--record-duplicated-events`, default false. */
  readonly recordDuplicatedEvents?: boolean;
}

export const KubernetesWriterOptions = Symbol('KubernetesWriterOptions');

/** Writes to the cluster through its API. */
@injectable()
export class KubernetesClusterWriter implements ClusterWriter {
  private readonly nodes: NodeWriter;
  private readonly pods: PodEvictor;
  private readonly nodePods: NodePods;
  private readonly status: StatusMap;
  private readonly events: EventRecorder;

  constructor(
    @inject(KubernetesConnection) connection: KubernetesConnection,
    @inject(Random) random: Random,
    @inject(Incidents) incidents: Incidents,
    @inject(Logger) logger: Logger,
    @inject(KubernetesWriterOptions) options: KubernetesWriterOptions = {},
  ) {
    const { clock, core, events, writes } = connection;
    const statusMap = {
      namespace: options.namespace ?? 'kube-system',
      name: options.statusConfigMapName ?? 'cluster-autoscaler-status',
    };
    const recordDuplicatedEvents = options.recordDuplicatedEvents ?? false;
    const correlator = new EventCorrelator({ recordDuplicatedEvents, statusMap });
    this.nodes = new NodeWriter(writes, clock);
    this.pods = new PodEvictor(core, writes);
    this.nodePods = new NodePods(writes);
    this.status = new StatusMap(core, statusMap);
    this.events = new EventRecorder({ events, correlator, clock, random, incidents, logger });
  }

  patchNode(nodeName: string, patch: NodePatch, signal?: AbortSignal): Promise<boolean> {
    return this.nodes.patch(nodeName, patch, signal);
  }

  evict(pod: Pod, gracePeriodSeconds: number | null, signal?: AbortSignal): Promise<EvictionOutcome> {
    return this.pods.evict(pod, gracePeriodSeconds, signal);
  }

  isPodGone(pod: Pod, signal?: AbortSignal): Promise<boolean> {
    return this.pods.isGone(pod, signal);
  }

  readNode(nodeName: string, signal?: AbortSignal): Promise<Node | null> {
    return this.nodes.read(nodeName, signal);
  }

  podsOn(nodeName: string, signal?: AbortSignal): Promise<readonly Pod[]> {
    return this.nodePods.read(nodeName, signal);
  }

  recordEvent(event: ClusterEvent): void {
    this.events.record(this.isOnStatusMap(event) ? this.withUid(event) : event);
  }

  writeStatus(
    status: { readonly yaml: string; readonly lastUpdated: string },
    signal?: AbortSignal,
  ): Promise<void> {
    return this.status.write(status, signal);
  }

  deleteStatus(): Promise<void> {
    return this.status.delete();
  }

  flush(): Promise<void> {
    return this.events.flush();
  }

  private isOnStatusMap({ subject }: ClusterEvent): boolean {
    const { namespace, name } = this.status.place;
    return subject.kind === 'ConfigMap' && subject.namespace === namespace && subject.name === name;
  }

  /** Callers know the status map by name only; `kubectl describe` finds events by uid. */
  private withUid(event: ClusterEvent): ClusterEvent {
    return { ...event, subject: { ...event.subject, uid: event.subject.uid || this.status.uid } };
  }
}
