import type { Clock } from '../../application/ports/clock.js';
import type { ClusterReader } from '../../application/ports/cluster-reader.js';
import type { Telemetry } from './client/telemetry.js';
import type { UthoApi } from './client/utho-api.js';
import type { UthoConfiguration } from './configuration/utho-configuration.js';
import { FleetReport } from './fleet-report.js';
import { Growth } from './growth/growth.js';
import { Mutations } from './mutations.js';
import { Aftermath } from './release/aftermath.js';
import { LastWorker } from './release/last-worker.js';
import { Release } from './release/release.js';
import { TargetedDeletion } from './release/targeted-deletion.js';
import { Victims } from './release/victims.js';
import { Shrink } from './shrink/shrink.js';
import { ClusterReads } from './state/cluster-reads.js';
import { Pools } from './state/pools.js';
import { Refresh } from './refresh.js';
import { Verification } from './state/verification.js';
import { PlanCatalogue } from './template/plan-catalogue.js';
import { Shapes } from './template/shapes.js';
import { Templates } from './template/templates.js';

/** The pieces of the provider, put together. */
export interface Fleet {
  readonly reads: ClusterReads;
  readonly pools: Pools;
  readonly refresh: Refresh;
  readonly mutations: Mutations;
  readonly growth: Growth;
  readonly shrink: Shrink;
  readonly release: Release;
  readonly templates: Templates;
}

export interface FleetParts {
  readonly configuration: UthoConfiguration;
  readonly api: UthoApi;
  readonly clock: Clock;
  readonly reader: ClusterReader;
  readonly telemetry: Telemetry;
}

export function assembleFleet(parts: FleetParts): Fleet {
  const { configuration, api, clock, reader, telemetry } = parts;
  const reads = new ClusterReads(api, reader, clock);
  const pools = new Pools(configuration, clock);
  const mutations = new Mutations(reads, clock, telemetry);
  const verification = new Verification(reads, configuration, clock, telemetry);
  const victims = new Victims(clock, telemetry);
  const shared = { ...parts, reads, pools, mutations, verification, victims };
  const aftermath = new Aftermath(shared);
  const deletion = new TargetedDeletion({ ...shared, aftermath });
  const shrink = new Shrink({ ...shared, deletion });
  const growth = new Growth(shared);
  const lastWorker = new LastWorker({ ...shared, growth });
  const catalogue = new PlanCatalogue(api, clock, telemetry);
  const shapes = new Shapes(configuration, catalogue);
  const report = new FleetReport(pools, telemetry);
  return {
    reads,
    pools,
    mutations,
    shrink,
    growth,
    release: new Release({ ...shared, deletion, shrink, lastWorker }),
    templates: new Templates(pools, shapes, configuration),
    refresh: new Refresh({ ...shared, shapes, catalogue, report, lifetime: mutations.lifetime }),
  };
}
