import { ClusterWriteError } from '../../../application/ports/cluster-writer.js';
import type { Pod } from '../../../domain/kubernetes/pod.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { requestJson } from '../connection/request-json.js';
import type { PodObject } from '../projection/api-objects.js';
import { projectPod } from '../projection/project-pod.js';
import { SharedRecords } from '../projection/projection.js';
import { PODS } from '../reading/resource-table.js';
import { writeFailure } from './write-failure.js';

interface PodList {
  readonly kind?: unknown;
  readonly metadata?: { readonly continue?: string } | null;
  readonly items?: readonly PodObject[] | null;
}

/** The pods of one node as the API server has them; a node holds a few hundred at most, so that one page does. */
export class NodePods {
  private readonly shared = new SharedRecords();

  constructor(private readonly api: ApiTransport) {}

  /** @throws ClusterWriteError */
  async read(nodeName: string, signal?: AbortSignal): Promise<readonly Pod[]> {
    const fieldSelector = [`spec.nodeName=${nodeName}`, PODS.fieldSelector].join();
    const path = `${PODS.path}?${new URLSearchParams({ fieldSelector }).toString()}`;
    const deed = `listing the pods of node ${nodeName}`;
    let answer: unknown;
    try {
      answer = await requestJson(this.api, { method: 'GET', path, ...(signal && { signal }) });
    } catch (error) {
      throw writeFailure(error, deed);
    }
    try {
      return itemsOf(answer).map((item) => projectPod(item, this.shared));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new ClusterWriteError('invalid', `${deed}: ${detail}`, { cause: error });
    }
  }
}

/** Of a whole list only: whatever else were taken for one would make the node look empty. */
function itemsOf(answer: unknown): readonly PodObject[] {
  const { kind, metadata, items } = (answer ?? {}) as PodList;
  if (kind !== 'PodList' || items === undefined || (metadata?.continue ?? '') !== '') {
    throw new Error('the answer is no whole list');
  }
  return items ?? [];
}
