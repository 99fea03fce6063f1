import type { MachineTemplate } from '../../../domain/node-group/node-group.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import { refused } from '../refusal.js';
import type { Pools } from '../state/pools.js';
import type { Pool } from '../state/pool.js';
import type { ClusterRead } from '../state/cluster-reads.js';
import type { Shapes } from './shapes.js';
import { buildTemplate } from './template.js';

/** Templates of the pools, from what the last refresh showed. Without I/O. */
export class Templates {
  /** All templates of one read share it: to find it takes a look at every worker. */
  private zone: { readonly read: ClusterRead; readonly name: string | null } | null = null;

  constructor(
    private readonly pools: Pools,
    private readonly shapes: Shapes,
    private readonly configuration: Pick<UthoConfiguration, 'reserved'>,
  ) {}

  of(poolId: string): MachineTemplate {
    const [pool, read] = [this.pools.find(poolId), this.pools.lastRead];
    if (pool === undefined || read === null) {
      throw refused('unknown-group', `node pool not initialised for group ${poolId}`);
    }
    const { planId } = pool.snapshot;
    const shape = this.shapes.of({ id: poolId, planId });
    if (shape === undefined) {
      const remedy = 'describe its machines in node_templates';
      throw refused('no-example', `node pool ${poolId} has no example worker to derive resources; ${remedy}`);
    }
    const { id: clusterId, dcslug, vpc } = read.record;
    const settings = this.shapes.settings({ id: poolId, planId });
    const { reserved } = this.configuration;
    return buildTemplate({
      poolId,
      planId,
      shape,
      settings,
      reserved,
      clusterId,
      dcslug,
      vpc,
      zone: this.zoneIn(read),
      exampleId: exampleIdOf(pool),
      hasKubeProxySet: read.nodes.hasKubeProxySet(),
    });
  }

  private zoneIn(read: ClusterRead): string | null {
    if (this.zone?.read !== read) this.zone = { read, name: zoneOf(read) };
    return this.zone.name;
  }
}

/** As real nodes of the cluster have it; the data centre where there are none to look at. */
function zoneOf({ record, nodes }: ClusterRead): string | null {
  const zone = nodes.zoneOf([...record.pools.values()].flatMap((pool) => pool.workers));
  return zone === undefined ? record.dcslug : zone;
}

/** The Go program and its users expect the id of the pool's first worker. */
function exampleIdOf({ snapshot }: Pool): string | undefined {
  return snapshot.workers[0]?.record.id;
}
