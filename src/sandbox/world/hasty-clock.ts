import { RealClock } from './accelerated-clock.js';
import type { ScheduledTask } from './world-clock.js';

/**
 * Shows the time on the wall, and lets all that is waited for come `haste` times sooner: machines boot in seconds, and
 * the times that objects carry are still those of everybody else. A program that is pointed at the world has no other
 * clock than the wall's; to it, objects of an accelerated clock would come from the future.
 */
export class HastyClock extends RealClock {
  constructor(private readonly haste: number) {
    super();
    if (!(haste > 0)) throw new RangeError(`nothing can be waited for ${haste} times as fast`);
  }

  override schedule(delayMs: number, task: () => void): ScheduledTask {
    return super.schedule(delayMs / this.haste, task);
  }
}
