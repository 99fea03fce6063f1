import { V1ConfigMap, V1ObjectMeta } from '@kubernetes/client-node';
import type { CoreV1Api } from '@kubernetes/client-node';
import { callOptions, model } from '../connection/client-node-api.js';
import { hasStatus, writeFailure } from './write-failure.js';

const LAST_UPDATED = 'cluster-autoscaler.kubernetes.io/last-updated';
const DATA_KEY = 'status';

/** The status ConfigMap (`interface` 4.1). */
export class StatusMap {
  /** Of the map as last written or read; empty before. */
  uid = '';

  constructor(
    private readonly core: CoreV1Api,
    readonly place: { readonly namespace: string; readonly name: string },
  ) {}

  /** Creates the map, or updates it and leaves foreign keys and annotations alone. @throws ClusterWriteError */
  async write(
    status: { readonly yaml: string; readonly lastUpdated: string },
    signal?: AbortSignal,
  ): Promise<void> {
    const { namespace, name } = this.place;
    try {
      const known = await this.read(signal);
      const annotations = { ...known?.metadata?.annotations, [LAST_UPDATED]: status.lastUpdated };
      const body = model(V1ConfigMap, known ?? {}, {
        metadata: model(V1ObjectMeta, known?.metadata ?? {}, { namespace, name, annotations }),
        data: { ...known?.data, [DATA_KEY]: status.yaml },
      });
      const options = callOptions({ signal });
      const written =
        known === null
          ? await this.core.createNamespacedConfigMap({ namespace, body }, options)
          : await this.core.replaceNamespacedConfigMap({ namespace, name, body }, options);
      this.uid = written.metadata?.uid ?? '';
    } catch (error) {
      throw writeFailure(error, `writing ConfigMap ${namespace}/${name}`);
    }
  }

  /** @throws ClusterWriteError */
  async delete(): Promise<void> {
    const { namespace, name } = this.place;
    try {
      await this.core.deleteNamespacedConfigMap({ namespace, name });
    } catch (error) {
      if (!hasStatus(error, 404)) throw writeFailure(error, `deleting ConfigMap ${namespace}/${name}`);
    }
  }

  private async read(signal: AbortSignal | undefined): Promise<V1ConfigMap | null> {
    try {
      return await this.core.readNamespacedConfigMap(this.place, callOptions({ signal }));
    } catch (error) {
      if (hasStatus(error, 404)) return null;
      throw error;
    }
  }
}
