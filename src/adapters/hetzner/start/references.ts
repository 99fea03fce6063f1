import type { HetznerConfiguration, PoolConfiguration } from '../configuration/hetzner-configuration.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { Location, NamedResource, Network, PlacementGroup } from '../client/records.js';

/** Everything that the configuration refers to, by reference; null where the cloud has no such thing. */
export interface References {
  readonly network: Network | null;
  readonly sshKey: NamedResource | null;
  readonly firewalls: ReadonlyMap<string, NamedResource | null>;
  readonly placementGroups: ReadonlyMap<string, PlacementGroup | null>;
  readonly locations: readonly Location[];
}

/** Looks all of it up at once. Throws {@link ApiError} where the API fails. */
export async function lookUpReferences(
  configuration: HetznerConfiguration,
  api: HetznerApi,
  options: CallOptions,
): Promise<References> {
  const { network, sshKey, firewall, pools } = configuration;
  const firewalls = [firewall, ...pools.flatMap((pool) => pool.firewalls)];
  const groups = pools.map((pool) => pool.placementGroup);
  const [foundNetwork, foundKey, foundFirewalls, foundGroups, locations] = await Promise.all([
    network === null ? null : api.network(network, options),
    sshKey === null ? null : api.sshKey(sshKey, options),
    lookUpEach(firewalls, (reference) => api.firewall(reference, options)),
    lookUpEach(groups, (reference) => api.placementGroup(reference, options)),
    api.locations(options),
  ]);
  return {
    network: foundNetwork,
    sshKey: foundKey,
    firewalls: foundFirewalls,
    placementGroups: foundGroups,
    locations,
  };
}

async function lookUpEach<T>(
  references: readonly (string | null)[],
  lookUp: (reference: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const wanted = [...new Set(references.filter((reference): reference is string => reference !== null))];
  const entries = wanted.map(async (reference): Promise<[string, T]> => [reference, await lookUp(reference)]);
  return new Map(await Promise.all(entries));
}

/** Cluster firewall first, then the pool's in their order, each once (`hetzner` 3.10). */
export function mergedFirewallIds(
  configuration: HetznerConfiguration,
  pool: PoolConfiguration,
  references: References,
): readonly number[] {
  const names =
    configuration.firewall === null ? pool.firewalls : [configuration.firewall, ...pool.firewalls];
  const ids = names.map((name) => references.firewalls.get(name)?.id);
  return [...new Set(ids.filter((id): id is number => id !== undefined))];
}
