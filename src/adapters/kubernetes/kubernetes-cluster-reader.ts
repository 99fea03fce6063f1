import { setMaxListeners } from 'node:events';
import { inject, injectable } from 'inversify';
import { ClusterReadError } from '../../application/ports/cluster-reader.js';
import type { ClusterReader, ClusterState } from '../../application/ports/cluster-reader.js';
import { Incidents } from '../../application/ports/incidents.js';
import { Logger } from '../../application/ports/logger.js';
import { Random } from '../../application/ports/random.js';
import type { GroupPriorities } from '../../domain/expansion/index.js';
import type { Namespace } from '../../domain/kubernetes/namespace.js';
import type { Node } from '../../domain/kubernetes/node.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { DisruptionBudget, Workload } from '../../domain/kubernetes/workload.js';
import { ApiStatusError } from './connection/api-error.js';
import { KubernetesConnection } from './connection/connect-kubernetes.js';
import type { DaemonSetRecord } from './projection/project-daemon-set.js';
import { SharedRecords } from './projection/projection.js';
import { Derived } from './reading/derived.js';
import { RecordStore } from './reading/record-store.js';
import type { ChangeListener } from './reading/record-store.js';
import {
  DAEMON_SETS,
  DISRUPTION_BUDGETS,
  NAMESPACES,
  NODES,
  PODS,
  WORKLOADS,
  groupPriorities,
} from './reading/resource-table.js';
import { StorageStores } from './reading/storage-stores.js';
import type { ResourceRow } from './reading/resource-row.js';
import { ResourceWatch } from './reading/resource-watch.js';

export interface KubernetesReaderOptions {
  /**
   * A watch without a byte for so long is dropped and opened again from its last version. Default 90 s: above the
   * API server's bookmarks (each 60 to 75 s), low enough to be heard again within two minutes (U009).
   */
  readonly silenceMs?: number;
  /**
   * `state` throws when a resource was not heard of for longer. Default 5 min: silent
   * watches are opened again each 90 s, so by then the server has refused or missed about ten attempts.
   */
  readonly maxStalenessMs?: number;
  /** The ConfigMap of the priority expander; absent: it is not watched. */
  readonly groupPriorities?: { readonly namespace: string; readonly name: string };
}

export const KubernetesReaderOptions = Symbol('KubernetesReaderOptions');

const SILENCE_MS = 90_000;
const STALENESS_MS = 5 * 60_000;
/** A pause, a request and its body listen for the end at a time; Node warns of leaks from 11 listeners on. */
const LISTENERS_PER_WATCH = 4;
/** A condition older than this is no news (`scale-up` 2.2). */
const UNSCHEDULABLE_NEWS_MS = 10_000;

