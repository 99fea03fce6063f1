import { V1DeleteOptions, V1Eviction, V1ObjectMeta, V1Preconditions } from '@kubernetes/client-node';
import type { CoreV1Api } from '@kubernetes/client-node';
import type { EvictionOutcome } from '../../../application/ports/cluster-writer.js';
import type { Pod } from '../../../domain/kubernetes/pod.js';
import { podKey } from '../../../domain/kubernetes/pod.js';
import { ApiStatusError } from '../connection/api-error.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { callOptions, model } from '../connection/client-node-api.js';
import { requestJson } from '../connection/request-json.js';
import type { PodObject } from '../projection/api-objects.js';
import { hasStatus, writeFailure } from './write-failure.js';

/** Evictions through the API that minds disruption budgets, and whether a pod has left. */
export class PodEvictor {
  constructor(
    private readonly core: CoreV1Api,
    private readonly api: ApiTransport,
  ) {}

  async evict(pod: Pod, gracePeriodSeconds: number | null, signal?: AbortSignal): Promise<EvictionOutcome> {
    const { namespace, name, uid } = pod;
    const body = model(V1Eviction, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: model(V1ObjectMeta, { namespace, name }),
      deleteOptions: model(V1DeleteOptions, {
        // A new pod of the same name (a StatefulSet's) must not be evicted in its place.
        preconditions: model(V1Preconditions, { uid }),
        ...(gracePeriodSeconds !== null && { gracePeriodSeconds }),
      }),
    });
    try {
      await this.core.createNamespacedPodEviction({ namespace, name, body }, callOptions({ signal }));
      return { kind: 'accepted' };
    } catch (error) {
      return this.outcomeOf(error, pod, signal);
    }
  }

  /** @throws ClusterWriteError */
  async isGone(pod: Pod, signal?: AbortSignal): Promise<boolean> {
    const path = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${encodeURIComponent(pod.name)}`;
    try {
      const request = { method: 'GET', path, ...(signal && { signal }) } as const;
      const found = (await requestJson(this.api, request)) as PodObject;
      return found.metadata?.uid !== pod.uid || (found.spec?.nodeName ?? '') !== pod.nodeName;
    } catch (error) {
      if (hasStatus(error, 404)) return true;
      throw writeFailure(error, `reading pod ${podKey(pod)}`);
    }
  }

  private async outcomeOf(
    error: unknown,
    pod: Pod,
    signal: AbortSignal | undefined,
  ): Promise<EvictionOutcome> {
    const failed = {
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
    } as const;
    if (!(error instanceof ApiStatusError)) return failed;
    if (error.status === 404) return { kind: 'gone' };
    // The server's own overload answers 429 too, but with plain text.
    if (error.status === 429 && error.reason !== '')
      return { kind: 'blocked-by-budget', message: error.detail };
    if (error.status !== 409) return failed;
    // A conflict is the precondition, or a race over the budget: the pod itself tells which.
    const gone = await this.isGone(pod, signal).catch(() => false);
    return gone ? { kind: 'gone' } : failed;
  }
}
