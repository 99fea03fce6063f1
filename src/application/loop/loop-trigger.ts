import { inject, injectable } from 'inversify';
import { Clock } from '../ports/clock.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import { Metrics } from '../ports/metrics.js';
import { LoopOptions } from './loop-options.js';

/** When productive work was done last, in milliseconds since the epoch. */
export interface RecentActivity {
  readonly lastScaleUpMs: number;
  readonly lastScaleDownDeleteMs: number;
  /** When new pods that were not looked at yet are old enough (`scale-up` 2.5); null: there are none. */
  readonly batchIsDueMs: number | null;
}

/** Upstream goes on at once after the productive run and once more. */
const RUNS_AT_ONCE = 2;

/**
 * Decides when the next iteration starts (`scale-up` 2.2): at once after productive work or when a pod becomes
 * unschedulable, at the latest after the scan interval.
 *
 * differs from upstream: runs are counted instead of comparing their times, so that a clock that is set back does not
 * make the loop spin until it has caught up; and pods that were too new to be looked at are looked at as soon as they are
 * old enough, where upstream lets them wait for the rest of the scan interval.
 */
@injectable()
export class LoopTrigger {
  private activityBeforeMs = Number.NEGATIVE_INFINITY;
  /** Runs that still follow at once. */
  private runsAtOnce = 0;
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

  /** To be told at the start of each run what was done before it. */
  runStarts(activity: RecentActivity): void {
    this.activityBeforeMs = latestOf(activity);
  }

  /** Settles when the next iteration should start; rejects when the signal aborts. */
  async wait(activity: RecentActivity, signal: AbortSignal): Promise<void> {
    if (latestOf(activity) !== this.activityBeforeMs) this.runsAtOnce = RUNS_AT_ONCE;
    if (this.options.frequentLoops && this.runsAtOnce > 0) {
      this.runsAtOnce--;
      this.podIsWaiting = false;
      await this.clock.yield();
      signal.throwIfAborted();
      return;
    }
    const startedMs = this.clock.now();
    await this.sleepUntilDue(activity.batchIsDueMs ?? Infinity, signal);
    this.podIsWaiting = false;
    const waitedSeconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', waitedSeconds, { function: 'loopWait' });
  }

  private async sleepUntilDue(batchIsDueMs: number, signal: AbortSignal): Promise<void> {
    const { scanIntervalMs } = this.options;
    const batchMs = this.options.frequentLoops ? Math.max(0, batchIsDueMs - this.clock.now()) : Infinity;
    if (this.options.frequentLoops && this.podIsWaiting) return;
    const woken = new AbortController();
    if (this.options.frequentLoops) this.wake = () => woken.abort();
    try {
      await this.clock.sleep(Math.min(scanIntervalMs, batchMs), AbortSignal.any([signal, woken.signal]));
    } catch (error) {
      if (signal.aborted || !woken.signal.aborted) throw error;
    } finally {
      this.wake = null;
    }
  }
}

function latestOf({ lastScaleUpMs, lastScaleDownDeleteMs }: RecentActivity): number {
  return Math.max(lastScaleUpMs, lastScaleDownDeleteMs);
}
