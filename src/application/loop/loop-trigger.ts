import { inject, injectable } from 'inversify';
import { Clock } from '../ports/clock.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import { Metrics } from '../ports/metrics.js';
import { LoopOptions } from './loop-options.js';

/** When productive work was done last, in milliseconds since the epoch. */
export interface RecentActivity {
  readonly lastScaleUpMs: number;
  readonly lastScaleDownDeleteMs: number;
}

/**
 * Decides when the next iteration starts (`scale-up` 2.2): at once after productive work or when a pod becomes
 * unschedulable, at the latest after the scan interval.
 */
@injectable()
export class LoopTrigger {
  private startOfLastRunMs = Number.NEGATIVE_INFINITY;
  private startOfRunBeforeMs = Number.NEGATIVE_INFINITY;
  /** One pending signal is kept; more of them would say the same. */
  private podIsWaiting = false;
  private wake: (() => void) | null = null;

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(ClusterReader) private readonly cluster: ClusterReader,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(LoopOptions) private readonly options: LoopOptions,
  ) {}

  /** Listens for pods that become unschedulable; the returned function stops that. */
  listen(): () => void {
    return this.cluster.onUnschedulablePod(() => {
      this.podIsWaiting = true;
      this.wake?.();
    });
  }

  runStarts(nowMs: number): void {
    this.startOfRunBeforeMs = this.startOfLastRunMs;
    this.startOfLastRunMs = nowMs;
  }

  /** Settles when the next iteration should start; rejects when the signal aborts. */
  async wait(activity: RecentActivity, signal: AbortSignal): Promise<void> {
    if (this.options.frequentLoops && this.wasProductive(activity)) {
      this.podIsWaiting = false;
      await this.clock.yield();
      signal.throwIfAborted();
      return;
    }
    const startedMs = this.clock.now();
    await this.sleepUntilDue(signal);
    this.podIsWaiting = false;
    const waitedSeconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', waitedSeconds, { function: 'loopWait' });
  }

  private wasProductive(activity: RecentActivity): boolean {
    const latest = Math.max(activity.lastScaleUpMs, activity.lastScaleDownDeleteMs);
    return latest >= this.startOfRunBeforeMs && Number.isFinite(this.startOfRunBeforeMs);
  }

  private async sleepUntilDue(signal: AbortSignal): Promise<void> {
    if (this.options.frequentLoops && this.podIsWaiting) return;
    const woken = new AbortController();
    if (this.options.frequentLoops) this.wake = () => woken.abort();
    try {
      await this.clock.sleep(this.options.scanIntervalMs, AbortSignal.any([signal, woken.signal]));
    } catch (error) {
      if (signal.aborted || !woken.signal.aborted) throw error;
    } finally {
      this.wake = null;
    }
  }
}
