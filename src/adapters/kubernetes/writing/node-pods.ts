import { ClusterWriteError } from '../../../application/ports/cluster-writer.js';
import type { Pod } from '../../../domain/kubernetes/pod.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { requestJson } from '../connection/request-json.js';
import type { PodObject } from '../projection/api-objects.js';
import { projectPod } from '../projection/project-pod.js';
import { SharedRecords } from '../projection/projection.js';
import { PODS } from '../reading/resource-table.js';
import { writeFailure } from './write-failure.js';

/** The pods of one node as the API server has them; a node holds a few hundred at most, so that one page does. */
export class NodePods {
  private readonly shared = new SharedRecords();

  constructor(private readonly api: ApiTransport) {}

  /** @throws ClusterWriteError */
  async read(nodeName: string, signal?: AbortSignal): Promise<readonly Pod[]> {
    const fieldSelector = `spec.nodeName=${nodeName},${PODS.fieldSelector ?? ''}`;
    const path = `${PODS.path}?${new URLSearchParams({ fieldSelector }).toString()}`;
    const deed = `listing the pods of node ${nodeName}`;
    let items: readonly PodObject[];
    try {
      const list = await requestJson(this.api, { method: 'GET', path, ...(signal && { signal }) });
      items = (list as { readonly items?: readonly PodObject[] | null }).items ?? [];
    } catch (error) {
      throw writeFailure(error, deed);
    }
    try {
      return items.map((item) => projectPod(item, this.shared));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new ClusterWriteError('invalid', `${deed}: one can't be read: ${detail}`, { cause: error });
    }
  }
}
