import { inject, injectable } from 'inversify';
import { renderGoDuration } from '../../domain/go-duration.js';
import { Clock } from '../ports/clock.js';
import type { HealthProbe, HealthVerdict } from '../ports/health.js';

/** Milliseconds. */
export interface HealthLimits {
  /** `--max-inactivity`: allowed age of the last loop start. */
  readonly inactivityMsMax: number;
  /** `--max-failing-time`: allowed age of the last good loop. */
  readonly failingMsMax: number;
  /** `--max-startup-time`: both, until the first good loop. */
  readonly startupMsMax: number;
}

export const HealthLimits = Symbol('HealthLimits');

/**
 * Health by the age of the loop's last signs of life (`interface` 3.3). Until monitoring starts it is always good, so
 * that a standby lives.
 */
@injectable()
export class LoopHealth implements HealthProbe {
  private isMonitoring = false;
  private hasSucceeded = false;
  private activityMs = 0;
  private successMs = 0;

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(HealthLimits) private readonly limits: HealthLimits,
  ) {}

  /** To be called when the autoscaler has been built and its caches are full. */
  startMonitoring(): void {
    this.isMonitoring = true;
    this.activityMs = this.clock.now();
    this.successMs = this.clock.now();
  }

  loopStarted(): void {
    this.activityMs = this.clock.now();
  }

  /** The loop ended well or with a transient error. After another error nothing is called. */
  loopSucceeded(): void {
    this.activityMs = this.clock.now();
    this.successMs = this.clock.now();
    this.hasSucceeded = true;
  }

  check(): HealthVerdict {
    if (!this.isMonitoring) return { healthy: true };
    const { inactivityMsMax, failingMsMax, startupMsMax } = this.limits;
    const inactiveMs = this.clock.now() - this.activityMs;
    const failingMs = this.clock.now() - this.successMs;
    const isActive = inactiveMs <= (this.hasSucceeded ? inactivityMsMax : startupMsMax);
    const isSucceeding = failingMs <= (this.hasSucceeded ? failingMsMax : startupMsMax);
    if (isActive && isSucceeding) return { healthy: true };
    const ages = [renderGoDuration(inactiveMs), renderGoDuration(failingMs)] as const;
    return {
      healthy: false,
      reason: `Error: last activity more ${ages[0]} ago, last success more than ${ages[1]} ago`,
    };
  }
}
