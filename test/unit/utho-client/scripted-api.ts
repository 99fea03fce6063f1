import { UthoApi, UthoTelemetry, readUthoConfiguration } from '../../../src/adapters/utho/index.js';
import type { ConfigurationSource } from '../../../src/application/ports/configuration.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { RecordedIncidents, RecordedLog, RecordedMetrics, source } from '../../support/recorders.js';

export const ORIGIN = 'https://api.utho.com';
export const TOKEN = 'top-secret-key';
export const CONFIG_PATH = '/config/cloud-config';

/** Answers by a list; the last one repeats. */
export type Script = readonly ((request: FrontRequest) => FrontResponse | Promise<FrontResponse>)[];

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): FrontResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
}

export const cut: FrontResponse = { status: 200, headers: {}, body: '', cut: true };

/** An answer about a cluster, with these pools. */
export function clusterBody(nodepools: unknown, more: object = {}): Record<string, unknown> {
  return {
    info: { cluster: { id: '701234', dcslug: 'inmumbaizone2' } },
    nodepools,
    rcode: 'success',
    ...more,
  };
}

class ScriptedFront implements Front {
  readonly requests: FrontRequest[] = [];

  constructor(
    private readonly script: Script,
    private readonly clock: VirtualClock,
    readonly timesMs: number[],
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    this.requests.push(request);
    this.timesMs.push(this.clock.now());
    const answer = this.script[Math.min(this.requests.length, this.script.length) - 1]!;
    return answer(request);
  }
}

export interface ScriptedOptions {
  /** Of the cloud-config file, beside the token. */
  readonly config?: object;
  readonly source?: ConfigurationSource;
}

/** The real client on an API that answers by a script, under virtual time. */
export function scriptedApi(script: Script, options: ScriptedOptions = {}) {
  const clock = new VirtualClock();
  const startMs = clock.now();
  const timesMs: number[] = [];
  const front = new ScriptedFront(script, clock, timesMs);
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, front);
  const text = JSON.stringify({ token: TOKEN, cluster_id: '701234', ...options.config });
  const configuration = readUthoConfiguration(
    options.source ?? source({}, { [CONFIG_PATH]: text }),
    CONFIG_PATH,
  );
  const [log, metrics, incidents] = [new RecordedLog(), new RecordedMetrics(), new RecordedIncidents()];
  const telemetry = new UthoTelemetry(log, metrics, incidents);
  const api = new UthoApi(configuration, dispatcher, clock, new SeededRandom('utho'), telemetry);
  return {
    api,
    clock,
    configuration,
    dispatcher,
    front,
    incidents,
    log,
    metrics,
    signal: new AbortController().signal,
    /** When each request came, from the start on. */
    seconds: () => timesMs.map((ms) => (ms - startMs) / 1_000),
    /** Settles by moving time, as far as needed; gives what the promise was rejected with. */
    failure: async (work: Promise<unknown>): Promise<unknown> => {
      const outcome = work.then(
        () => new Error('it was not rejected'),
        (error: unknown) => error,
      );
      return clock.complete(outcome);
    },
  };
}
