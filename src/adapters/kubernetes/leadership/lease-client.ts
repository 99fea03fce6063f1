import { V1Lease, V1ObjectMeta } from '@kubernetes/client-node';
import type { CoordinationV1Api, V1LeaseSpec } from '@kubernetes/client-node';
import type { Clock } from '../../../application/ports/clock.js';
import { callOptions, model } from '../connection/client-node-api.js';
import { Lifetime } from '../connection/lifetime.js';
import { hasStatus } from '../writing/write-failure.js';

/** One Lease object, each call within a time limit. */
export class LeaseClient {
  constructor(
    private readonly api: CoordinationV1Api,
    private readonly clock: Clock,
    readonly place: { readonly namespace: string; readonly name: string },
  ) {}

  /** Null: there is none yet. */
  read(timeoutMs: number): Promise<V1Lease | null> {
    return this.within(timeoutMs, async (signal) => {
      try {
        return await this.api.readNamespacedLease(this.place, callOptions({ signal }));
      } catch (error) {
        if (hasStatus(error, 404)) return null;
        throw error;
      }
    });
  }

  /** Creates or updates; fails with a 409 when somebody else was faster. */
  write(known: V1Lease | null, spec: V1LeaseSpec, timeoutMs: number): Promise<V1Lease> {
    const { namespace, name } = this.place;
    return this.within(timeoutMs, (signal) => {
      const options = callOptions({ signal });
      if (known !== null) {
        const body = model(V1Lease, known, { spec });
        return this.api.replaceNamespacedLease({ namespace, name, body }, options);
      }
      const metadata = model(V1ObjectMeta, { namespace, name });
      return this.api.createNamespacedLease({ namespace, body: model(V1Lease, { metadata, spec }) }, options);
    });
  }

  private async within<T>(timeoutMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const lifetime = new Lifetime(this.clock);
    lifetime.limitSilence(timeoutMs);
    try {
      return await call(lifetime.signal);
    } finally {
      lifetime.end();
    }
  }
}
