import type { HetznerConfiguration, PoolConfiguration } from '../configuration/hetzner-configuration.js';
import { parseCidr } from '../configuration/cidr.js';
import { mergedFirewallIds } from './references.js';
import type { References } from './references.js';

/** Limits of the product (`hetzner` 2.10). */
const FIREWALLS_PER_SERVER_MAX = 5;
const PLACEMENT_GROUP_SERVERS_MAX = 10;
const NETWORK_SERVERS_MAX = 100;

/** What the configuration asks of the cloud and the cloud does not have. Sentences, all of them at once. */
export interface ReferenceReport {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks C11, C13, C15 to C17 and C29 of `hetzner` 1.5.
 *
 * differs from upstream: a network, firewall or SSH key that is not found is an error; silently going on without a
 * firewall opens servers to the world (B09). `ownServerIds` are those of our pools.
 */
export function checkReferences(
  configuration: HetznerConfiguration,
  references: References,
  ownServerIds: ReadonlySet<number>,
): ReferenceReport {
  const problems: string[] = [];
  const warnings: string[] = [];
  checkFound(configuration, references, problems);
  for (const pool of configuration.pools) {
    checkSubnet(pool, references, problems);
    const firewalls = mergedFirewallIds(configuration, pool, references).length;
    if (firewalls > FIREWALLS_PER_SERVER_MAX) {
      problems.push(`pool ${pool.id}: ${firewalls} firewalls, a server can have ${FIREWALLS_PER_SERVER_MAX}`);
    }
  }
  checkPlacementGroups(configuration, references, ownServerIds, { problems, warnings });
  checkNetworkSize(configuration, references, ownServerIds, warnings);
  return { problems, warnings };
}

function missing(place: string, what: string, reference: string): string {
  return `${place}: the project has no ${what} "${reference}"; write the id or the name of one that it has`;
}

function checkFound(configuration: HetznerConfiguration, references: References, problems: string[]): void {
  const { network, sshKey } = configuration;
  if (network !== null && references.network === null)
    problems.push(missing('HCLOUD_NETWORK', 'network', network));
  if (sshKey !== null && references.sshKey === null)
    problems.push(missing('HCLOUD_SSH_KEY', 'SSH key', sshKey));
  for (const [reference, firewall] of references.firewalls) {
    if (firewall !== null) continue;
    const users = configuration.pools.filter((pool) => pool.firewalls.includes(reference));
    const place =
      reference === configuration.firewall
        ? 'HCLOUD_FIREWALL'
        : `pools ${users.map((pool) => pool.id).join(', ')}`;
    problems.push(missing(place, 'firewall', reference));
  }
  for (const pool of configuration.pools) {
    if (pool.placementGroup === null) continue;
    const group = references.placementGroups.get(pool.placementGroup) ?? null;
    if (group === null) problems.push(missing(`pool ${pool.id}`, 'placement group', pool.placementGroup));
    else if (group.type !== 'spread') {
      problems.push(`pool ${pool.id}: placement group ${group.name} has type ${group.type}, not spread`);
    }
  }
}

function checkSubnet(pool: PoolConfiguration, references: References, problems: string[]): void {
  const { network, locations } = references;
  if (pool.subnetIpRange === null || network === null) return;
  const subnet = network.subnets.find(
    (candidate) => parseCidr(candidate.ipRange)?.text === pool.subnetIpRange,
  );
  if (subnet === undefined) {
    const known = network.subnets.map((candidate) => candidate.ipRange).join(', ');
    problems.push(
      `pool ${pool.id}: network ${network.name} has no subnet ${pool.subnetIpRange}; it has ${known || 'none'}`,
    );
    return;
  }
  const zone = locations.find((location) => location.name === pool.location)?.networkZone;
  if (zone !== undefined && zone !== subnet.networkZone) {
    problems.push(
      `pool ${pool.id}: subnet ${pool.subnetIpRange} is in ${subnet.networkZone}, ` +
        `but ${pool.location} is in ${zone}`,
    );
  }
}

/** The sum goes by the group's id, since one group can be given by id and by name (B33). */
function checkPlacementGroups(
  configuration: HetznerConfiguration,
  references: References,
  ownServerIds: ReadonlySet<number>,
  report: { readonly problems: string[]; readonly warnings: string[] },
): void {
  const groups = new Set(references.placementGroups.values());
  const byId = new Map([...groups].flatMap((group) => (group === null ? [] : [[group.id, group] as const])));
  for (const group of byId.values()) {
    const pools = configuration.pools.filter(
      (pool) => references.placementGroups.get(pool.placementGroup ?? '')?.id === group.id,
    );
    const max = pools.reduce((sum, pool) => sum + pool.maxSize, 0);
    const names = pools.map((pool) => pool.id).join(', ');
    if (max > PLACEMENT_GROUP_SERVERS_MAX) {
      report.problems.push(
        `pools ${names}: their maximum sizes sum up to ${max}, which ` +
          `exceeds max placement group size of ${PLACEMENT_GROUP_SERVERS_MAX} (${group.name})`,
      );
    }
    const foreign = group.serverIds.filter((id) => !ownServerIds.has(id)).length;
    if (foreign > 0 && max + foreign > PLACEMENT_GROUP_SERVERS_MAX) {
      report.warnings.push(
        `placement group ${group.name} has ${foreign} other members: pools ${names} cannot reach their maximum`,
      );
    }
  }
}

function checkNetworkSize(
  configuration: HetznerConfiguration,
  { network }: References,
  ownServerIds: ReadonlySet<number>,
  warnings: string[],
): void {
  if (network === null) return;
  const others = network.serverIds.filter((id) => !ownServerIds.has(id)).length;
  const max = configuration.pools.reduce((sum, pool) => sum + pool.maxSize, 0);
  if (others + max <= NETWORK_SERVERS_MAX) return;
  warnings.push(
    `network ${network.name} holds ${NETWORK_SERVERS_MAX} servers; ${others} others and pools of up to ${max} ` +
      'do not fit',
  );
}
