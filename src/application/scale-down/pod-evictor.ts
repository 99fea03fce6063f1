import { inject, injectable } from 'inversify';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { gracePeriodSeconds } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { EventKind, EvictionOutcome } from '../ports/cluster-writer.js';
import { ClusterWriteError, ClusterWriter } from '../ports/cluster-writer.js';
import { DeletionTracker } from './deletion-tracker.js';
import { messageOf } from './in-parallel.js';
import type { PodEvictionResult } from './node-delete-result.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Between attempts to evict one pod (upstream constant). */
const RETRY_PAUSE_MS = 10_000;

/** An attempt's outcome; `hopeless`: trying again can't help. */
type Attempt =
  | { readonly kind: 'evicted' }
  | { readonly kind: 'failed'; readonly message: string; readonly hopeless: boolean };

/** Evicts single pods, again and again within their time. */
@injectable()
export class PodEvictor {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /**
   * Never rejects. `graceCapSeconds` 0: no cap. The failure of a best-effort eviction is nobody's news. An aborted signal
   * ends the attempts at once.
   */
  async evict(
    pod: Pod,
    graceCapSeconds: number,
    signal: AbortSignal,
    options: { readonly isBestEffort?: boolean } = {},
  ): Promise<PodEvictionResult> {
    if (signal.aborted) return { pod, timedOut: false, error: ABORTED };
    this.tell(pod, 'Normal', 'ScaleDown', 'deleting pod for node scale down');
    const grace = gracePeriodSeconds(pod);
    const capped = graceCapSeconds > 0 ? Math.min(grace, graceCapSeconds) : grace;
    const result = await this.keepTrying(pod, capped, signal);
    if (result.error === null) this.tracker.registerEviction(pod);
    else if (!signal.aborted && options.isBestEffort !== true) {
      this.tell(pod, 'Warning', 'ScaleDownFailed', 'failed to delete pod for ScaleDown');
    }
    return result;
  }

  private async keepTrying(pod: Pod, graceSeconds: number, signal: AbortSignal): Promise<PodEvictionResult> {
    const deadlineMs = this.clock.now() + this.settings.policy.maxPodEvictionTimeMs;
    for (;;) {
      const attempt = await this.attempt(pod, graceSeconds, signal);
      if (attempt.kind === 'evicted') return { pod, timedOut: false, error: null };
      if (attempt.hopeless || signal.aborted) return { pod, timedOut: false, error: attempt.message };
      if (this.clock.now() + RETRY_PAUSE_MS >= deadlineMs)
        return { pod, timedOut: true, error: attempt.message };
      try {
        await this.clock.sleep(RETRY_PAUSE_MS, signal);
      } catch {
        return { pod, timedOut: false, error: ABORTED };
      }
    }
  }

  private async attempt(pod: Pod, graceSeconds: number, signal: AbortSignal): Promise<Attempt> {
    try {
      const outcome: EvictionOutcome = await this.writer.evict(pod, graceSeconds, signal);
      if (outcome.kind === 'accepted' || outcome.kind === 'gone') return { kind: 'evicted' };
      return { kind: 'failed', message: outcome.message, hopeless: false };
    } catch (error) {
      // Without the right, or with a request that the API server can't accept, patience does not help (W40).
      const hopeless = error instanceof ClusterWriteError && ['forbidden', 'invalid'].includes(error.code);
      return { kind: 'failed', message: messageOf(error), hopeless };
    }
  }

  private tell(pod: Pod, type: EventKind, reason: string, message: string): void {
    const { namespace, name, uid } = pod;
    this.writer.recordEvent({ subject: { kind: 'Pod', namespace, name, uid }, type, reason, message });
  }
}

const ABORTED = 'given up: this process no longer leads';
