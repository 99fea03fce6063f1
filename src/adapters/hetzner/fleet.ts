import { default as pLimit } from 'p-limit';
import type { Clock } from '../../application/ports/clock.js';
import type { Random } from '../../application/ports/random.js';
import { HetznerApi } from './client/hetzner-api.js';
import type { CallOptions, HetznerClient } from './client/hetzner-client.js';
import type { Server } from './client/records.js';
import type { Telemetry } from './client/telemetry.js';
import type { HetznerConfiguration } from './configuration/hetzner-configuration.js';
import { FleetReport } from './fleet-report.js';
import { GroupView } from './group-view.js';
import { ActionPoller } from './growth/action-poller.js';
import { Backoffs } from './growth/backoffs.js';
import { Completion } from './growth/completion.js';
import { Creation } from './growth/creation.js';
import { Fulfilment } from './growth/fulfilment.js';
import { Growth } from './growth/growth.js';
import { Images } from './growth/images.js';
import { OrderBook } from './growth/order-book.js';
import { CLUSTER_LABEL, POOL_LABEL } from './labels.js';
import { Deletion } from './release/deletion.js';
import { Release } from './release/release.js';
import { Catalogue } from './state/catalogue.js';
import { ExistenceProbe } from './state/existence.js';
import { NodeOddities } from './state/node-oddities.js';
import { NodeSightings } from './state/node-sightings.js';
import { ServerCache } from './state/server-cache.js';

/** The pieces of the provider, put together. */
export interface Fleet {
  readonly api: HetznerApi;
  readonly cache: ServerCache;
  readonly catalogue: Catalogue;
  readonly images: Images;
  readonly orders: OrderBook;
  readonly sightings: NodeSightings;
  readonly oddities: NodeOddities;
  readonly existence: ExistenceProbe;
  readonly backoffs: Backoffs;
  readonly view: GroupView;
  readonly growth: Growth;
  readonly release: Release;
  readonly report: FleetReport;
  /** Ends polling and all background work but the creations on the wire. */
  close(): void;
}

export function assembleFleet(
  configuration: HetznerConfiguration,
  client: HetznerClient,
  clock: Clock,
  random: Random,
  telemetry: Telemetry,
): Fleet {
  const lifetime = new AbortController();
  const hardStop = new AbortController();
  const isBudgetLow = (): boolean => client.budget.isLow();
  const api = new HetznerApi(client);
  const selector = labelSelector(configuration.clusterName);
  const source = {
    isBudgetLow,
    fetch: (options: CallOptions) => api.listServers(selector, options),
    find: (id: number, signal: AbortSignal) => api.server(id, { signal, retriesMax: 0 }),
  };
  const cache = new ServerCache(source, configuration.serversTtlMs, clock, random, telemetry);
  const orders = new OrderBook();
  const sightings = new NodeSightings();
  const catalogue = new Catalogue(api, clock, telemetry);
  const images = new Images(api, clock, telemetry);
  const backoffs = new Backoffs(clock);
  const poller = new ActionPoller(api, clock, {
    intervalMs: configuration.pollIntervalMs,
    isBudgetLow,
    lifetime: lifetime.signal,
  });
  const shared = { api, cache, poller, backoffs, clock, telemetry, orders, sightings };
  const deletion = new Deletion({ ...shared, lifetime: lifetime.signal });
  const view = new GroupView(cache, orders, sightings, clock, configuration.creationTimeoutMs);
  const fulfilment = new Fulfilment({
    ...shared,
    configuration,
    catalogue,
    images,
    deletion,
    creation: new Creation(api, orders, clock, random),
    completion: new Completion(api, poller, clock, lifetime.signal),
    creations: pLimit(configuration.maxParallelCreates),
    hardStop: hardStop.signal,
  });
  const waitsForMachines = !configuration.asyncScaleUp;
  const poolIds = new Set(configuration.pools.map((pool) => pool.id));
  const isOurs = ({ labels }: Server): boolean =>
    poolIds.has(labels.get(POOL_LABEL) ?? '') &&
    (configuration.clusterName === null || labels.get(CLUSTER_LABEL) === configuration.clusterName);
  return {
    ...shared,
    catalogue,
    images,
    view,
    oddities: new NodeOddities(telemetry.incidents, configuration.pools),
    existence: new ExistenceProbe(api, clock, isOurs),
    growth: new Growth(orders, fulfilment, clock, random, { waitsForMachines, hardStop }),
    release: new Release({
      ...shared,
      view,
      deletion,
      maxDeletesPerMinute: configuration.maxDeletesPerMinute,
    }),
    report: new FleetReport({ cache, view, orders, backoffs, poolIds, clock, telemetry }),
    close: () => lifetime.abort(new Error('the provider is shut down')),
  };
}

/** Only servers with our labels are ever seen, so no other one can be counted or deleted (B20, B34). */
function labelSelector(clusterName: string | null): string {
  return clusterName === null ? POOL_LABEL : `${POOL_LABEL},${CLUSTER_LABEL}=${clusterName}`;
}