/** The cluster from list and watch, kept as compact records. */
@injectable()
export class KubernetesClusterReader implements ClusterReader {
  private readonly shared = new SharedRecords();
  private readonly watches: ResourceWatch<object>[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  private readonly nodes: RecordStore<Node>;
  private readonly pods: RecordStore<Pod>;
  private readonly namespaces: RecordStore<Namespace>;
  private readonly daemonSets: RecordStore<DaemonSetRecord>;
  private readonly disruptionBudgets: RecordStore<DisruptionBudget>;
  private readonly workloads: readonly RecordStore<Workload>[];
  private readonly storage: StorageStores;
  private readonly groupPriorities: RecordStore<GroupPriorities> | null;
  private readonly daemonSetsOf = new Derived((records: readonly DaemonSetRecord[]) =>
    records.map((record) => record.daemonSet),
  );
  private readonly workloadsOf = new Derived(
    (daemonSets: readonly DaemonSetRecord[], ...others: readonly (readonly Workload[])[]) => [
      ...others.flat(),
      ...daemonSets.map((record) => record.workload),
    ],
  );

  constructor(
    @inject(KubernetesConnection) private readonly connection: KubernetesConnection,
    @inject(Random) private readonly random: Random,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(Logger) private readonly logger: Logger,
    @inject(KubernetesReaderOptions) private readonly options: KubernetesReaderOptions = {},
  ) {
    this.nodes = this.watch(NODES);
    this.pods = this.watch(PODS, (pod) => this.notePod(pod));
    this.namespaces = this.watch(NAMESPACES);
    this.daemonSets = this.watch(DAEMON_SETS);
    this.disruptionBudgets = this.watch(DISRUPTION_BUDGETS);
    this.workloads = WORKLOADS.map((row) => this.watch(row));
    this.storage = new StorageStores((row) => this.watch(row));
    const { groupPriorities: place } = options;
    this.groupPriorities = place === undefined ? null : this.watch(groupPriorities(place));
    setMaxListeners(LISTENERS_PER_WATCH * this.watches.length, this.stopping.signal);
  }

  /**
   * Settles when every resource was listed. Throws ClusterReadError `forbidden` as soon as the server refuses one
   * (a role is missing), `unreachable` when the signal aborts before; the signal stops the watches also later.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw this.notStarted();
    const { stopping } = this;
    const onAbort = (): void => stopping.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    stopping.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort), {
      once: true,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        const onTurn = (): void => {
          const refused = this.watches.find(
            (watch) => watch.lastHeardMs === null && isRefusal(watch.trouble),
          );
          if (refused !== undefined) reject(forbidden(refused));
          else if (this.watches.every((watch) => watch.lastHeardMs !== null)) resolve();
        };
        stopping.signal.addEventListener('abort', () => reject(this.notStarted()), { once: true });
        this.running = Promise.all(this.watches.map((watch) => watch.run(stopping.signal, onTurn)));
      });
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  state(): ClusterState {
    this.assertFresh();
    const daemonSets = this.daemonSets.all();
    return {
      nodes: this.nodes.all(),
      pods: this.pods.all(),
      namespaces: this.namespaces.all(),
      daemonSets: this.daemonSetsOf.from(daemonSets),
      disruptionBudgets: this.disruptionBudgets.all(),
      workloads: this.workloadsOf.from(daemonSets, ...this.workloads.map((store) => store.all())),
      storage: this.storage.all(),
      groupPriorities: this.groupPriorities?.all()[0] ?? null,
    };
  }

  onUnschedulablePod(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** For health: when each resource was last heard of, by plural name; null before its first list. */
  lastHeardMs(): ReadonlyMap<string, number | null> {
    return new Map(this.watches.map((watch) => [watch.row.name, watch.lastHeardMs]));
  }

  private watch<T extends object>(row: ResourceRow<T>, onChange?: ChangeListener<T>): RecordStore<T> {
    const store = new RecordStore<T>(onChange);
    const watch = new ResourceWatch(row, store, {
      api: this.connection.reads,
      clock: this.connection.clock,
      shared: this.shared,
      random: this.random,
      incidents: this.incidents,
      logger: this.logger,
      silenceMs: this.options.silenceMs ?? SILENCE_MS,
    });
    this.watches.push(watch as unknown as ResourceWatch<object>);
    return store;
  }

  private assertFresh(): void {
    const oldestMs = this.connection.clock.now() - (this.options.maxStalenessMs ?? STALENESS_MS);
    const stale = this.watches.filter(
      (watch) => !watch.absent && (watch.lastHeardMs === null || watch.lastHeardMs < oldestMs),
    );
    if (stale.length === 0) return;
    const names = stale.map((watch) => watch.row.name).join(', ');
    throw new ClusterReadError('stale-cache', `not heard of for too long: ${names}`, {
      cause: stale[0]?.trouble,
    });
  }

  private notePod(pod: Pod): void {
    if (pod.nodeName !== '' || pod.scheduling !== 'unschedulable' || pod.schedulingChangedMs === null) return;
    if (this.connection.clock.now() - pod.schedulingChangedMs > UNSCHEDULABLE_NEWS_MS) return;
    for (const listener of this.listeners) this.call(listener);
  }

  /** A listener that fails is its own trouble, not the watch's. */
  private call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.logger.error('listener-failed', 'a listener for unschedulable pods failed', {
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private notStarted(): ClusterReadError {
    const trouble = this.watches.map((watch) => watch.trouble).find((cause) => cause !== null);
    const detail = trouble instanceof Error ? `: ${trouble.message}` : '';
    return new ClusterReadError('unreachable', `stopped before the cluster was read${detail}`, {
      cause: trouble,
    });
  }
}

function isRefusal(trouble: unknown): boolean {
  return trouble instanceof ApiStatusError && (trouble.status === 401 || trouble.status === 403);
}

function forbidden(watch: ResourceWatch<object>): ClusterReadError {
  const detail = watch.trouble instanceof Error ? watch.trouble.message : '';
  const message = `may not list ${watch.row.name}: ${detail}`;
  return new ClusterReadError('forbidden', message, { cause: watch.trouble });
}
