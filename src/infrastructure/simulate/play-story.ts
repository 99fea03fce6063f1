import { programActs, renderDuration, StoryWorld } from '../../sandbox/scenarios/index.js';
import type { Expectations, ProgramAct, Step, Story } from '../../sandbox/scenarios/index.js';
import { VirtualClock } from '../../sandbox/world/index.js';
import type { FrontRequest } from '../../sandbox/world/index.js';
import { POOL_LABEL } from '../../sandbox/hetzner-sandbox.js';
import { CallLog } from './call-log.js';
import { Chronicle } from './chronicle.js';
import type { Decision, Entry } from './chronicle.js';
import { judge } from './judge/judge.js';
import type { Verdict } from './judge/verdict.js';
import { programSettings } from './program-settings.js';
import { Replica, START_FAILED } from './replica.js';
import { watchWorld } from './watch-world.js';

/** What became of one story. */
export interface StoryOutcome {
  readonly story: Story;
  readonly holds: boolean;
  readonly entries: readonly Entry[];
  readonly decisions: readonly Decision[];
  readonly verdicts: readonly Verdict[];
}

export interface PlayOptions {
  /** Beats the story's own. */
  readonly seed?: number | string;
}

/** A story that can't be played: it names what is not there, or an object that the API server refuses. */
export class UnplayableStory extends Error {
  constructor(story: Story, atMs: number, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super(`${story.name} at ${renderDuration(atMs)}: ${problem}`, { cause });
    this.name = 'UnplayableStory';
  }
}

const SEED_DEFAULT = 1;
const FIRST_REPLICA = 'evenkeel-0';
/** 2026-01-01T00:00:00Z is `0s` of every story, so that two runs can be compared. */
const START_MS = Date.UTC(2026, 0, 1);

/**
 * Plays the story in virtual time: the same story and seed give the same outcome to the byte. Throws
 * {@link UnplayableStory}.
 */
export async function playStory(story: Story, options: PlayOptions = {}): Promise<StoryOutcome> {
  const seed = options.seed ?? story.seed ?? SEED_DEFAULT;
  return new Play(story, seed).run();
}

class Play {
  private readonly clock: VirtualClock;
  private readonly world: StoryWorld;
  private readonly chronicle: Chronicle;
  private readonly cloudCalls: CallLog;
  private readonly apiCalls: CallLog;
  private readonly replicas = new Map<string, Replica>();
  private readonly verdicts: Verdict[] = [];
  private readonly stepsDone: Step[] = [];
  /** Since when the next look of a step counts. */
  private lookedMs = 0;
  private starts = 0;

  constructor(
    private readonly story: Story,
    private readonly seed: number | string,
  ) {
    this.clock = new VirtualClock(START_MS - StoryWorld.prehistoryMs(story.world));
    this.world = new StoryWorld(story, this.clock, seed);
    const now = (): number => this.world.now();
    this.chronicle = new Chronicle(now);
    this.cloudCalls = new CallLog(now, (request) => this.groupOf(request));
    this.apiCalls = new CallLog(now);
  }

  async run(): Promise<StoryOutcome> {
    await this.inWorld(0, () => this.world.prepare());
    watchWorld(this.world.sandbox.cluster, this.chronicle);
    try {
      if (this.startsAtOnce()) await this.act({ act: 'start', replica: FIRST_REPLICA });
      for (const step of this.story.steps) await this.take(step);
      await this.advanceTo(this.story.untilMs);
      this.look(this.story.expect, null);
      this.verdicts.push(...this.programStarts(), this.worldIsSound());
    } finally {
      for (const replica of this.replicas.values()) replica.abandon();
      this.world.sandbox.stop();
    }
    const holds = this.verdicts.every((verdict) => verdict.holds);
    const { entries, decisions } = this.chronicle;
    return { story: this.story, holds, entries, decisions, verdicts: this.verdicts };
  }

