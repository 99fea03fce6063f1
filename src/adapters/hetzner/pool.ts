import type { PoolConfiguration } from './configuration/hetzner-configuration.js';
import type { OrderScope } from './growth/backoffs.js';

/** Ids behind the names in a pool's configuration, resolved at start. */
export interface PoolResources {
  readonly networkId: number | null;
  readonly sshKeyId: number | null;
  /** Cluster firewall first, then the pool's, each once. */
  readonly firewallIds: readonly number[];
  readonly placementGroup: {
    readonly id: number;
    /** Members that no pool of ours owns; they take room. */
    readonly foreignMembers: number;
  } | null;
}

export interface Pool {
  readonly configuration: PoolConfiguration;
  readonly resources: PoolResources;
}

export function orderScope(pool: Pool): OrderScope {
  const { configuration, resources } = pool;
  return {
    poolId: configuration.id,
    serverType: configuration.serverType,
    location: configuration.location,
    placementGroupId: resources.placementGroup?.id ?? null,
    network: `${resources.networkId ?? 'none'}/${configuration.subnetIpRange ?? 'any'}`,
  };
}

/** `pool general: cx33 in fsn1`: the beginning of every message about it. */
export function describePool(pool: PoolConfiguration): string {
  return `pool ${pool.id}: ${pool.serverType} in ${pool.location}`;
}
