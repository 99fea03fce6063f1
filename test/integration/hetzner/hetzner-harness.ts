import {
  HetznerClient,
  HetznerProvider,
  HetznerTelemetry,
  readHetznerConfiguration,
} from '../../../src/adapters/hetzner/index.js';
import type { Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import { DEFAULT_TOKEN, HetznerCloud } from '../../../src/sandbox/hetzner/index.js';
import type { RecordedCall, SettingsChange } from '../../../src/sandbox/hetzner/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { RecordedIncidents, RecordedLog, RecordedMetrics, source } from '../../support/recorders.js';

export { RecordedIncidents, RecordedLog, RecordedMetrics, source };

const ORIGIN = 'https://api.hetzner.cloud';
export const USER_DATA = '#cloud-config\nruncmd:\n  - [sh, -c, "join --token top.secret"]\n';

export function clusterConfig(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

/** A working environment with one entry for each pool. */
export function environment(pools: Record<string, object>, more: Record<string, string> = {}) {
  const nodeConfigs = Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [name, { cloudInit: USER_DATA, ...pool }]),
  );
  return {
    HCLOUD_TOKEN: DEFAULT_TOKEN,
    HCLOUD_CLUSTER_CONFIG: clusterConfig({
      imagesForArch: { amd64: 'ubuntu-24.04', arm64: 'ubuntu-24.04' },
      nodeConfigs,
    }),
    ...more,
  };
}

export interface HarnessOptions {
  readonly nodes: readonly string[];
  /** By pool: its part of `nodeConfigs`. Default: an entry for each of `nodes`. */
  readonly pools?: Record<string, object>;
  readonly variables?: Record<string, string>;
  readonly settings?: SettingsChange;
  readonly seed?: string;
  /** An existing world, for a second adapter in the same project. */
  readonly world?: Pick<Harness, 'clock' | 'cloud' | 'dispatcher'>;
}

export interface Harness {
  readonly clock: VirtualClock;
  readonly cloud: HetznerCloud;
  readonly dispatcher: InProcessDispatcher;
  readonly provider: HetznerProvider;
  readonly log: RecordedLog;
  readonly metrics: RecordedMetrics;
  readonly incidents: RecordedIncidents;
  readonly signal: AbortSignal;
  /** Settles the promise by moving time, as far as needed. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
  readonly group: (id: string) => NodeGroup;
  readonly instances: (id: string) => readonly Instance[];
  /** Moves time and refreshes, as the loop does. */
  readonly loops: (count: number, intervalMs?: number) => Promise<void>;
  readonly calls: (method: string, path: string | RegExp) => readonly RecordedCall[];
}

/** The real adapter on the simulated cloud, under virtual time. Not started yet. */
export function buildHarness(options: HarnessOptions): Harness {
  const clock = options.world?.clock ?? new VirtualClock();
  const random = new SeededRandom(options.seed ?? 'hetzner');
  const cloud =
    options.world?.cloud ??
    new HetznerCloud({
      clock,
      random,
      fleet: new MachineFleet(),
      settings: { strictFields: true, ...options.settings },
    });
  const dispatcher =
    options.world?.dispatcher ?? new InProcessDispatcher({ clock }).mount(ORIGIN, cloud.front);
  const pools =
    options.pools ?? Object.fromEntries(options.nodes.map((spec) => [spec.split(':').at(-1) ?? '', {}]));
  const variables = environment(pools, options.variables);
  const configuration = readHetznerConfiguration(source(variables), options.nodes);
  const [log, metrics, incidents] = [new RecordedLog(), new RecordedMetrics(), new RecordedIncidents()];
  const telemetry = new HetznerTelemetry(log, metrics, incidents);
  const ownRandom = random.fork('adapter');
  const client = new HetznerClient(configuration, dispatcher, clock, ownRandom, telemetry);
  const provider = new HetznerProvider(configuration, client, clock, ownRandom, telemetry);
  const { signal } = new AbortController();
  const run = <T>(work: Promise<T>): Promise<T> => clock.complete(work);
  const group = (id: string): NodeGroup => {
    const found = provider.nodeGroups().find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`no group ${id}`);
    return found;
  };
  return {
    clock,
    cloud,
    dispatcher,
    provider,
    log,
    metrics,
    incidents,
    signal,
    run,
    group,
    instances: (id) => group(id).instances,
    loops: async (count, intervalMs = 10_000) => {
      for (let loop = 0; loop < count; loop++) {
        await clock.advance(intervalMs);
        await run(provider.refresh(signal));
      }
    },
    calls: (method, path) => cloud.calls({ method, path }),
  };
}

/** A harness whose provider has passed its start-up checks. */
export async function startHarness(options: HarnessOptions): Promise<Harness> {
  const harness = buildHarness(options);
  await harness.run(harness.provider.start(harness.signal));
  await harness.run(harness.provider.refresh(harness.signal));
  return harness;
}

/** What a promise was rejected with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}

/** Body of a recorded request. */
export function bodyOf(call: RecordedCall | undefined): Record<string, any> {
  return JSON.parse(call?.body ?? 'null') as Record<string, any>;
}
