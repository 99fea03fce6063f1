import { apiError, invalidInput } from '../api/api-error.js';
import { freeHost, isHostOf } from './addresses.js';
import type { LocationRecord, NetworkRecord, PrivateNic, ServerRecord } from './records.js';

export interface AddressWish {
  /** Exactly this subnet. */
  readonly ipRange?: string | undefined;
  /** Exactly this address. */
  readonly ip?: string | undefined;
}

/**
 * Chooses an address for a machine of this location, and reserves it for the server. Without a wish it is the lowest
 * free one of the newest subnet of the location's network zone. Throws `invalid_input`, `no_subnet_available` or
 * `ip_not_available`.
 */
export function reserveAddress(
  network: NetworkRecord,
  location: LocationRecord,
  serverId: number,
  wish: AddressWish = {},
): PrivateNic {
  const ip = chooseAddress(network, location, wish);
  network.addresses.set(ip, serverId);
  return { networkId: network.id, ip, macAddress: macAddress(serverId, network.id) };
}

/** As {@link reserveAddress}, without reserving. */
export function chooseAddress(
  network: NetworkRecord,
  location: LocationRecord,
  wish: AddressWish = {},
): string {
  const subnets = network.subnets.filter((subnet) => subnet.networkZone === location.networkZone);
  if (wish.ipRange !== undefined && !network.subnets.some((subnet) => subnet.ipRange === wish.ipRange)) {
    throw invalidInput('ip_range', `network has no subnet ${wish.ipRange}`);
  }
  const subnet = subnets.findLast((one) => wish.ipRange === undefined || one.ipRange === wish.ipRange);
  if (subnet === undefined) throw apiError('no_subnet_available', 'no subnet available in the network zone');
  if (wish.ip === undefined) {
    const ip = freeHost(network, subnet);
    if (ip === null) throw apiError('ip_not_available', 'no free IP available in the subnet');
    return ip;
  }
  if (!subnets.some((one) => isHostOf(one, wish.ip!))) throw invalidInput('ip', `${wish.ip} is in no subnet`);
  if (network.addresses.has(wish.ip)) throw apiError('ip_not_available', `IP ${wish.ip} is not available`);
  return wish.ip;
}

/** Gives back all addresses that the server holds in the network, attached or on the way. */
export function releaseAddresses(network: NetworkRecord, serverId: number): void {
  for (const [ip, holder] of network.addresses) if (holder === serverId) network.addresses.delete(ip);
}

/** Ids of the servers in the network, those on the way included. */
export function membersOf(network: NetworkRecord): ReadonlySet<number> {
  return new Set(network.addresses.values());
}

/** Networks that the server is in, or on the way to. */
export function networksOf(
  networks: Iterable<NetworkRecord>,
  server: ServerRecord,
): readonly NetworkRecord[] {
  return [...networks].filter((network) => membersOf(network).has(server.id));
}

function macAddress(serverId: number, networkId: number): string {
  const bytes = [serverId >> 16, serverId >> 8, serverId, networkId];
  return `86:00:${bytes.map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join(':')}`;
}
