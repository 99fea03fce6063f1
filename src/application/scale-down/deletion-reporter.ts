import { inject, injectable } from 'inversify';
import type { NodeRemoval, Utilization } from '../../domain/scale-down/index.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import type { EventKind } from '../ports/cluster-writer.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { gpuMetricLabels } from './gpu-metric-labels.js';
import type { DeletionFailure } from './node-delete-result.js';
import { ScaleDownSettings } from './scale-down-settings.js';

const STARTED_LEVEL = 2;

/** Tells the world what becomes of nodes (`scale-down` 8.13): events, metrics, log. */
@injectable()
export class DeletionReporter {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Logger) private readonly logger: Logger,
    @inject(CloudProvider) private readonly cloud: Pick<CloudProvider, 'gpuLabel'>,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Nodes of atomic groups that wait for others of their group. */
  pending(count: number): void {
    this.metrics.set('pending_node_deletions', count);
  }

  started(removal: NodeRemoval): void {
    const { node, isEmpty, podsToMove, utilization, groupId, reason } = removal;
    const pods = podsToMove.map(({ name }) => name);
    const text = isEmpty
      ? `Scale-down: removing empty node "${node.name}"`
      : `Scale-down: removing node ${node.name}, utilization: ${printUtilization(utilization)}, pods to reschedule: ${pods.join(',')}`;
    this.tellStatus(isEmpty ? 'ScaleDownEmpty' : 'ScaleDown', text);
    // That it goes, and why, was said when it was decided.
    const fields = { node: node.name, group: groupId, reason, pods };
    this.logger.info('node-deletion-started', text, { ...fields, v: STARTED_LEVEL });
  }

  deleted(removal: NodeRemoval): void {
    const { node, isEmpty, cause, groupId } = removal;
    this.tellNode(removal, 'Normal', 'ScaleDown', 'nodes removed by cluster autoscaler');
    const text = isEmpty
      ? `Scale-down: empty node ${node.name} removed`
      : `Scale-down: node ${node.name} removed with drain`;
    this.tellStatus(isEmpty ? 'ScaleDownEmpty' : 'ScaleDown', text);
    const gpu = gpuMetricLabels(node, this.cloud.gpuLabel);
    this.metrics.add('scaled_down_nodes_total', 1, { reason: cause, ...gpu, dra_drivers: '' });
    if (gpu.gpu_name !== '') this.metrics.add('scaled_down_gpu_nodes_total', 1, { reason: cause, ...gpu });
    this.logger.info('node-deleted', text, { node: node.name, group: groupId, cause });
  }

  failed(removal: NodeRemoval, failure: DeletionFailure): void {
    const what = removal.isEmpty ? 'failed to delete empty node' : 'failed to drain and delete node';
    this.tellNode(removal, 'Warning', 'ScaleDownFailed', `${what}: ${failure.message}`);
    const { node, groupId } = removal;
    const fields = { node: node.name, group: groupId, code: failure.code, error: failure.message };
    this.logger.warn('node-deletion-failed', what, fields);
  }

  private tellNode({ node }: NodeRemoval, type: EventKind, reason: string, message: string): void {
    const subject = { kind: 'Node' as const, namespace: '', name: node.name, uid: node.uid };
    this.writer.recordEvent({ subject, type, reason, message });
  }

  private tellStatus(reason: string, message: string): void {
    const subject = this.settings.statusSubject;
    if (subject !== null) this.writer.recordEvent({ subject, type: 'Normal', reason, message });
  }
}

/** `{cpu memory gpu dra resource highest}`, as upstream prints it. */
function printUtilization({ cpu, memory, gpu, resource, value }: Utilization): string {
  return `{${[cpu, memory, gpu, 0].join(' ')} ${resource} ${value}}`;
}
