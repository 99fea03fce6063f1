import { inject, injectable } from 'inversify';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { DrainWave } from '../../domain/scale-down/index.js';
import { drainWaves } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Metrics } from '../ports/metrics.js';
import type { DeletionFailure, PodEvictionResult } from './node-delete-result.js';
import { deletionFailure } from './node-delete-result.js';
import { PodEvictor } from './pod-evictor.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Between looks at pods that are to vanish (upstream constant). */
const POLL_MS = 5_000;
/** Added to the grace period while waiting for pods to vanish (upstream constant). */
const HEADROOM_MS = 30_000;

/** What is to leave a node. */
export interface DrainOrder {
  /** Must be evicted and must vanish. */
  readonly pods: readonly Pod[];
  /** Evicted as far as the API server allows; with drain priorities they are pods like others. */
  readonly daemonSetPods: readonly Pod[];
}

/** Empties a node by eviction (`scale-down` 8.5). */
@injectable()
export class NodeDrainer {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(PodEvictor) private readonly evictor: PodEvictor,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Null once all pods are gone. Rejects only when the signal is aborted. */
  async drain({ pods, daemonSetPods }: DrainOrder, signal: AbortSignal): Promise<DeletionFailure | null> {
    const { drainPriorities, maxGracefulTerminationSeconds } = this.settings.policy;
    const isLegacy = drainPriorities.length === 0;
    const waves = isLegacy
      ? [{ shutdownGracePeriodSeconds: maxGracefulTerminationSeconds, pods }]
      : drainWaves([...pods, ...daemonSetPods], drainPriorities);
    const company = isLegacy ? new AbortController() : null;
    if (company !== null) this.accompany(daemonSetPods, AbortSignal.any([signal, company.signal]));
    try {
      return await this.drainWaves(waves, signal);
    } finally {
      // Nobody waits for DaemonSet pods: they would come back anyhow (W39).
      company?.abort();
    }
  }

  /** Evicts pods of a node that has nothing to move; whatever comes of it, the node goes. */
  async evictBestEffort(pods: readonly Pod[], signal: AbortSignal): Promise<void> {
    const cap = this.settings.policy.maxGracefulTerminationSeconds;
    await Promise.all(pods.map((pod) => this.evictor.evict(pod, cap, signal)));
    signal.throwIfAborted();
  }

  private accompany(pods: readonly Pod[], signal: AbortSignal): void {
    const cap = this.settings.policy.maxGracefulTerminationSeconds;
    for (const pod of pods) void this.evictor.evict(pod, cap, signal, { isBestEffort: true });
  }

  private async drainWaves(
    waves: readonly DrainWave[],
    signal: AbortSignal,
  ): Promise<DeletionFailure | null> {
    const results = new Map<string, PodEvictionResult>();
    for (const pod of waves.flatMap((wave) => wave.pods)) {
      results.set(pod.uid, { pod, timedOut: false, error: 'not reached: pods of lower priority stayed' });
    }
    for (const wave of waves) {
      const failure =
        (await this.evictWave(wave, results, signal)) ?? (await this.awaitGone(wave, results, signal));
      if (failure !== null) return failure;
    }
    return null;
  }

  private async evictWave(
    { pods, shutdownGracePeriodSeconds }: DrainWave,
    results: Map<string, PodEvictionResult>,
    signal: AbortSignal,
  ): Promise<DeletionFailure | null> {
    const evicted = await Promise.all(
      pods.map((pod) => this.evictor.evict(pod, shutdownGracePeriodSeconds, signal)),
    );
    signal.throwIfAborted();
    for (const result of evicted) {
      results.set(result.pod.uid, result);
      const outcome = result.error === null ? 'succeeded' : 'failed';
      this.metrics.add('evicted_pods_total', 1, { eviction_result: outcome });
    }
    const failed = evicted.find(({ error }) => error !== null);
    if (failed === undefined) return null;
    const text = `failed to evict pod ${failed.pod.namespace}/${failed.pod.name}: ${failed.error ?? ''}`;
    return deletionFailure('NodeDeleteErrorFailedToEvictPods', text, results);
  }

  private async awaitGone(
    { pods, shutdownGracePeriodSeconds }: DrainWave,
    results: Map<string, PodEvictionResult>,
    signal: AbortSignal,
  ): Promise<DeletionFailure | null> {
    const deadlineMs = this.clock.now() + shutdownGracePeriodSeconds * 1_000 + HEADROOM_MS;
    let remaining = pods;
    for (;;) {
      remaining = await this.stillThere(remaining, signal);
      if (remaining.length === 0) return null;
      if (this.clock.now() >= deadlineMs) break;
      await this.clock.sleep(POLL_MS, signal);
    }
    for (const pod of remaining) {
      results.set(pod.uid, { pod, timedOut: true, error: 'the pod was evicted but did not go' });
    }
    const text = `pods remaining after timeout: ${remaining.map(({ name }) => name).join(',')}`;
    return deletionFailure('NodeDeleteErrorFailedToEvictPods', text, results);
  }

  private async stillThere(pods: readonly Pod[], signal: AbortSignal): Promise<readonly Pod[]> {
    const gone = await Promise.all(
      // A pod that can't be read may still be there.
      pods.map((pod) => this.writer.isPodGone(pod, signal).catch(() => false)),
    );
    signal.throwIfAborted();
    return pods.filter((_pod, index) => gone[index] !== true);
  }
}
