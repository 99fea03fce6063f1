import {
  UthoApi,
  UthoProvider,
  UthoTelemetry,
  readUthoConfiguration,
} from '../../../src/adapters/utho/index.js';
import { ClusterReadError } from '../../../src/application/ports/cluster-reader.js';
import type { ClusterReader, ClusterState } from '../../../src/application/ports/cluster-reader.js';
import type { MachineReference, ReleaseResult } from '../../../src/application/ports/cloud-provider.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { DaemonSet } from '../../../src/domain/kubernetes/workload.js';
import type { Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import { DEFAULT_CLUSTER, DEFAULT_TOKEN, UthoCloud } from '../../../src/sandbox/utho/index.js';
import type { PoolSeed, RecordedCall, SettingsChange } from '../../../src/sandbox/utho/index.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { RecordedIncidents, RecordedLog, RecordedMetrics, source } from '../../support/recorders.js';

export const ORIGIN = 'https://api.utho.com';
const CONFIG_PATH = '/config/cloud-config';

/** The cluster's nodes, as the tests say. */
export class StagedNodes implements ClusterReader {
  nodes: readonly Node[] = [];
  daemonSets: readonly DaemonSet[] = [];
  /** The caches are too old to act upon. */
  isStale = false;

  start = (): Promise<void> => Promise.resolve();
  stop = (): Promise<void> => Promise.resolve();
  onUnschedulablePod = () => (): void => undefined;

  state(): ClusterState {
    if (this.isStale) throw new ClusterReadError('stale-cache', 'the caches are too old');
    const { nodes, daemonSets } = this;
    return { nodes, daemonSets, pods: [], disruptionBudgets: [], workloads: [] };
  }
}

export interface HarnessOptions {
  readonly pools?: readonly PoolSeed[];
  /** Members of the cloud-config file beside `token` and `cluster_id`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly settings?: SettingsChange;
  readonly seed?: string;
  /** Nodes of the cluster. */
  readonly nodes?: readonly Node[];
  /** An existing world, for a second adapter on the same account. */
  readonly world?: Pick<Harness, 'clock' | 'cloud' | 'dispatcher'>;
}

export interface Harness {
  readonly clock: VirtualClock;
  readonly cloud: UthoCloud;
  readonly dispatcher: InProcessDispatcher;
  readonly provider: UthoProvider;
  readonly nodes: StagedNodes;
  readonly log: RecordedLog;
  readonly metrics: RecordedMetrics;
  readonly incidents: RecordedIncidents;
  readonly signal: AbortSignal;
  /** Settles the promise by moving time, as far as needed. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
  readonly refresh: () => Promise<void>;
  /** Moves time and refreshes, as the loop does; a refresh that fails ends nothing. */
  readonly loops: (count: number, intervalMs?: number) => Promise<void>;
  readonly group: (id: string) => NodeGroup;
  readonly instances: (id: string) => readonly Instance[];
  readonly grow: (groupId: string, delta: number) => ReturnType<UthoProvider['increaseSize']>;
  readonly shrink: (groupId: string, count: number) => Promise<void>;
  readonly release: (
    groupId: string,
    machines: readonly (string | MachineReference)[],
    force?: boolean,
  ) => Promise<readonly ReleaseResult[]>;
  /** Counts that were written, oldest first. */
  readonly writtenCounts: () => readonly unknown[];
  readonly writes: () => readonly RecordedCall[];
  readonly reads: () => number;
}

/** The real adapter on the simulated Utho, under virtual time. Not started yet. */
export function buildHarness(options: HarnessOptions = {}): Harness {
  const clock = options.world?.clock ?? new VirtualClock();
  const random = new SeededRandom(options.seed ?? 'utho');
  const cloud = options.world?.cloud ?? buildCloud(clock, random, options);
  const dispatcher =
    options.world?.dispatcher ?? new InProcessDispatcher({ clock }).mount(ORIGIN, cloud.front);
  const text = JSON.stringify({ token: DEFAULT_TOKEN, cluster_id: DEFAULT_CLUSTER, ...options.config });
  const configuration = readUthoConfiguration(source({}, { [CONFIG_PATH]: text }), CONFIG_PATH);
  const [log, metrics, incidents] = [new RecordedLog(), new RecordedMetrics(), new RecordedIncidents()];
  const telemetry = new UthoTelemetry(log, metrics, incidents);
  const api = new UthoApi(configuration, dispatcher, clock, random.fork('adapter'), telemetry);
  const nodes = new StagedNodes();
  nodes.nodes = options.nodes ?? [];
  const provider = new UthoProvider(configuration, api, clock, nodes, telemetry);
  const { signal } = new AbortController();
  const run = <T>(work: Promise<T>): Promise<T> => clock.complete(work);
  const refresh = (): Promise<void> => run(provider.refresh(signal));
  const group = (id: string): NodeGroup => {
    const found = provider.nodeGroups().find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`no group ${id}`);
    return found;
  };
  return {
    ...{ clock, cloud, dispatcher, provider, nodes, log, metrics, incidents, signal, run, refresh, group },
    loops: async (count, intervalMs = 10_000) => {
      for (let loop = 0; loop < count; loop++) {
        await clock.advance(intervalMs);
        await refresh().catch(() => undefined);
      }
    },
    instances: (id) => group(id).instances,
    grow: (groupId, delta) => run(provider.increaseSize(groupId, delta, signal)),
    shrink: (groupId, count) => run(provider.decreaseTargetSize(groupId, count)),
    release: (groupId, machines, force = false) =>
      run(provider.deleteInstances(groupId, machines.map(asReference), { force, signal })),
    writtenCounts: () => cloud.writes().flatMap(({ json }) => countsIn(json)),
    writes: () => cloud.writes(),
    reads: () => cloud.calls({ method: 'GET' }).length,
  };
}

/** A harness whose provider has started and refreshed once. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const harness = buildHarness(options);
  await harness.run(harness.provider.start(harness.signal));
  await harness.refresh();
  return harness;
}

function buildCloud(clock: VirtualClock, random: SeededRandom, options: HarnessOptions): UthoCloud {
  const settings = options.settings ?? {};
  const cloud = new UthoCloud({ clock, random, fleet: new MachineFleet(), settings });
  cloud.seedCluster();
  for (const pool of options.pools ?? []) cloud.seedPool(pool);
  return cloud;
}

/** A worker by its id, for a scale-down. */
function asReference(machine: string | MachineReference): MachineReference {
  if (typeof machine !== 'string') return machine;
  return { instanceId: `utho://${machine}`, name: '', cause: 'scale-down' };
}

function countsIn(json: unknown): readonly unknown[] {
  return typeof json === 'object' && json !== null && 'count' in json ? [json.count] : [];
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