  /** Unless the story starts its first program itself. */
  private startsAtOnce(): boolean {
    const first = this.story.steps.flatMap(programActs)[0];
    return first?.act !== 'start';
  }

  private async take(step: Step): Promise<void> {
    await this.advanceTo(step.at);
    if (step.note !== undefined) this.chronicle.tell('story', step.note);
    // What was awaited until now is judged before anything changes.
    if (step.expect !== undefined) this.look(step.expect, step.at);
    await this.inWorld(step.at, () => this.world.carryOut(step));
    this.stepsDone.push(step);
    for (const act of programActs(step)) await this.act(act);
  }

  private async inWorld(atMs: number, deed: () => Promise<void> | void): Promise<void> {
    try {
      await deed();
    } catch (error) {
      throw new UnplayableStory(this.story, atMs, error);
    }
  }

  private async act({ act, replica: name }: ProgramAct): Promise<void> {
    const known = this.replicas.get(name);
    this.replicas.delete(name);
    if (act === 'stop') return known?.stop();
    if (act === 'kill') return known?.kill();
    const { sandbox } = this.world;
    const replica = new Replica({
      ...{ name, clock: this.clock, chronicle: this.chronicle },
      // No two processes draw the same numbers.
      seed: `${this.seed} ${name} ${++this.starts}`,
      kubernetes: this.apiCalls.before(sandbox.cluster.front),
      hetzner: this.cloudCalls.before(sandbox.cloud.front),
    });
    this.replicas.set(name, replica);
    const placeOf = this.world.placeOf.bind(this.world);
    await replica.start(programSettings({ story: this.story, steps: this.stepsDone, placeOf }));
  }

  private async advanceTo(storyMs: number): Promise<void> {
    const ms = storyMs - this.world.now();
    if (ms > 0) await this.clock.advance(ms);
    else await this.clock.settle();
  }

  private look(expect: Expectations, atMs: number | null): void {
    const where = atMs === null ? '' : `at ${renderDuration(atMs)}: `;
    const span = atMs === null ? { fromMs: 0, toMs: Infinity } : { fromMs: this.lookedMs, toMs: atMs };
    const verdicts = judge(expect, {
      span,
      chronicle: this.chronicle,
      sandbox: this.world.sandbox,
      cloudCalls: this.cloudCalls.calls,
      apiCalls: this.apiCalls.calls,
    });
    this.verdicts.push(...verdicts.map((verdict) => ({ ...verdict, text: `${where}${verdict.text}` })));
    if (atMs !== null) this.lookedMs = atMs;
  }

  /** A program that does not start decides nothing, which proves nothing: unless the story is about that. */
  private programStarts(): readonly Verdict[] {
    const failure = this.chronicle.log.find(({ event }) => event === START_FAILED);
    const looks = [this.story.expect, ...this.story.steps.map(({ expect }) => expect ?? {})];
    if (
      failure === undefined ||
      looks.some(({ log = [] }) => log.some(({ event }) => event === START_FAILED))
    ) {
      return [];
    }
    return [{ text: 'the program starts', holds: false, found: failure.message }];
  }

  private worldIsSound(): Verdict {
    const broken = this.world.sandbox.cloud.invariants();
    return { text: 'the cloud was used as it may be', holds: broken.length === 0, found: broken.join('; ') };
  }

  /** Group of the server that a call is about. */
  private groupOf({ method, path, body }: FrontRequest): string {
    if (method === 'POST') return labelIn(body);
    const id = /^\/v1\/servers\/(\d+)/u.exec(path)?.[1];
    const server = this.world.sandbox.cloud.servers().find((one) => `${one.id}` === id);
    return server?.labels[POOL_LABEL] ?? '';
  }
}

function labelIn(body: string): string {
  try {
    const { labels } = JSON.parse(body) as { readonly labels?: Readonly<Record<string, string>> };
    return labels?.[POOL_LABEL] ?? '';
  } catch {
    return '';
  }
}
