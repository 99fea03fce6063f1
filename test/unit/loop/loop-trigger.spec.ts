import { LoopTrigger } from '../../../src/application/loop/index.js';
import type { LoopOptions } from '../../../src/application/loop/index.js';
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
const NEVER = { lastScaleUpMs: -1, lastScaleDownDeleteMs: -1 };
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
  }

  podAppears(): void {
    for (const listener of this.listeners) listener();
  }

  /** Milliseconds that the wait takes; `meanwhile` happens after so many of them. */
  async wait(
    activity = NEVER,
    meanwhile: { readonly afterMs: number; readonly what: () => void } | null = null,
  ) {
    const startMs = this.clock.now();
    if (meanwhile !== null) this.clock.schedule(meanwhile.afterMs, meanwhile.what);
    await this.clock.complete(this.trigger.wait(activity, this.stop.signal));
    return this.clock.now() - startMs;
  }

  async run(): Promise<void> {
    this.trigger.runStarts(this.clock.now());
    await this.clock.advance(1_000);
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

  it('waits for nothing when the latest runs were productive', async () => {
    const story = new Story();
    await story.run();
    await story.run();
    const activity = { lastScaleUpMs: story.clock.now() - 1_000, lastScaleDownDeleteMs: -1 };
    expect(await story.wait(activity)).toBe(0);
    await story.run();
    await story.run();
    expect(await story.wait(activity)).toBe(10_000);
  });

  it('does not look at pods or productivity without frequent loops', async () => {
    const story = new Story({ frequentLoops: false });
    await story.run();
    await story.run();
    story.podAppears();
    expect(await story.wait({ lastScaleUpMs: story.clock.now(), lastScaleDownDeleteMs: -1 })).toBe(10_000);
  });

  it('never starts after a stop', async () => {
    const story = new Story();
    story.clock.schedule(2_000, () => story.stop.abort(new Error('stop')));
    await expect(story.wait()).rejects.toThrow('stop');
    expect(story.clock.now()).toBe(2_000);
  });
});
