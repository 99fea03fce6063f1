import { LeaderRun } from '../../application/loop/index.js';
import { ConfigurationError } from '../../application/ports/configuration.js';
import { InProcessDispatcher } from '../../sandbox/http/index.js';
import { SeededRandom } from '../../sandbox/world/index.js';
import type { Front, VirtualClock } from '../../sandbox/world/index.js';
import { checkOptions, parseFlags } from '../command-line/index.js';
import type { StartSettings } from '../command-line/index.js';
import { composeAutoscaler } from '../composition/compose.js';
import type { Chronicle } from './chronicle.js';
import { DecisionRecorder } from './decision-recorder.js';
import { HETZNER_ORIGIN, KUBERNETES_ORIGIN } from './program-settings.js';
import type { ProgramSettings } from './program-settings.js';

/** Event id of a program that its configuration keeps from starting. */
export const START_FAILED = 'start-failed';

export interface ReplicaParts {
  readonly name: string;
  readonly clock: VirtualClock;
  readonly seed: number | string;
  readonly chronicle: Chronicle;
  readonly kubernetes: Front;
  readonly hetzner: Front;
}

/** One run of the composed program, in this process: the real one, with time and network of the story. */
export class Replica {
  private readonly stopping = new AbortController();
  private readonly dispatcher: InProcessDispatcher;
  private running: Promise<void> = Promise.resolve();
  private isDead = false;

  constructor(private readonly parts: ReplicaParts) {
    const { clock, kubernetes, hetzner } = parts;
    this.dispatcher = new InProcessDispatcher({ clock })
      .mount(KUBERNETES_ORIGIN, kubernetes)
      .mount(HETZNER_ORIGIN, hetzner);
  }

  /** Settles when it has begun to run, or could not. */
  async start({ flags, environment }: ProgramSettings): Promise<void> {
    const { name, clock, seed, chronicle } = this.parts;
    try {
      const recorder = new DecisionRecorder(chronicle);
      const container = await composeAutoscaler(
        readFlags(flags),
        {
          ...{ clock, environment, hostName: name, random: new SeededRandom(seed) },
          kubernetesDispatcher: this.dispatcher,
          cloudDispatcher: this.dispatcher,
          logDestination: { write: (text) => this.log(text) },
        },
        { replacements: (built) => recorder.attach(built) },
      );
      const run = container.get(LeaderRun).run(this.stopping.signal);
      this.tell('starts');
      this.running = run.then(
        (end) => this.ended(`ended: ${end}`),
        (error: unknown) => this.ended(`ended with an error: ${messageOf(error)}`),
      );
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.tell(`does not start: ${error.message}`, START_FAILED);
    }
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    this.tell('is told to stop');
    this.stopping.abort(new Error('stopped by the story'));
    await this.parts.clock.complete(this.running);
  }

  /** As SIGKILL does: nothing that it still wants to do reaches anybody. */
  kill(): void {
    this.tell('is killed');
    this.abandon();
  }

  /** The story is over. */
  abandon(): void {
    this.isDead = true;
    for (const origin of [KUBERNETES_ORIGIN, HETZNER_ORIGIN]) this.dispatcher.unmount(origin);
    this.dispatcher.cutConnections();
    this.stopping.abort(new Error('killed by the story'));
  }

  private ended(how: string): void {
    if (!this.isDead) this.tell(how, 'program-ended');
  }

  private tell(what: string, event = 'program'): void {
    const { name, chronicle } = this.parts;
    chronicle.tell('program', `${name} ${what}`);
    chronicle.addLog({ atMs: chronicle.now(), replica: name, event, message: what });
  }

  private log(text: string): void {
    if (this.isDead) return;
    const { name, chronicle } = this.parts;
    const line = JSON.parse(text) as {
      readonly caller: string;
      readonly msg: string;
      readonly err?: unknown;
    };
    const message = typeof line.err === 'string' ? `${line.msg}: ${line.err}` : line.msg;
    chronicle.addLog({ atMs: chronicle.now(), replica: name, event: line.caller, message });
    chronicle.tell('log', `${line.caller}: ${message}`, true);
  }
}

/** Throws ConfigurationError. */
function readFlags(flags: readonly string[]): StartSettings {
  const parsed = parseFlags(flags);
  if (parsed.kind !== 'flags') {
    const problem = parsed.kind === 'error' ? parsed.problem : 'help was asked for';
    throw new ConfigurationError([
      { place: 'flags', value: null, problem, remedy: 'see evenkeel run --help' },
    ]);
  }
  const check = checkOptions(parsed.flags.options);
  if (check.ok) return check.settings;
  throw new ConfigurationError(check.faults.map((fault) => ({ ...fault })));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
