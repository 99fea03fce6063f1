import { LoopTrigger } from '../../../src/application/loop/index.js';
import type { LoopOptions } from '../../../src/application/loop/index.js';
import type { RecentActivity } from '../../../src/application/loop/loop-trigger.js';
import type { ClusterReader } from '../../../src/application/ports/cluster-reader.js';
import type { Metrics } from '../../../src/application/ports/metrics.js';
import { VirtualClock } from '../../../src/sandbox/world/index.js';

const OPTIONS: LoopOptions = {
  scanIntervalMs: 10_000,
  frequentLoops: true,
  scaleUpFromZero: true,
  scaleDown: true,
  enforceMinSize: false,
  writeStatus: true,
  trackRemovalLatency: false,
  trackEvaluationGaps: false,
};
const NEVER: RecentActivity = { lastScaleUpMs: -1, lastScaleDownDeleteMs: -1, batchIsDueMs: null };
const METRICS: Metrics = {
  add: () => undefined,
  set: () => undefined,
  observe: () => undefined,
  reset: () => undefined,
};

class Story {
  readonly clock = new VirtualClock(0);
  readonly stop = new AbortController();
  private readonly listeners: (() => void)[] = [];
  readonly trigger: LoopTrigger;

  constructor(options: Partial<LoopOptions> = {}) {
    const reader = {
      onUnschedulablePod: (listener: () => void) => {
        this.listeners.push(listener);
        return () => this.listeners.splice(0);
      },
    } as unknown as ClusterReader;
    this.trigger = new LoopTrigger(this.clock, reader, METRICS, { ...OPTIONS, ...options });
    this.trigger.listen();
    this.trigger.runStarts(NEVER);
  }

  podAppears(): void {
    for (const listener of this.listeners) listener();
  }

  /** Milliseconds that the wait takes; `meanwhile` happens after so many of them. */
  async wait(
    activity: RecentActivity = NEVER,
    meanwhile: { readonly afterMs: number; readonly what: () => void } | null = null,
  ) {
    const startMs = this.clock.now();
    if (meanwhile !== null) this.clock.schedule(meanwhile.afterMs, meanwhile.what);
    await this.clock.complete(this.trigger.wait(activity, this.stop.signal));
    return this.clock.now() - startMs;
  }

  /** Milliseconds between a run and the next. */
  async runAndWait(before: RecentActivity, after: RecentActivity): Promise<number> {
    this.trigger.runStarts(before);
    await this.clock.advance(1_000);
    return this.wait(after);
  }
}

describe('the next iteration', () => {
  it('starts after the scan interval when nothing happens', async () => {
    expect(await new Story().wait()).toBe(10_000);
  });

  it('starts at once when a pod becomes unschedulable', async () => {
    const story = new Story();
    expect(await story.wait(NEVER, { afterMs: 3_000, what: () => story.podAppears() })).toBe(3_000);
  });

  it('starts at once when a pod became unschedulable during the one before, and only once', async () => {
    const story = new Story();
    story.podAppears();
    story.podAppears();
    expect(await story.wait()).toBe(0);
    expect(await story.wait()).toBe(10_000);
  });

  it('waits for nothing after a productive run, and once more', async () => {
    const story = new Story();
    const activity = { ...NEVER, lastScaleUpMs: story.clock.now() };
    expect(await story.runAndWait(NEVER, activity)).toBe(0);
    expect(await story.runAndWait(activity, activity)).toBe(0);
    expect(await story.runAndWait(activity, activity)).toBe(10_000);
  });

  it('does not spin while the clock is behind the time of the latest work', async () => {
    const story = new Story();
    const ahead = { ...NEVER, lastScaleUpMs: story.clock.now() + 3_600_000 };
    await story.runAndWait(NEVER, ahead);
    await story.runAndWait(ahead, ahead);
    expect(await story.runAndWait(ahead, ahead)).toBe(10_000);
  });

  it('does not look at pods or productivity without frequent loops', async () => {
    const story = new Story({ frequentLoops: false });
    story.podAppears();
    const activity = { ...NEVER, lastScaleUpMs: story.clock.now() };
    expect(await story.runAndWait(NEVER, activity)).toBe(10_000);
  });

  it.each([
    ['as soon as a batch of new pods is old enough', true, 2_000, 2_000],
    ['at the latest after the scan interval', true, 30_000, 10_000],
    ['at once when the batch became old enough meanwhile', true, -5, 0],
    ['after the scan interval without frequent loops', false, 2_000, 10_000],
  ])('starts %s', async (_, frequentLoops, dueInMs, expected) => {
    const story = new Story({ frequentLoops });
    expect(await story.wait({ ...NEVER, batchIsDueMs: story.clock.now() + dueInMs })).toBe(expected);
  });

  it('never starts after a stop', async () => {
    const story = new Story();
    story.clock.schedule(2_000, () => story.stop.abort(new Error('stop')));
    await expect(story.wait()).rejects.toThrow('stop');
    expect(story.clock.now()).toBe(2_000);
  });
});
