import { apiError, invalidInput, limitExceeded } from '../api/api-error.js';
import type { Reference } from '../api/body-reader.js';
import { GROUP_MEMBERS_MAX } from '../settings.js';
import { chooseAddress, membersOf } from '../state/private-network.js';
import type { Project } from '../state/project.js';
import type { ImageRecord, LocationRecord, PrimaryIpRecord, ServerTypeRecord } from '../state/records.js';
import type { ServerOrder } from '../state/server-order.js';
import type { HetznerWorld } from '../state/world.js';
import { matchesReference, referenced, unknownReference } from './lookup.js';
import type { ServerRequest } from './server-request.js';

/** Steps 10 to 14 of the request pipeline (`hetzner` 4.2) for a create, in their order: the first failure wins. */
export function checkServerOrder(world: HetznerWorld, project: Project, request: ServerRequest): ServerOrder {
  const order = resolve(world, project, request);
  if (project.serverByName(order.name) !== undefined) {
    throw apiError('uniqueness_error', 'server name is already used', { fields: [{ name: 'name' }] });
  }
  checkQuotas(world, project, order);
  checkOffer(world, order);
  checkImage(world, order);
  checkAddresses(order);
  checkPlacementGroup(world, order);
  for (const network of order.networks) chooseAddress(network, order.location);
  return { ...order, willLackStock: checkStock(world, order) };
}

function resolve(world: HetznerWorld, project: Project, request: ServerRequest): ServerOrder {
  const one = <T extends { readonly id: number; readonly name: string | null }>(
    items: Iterable<T>,
    reference: Reference,
    field: string,
  ): T => referenced(world, items, reference, field);
  const optionalIp = (reference: Reference | null, field: string): PrimaryIpRecord | null =>
    reference === null ? null : one(project.primaryIps.values(), reference, field);
  const type = one(world.catalogue.serverTypes, request.serverType, 'server_type');
  for (const key of request.sshKeys) one(project.sshKeys.values(), key, 'ssh_keys');
  return {
    name: request.name,
    type,
    location: resolveLocation(world, type, request.location),
    image: resolveImage(world, project, type, request.image),
    labels: request.labels,
    userData: request.userData,
    startAfterCreate: request.startAfterCreate,
    networks: request.networks.map((network) => one(project.networks.values(), network, 'networks')),
    firewalls: request.firewalls.map((firewall) => one(project.firewalls.values(), firewall, 'firewalls')),
    placementGroup:
      request.placementGroup === null
        ? null
        : one(project.placementGroups.values(), request.placementGroup, 'placement_group'),
    enableIpv4: request.enableIpv4,
    enableIpv6: request.enableIpv6,
    ipv4: optionalIp(request.ipv4, 'ipv4'),
    ipv6: optionalIp(request.ipv6, 'ipv6'),
    willLackStock: false,
  };
}

/** Without a wish: where the type is in stock, else anywhere it is sold. */
function resolveLocation(
  world: HetznerWorld,
  type: ServerTypeRecord,
  reference: Reference | null,
): LocationRecord {
  if (reference !== null) return referenced(world, world.catalogue.locations, reference, 'location');
  const offered = [...type.offers.keys()];
  const name = offered.find((location) => world.stock.count(type.name, location) > 0) ?? offered[0];
  if (name === undefined) throw unsupportedLocation();
  return world.location(name);
}

/** A name may stand for an image of each architecture; the one that fits the type wins. */
function resolveImage(
  world: HetznerWorld,
  project: Project,
  type: ServerTypeRecord,
  reference: Reference,
): ImageRecord {
  const candidates = [...project.images.values()].filter((image) => matchesReference(image, reference));
  const image = candidates.find((one) => one.architecture === type.architecture) ?? candidates[0];
  if (image === undefined) throw unknownReference(world, 'image', reference);
  return image;
}

function checkQuotas(world: HetznerWorld, project: Project, order: ServerOrder): void {
  const { quotas } = project;
  if (project.servers.size >= quotas.servers) throw limitExceeded('servers', 'server limit exceeded');
  const newIps = [order.enableIpv4 && order.ipv4 === null, order.enableIpv6 && order.ipv6 === null];
  if (project.primaryIps.size + newIps.filter(Boolean).length > project.primaryIpQuota) {
    throw limitExceeded('primary_ips', 'Primary IP limit exceeded');
  }
  if (order.type.cpuType === 'dedicated') {
    const types = [...project.servers.values()].map((server) => world.serverType(server.typeName));
    const dedicated = types.filter((type) => type.cpuType === 'dedicated');
    const cores = dedicated.reduce((sum, type) => sum + type.cores, order.type.cores);
    if (cores > quotas.dedicatedCores)
      throw limitExceeded('dedicated_cores', 'dedicated core limit exceeded');
  }
  if (order.networks.length > quotas.networksPerServer) {
    throw limitExceeded('networks_per_server', 'network limit of the server exceeded');
  }
  for (const network of order.networks) {
    if (membersOf(network).size >= quotas.serversPerNetwork) {
      throw limitExceeded('servers_per_network', 'server limit of the network exceeded');
    }
  }
}

function checkOffer(world: HetznerWorld, order: ServerOrder): void {
  const offer = order.type.offers.get(order.location.name);
  if (offer === undefined) throw unsupportedLocation();
  const deprecation = offer.deprecation ?? order.type.deprecation;
  if (deprecation !== null && deprecation.unavailableAfterMs <= world.now()) {
    throw invalidInput('server_type', 'server type is deprecated and can not be ordered any more');
  }
}

function unsupportedLocation(): Error {
  return invalidInput('server_type', 'unsupported location for server type');
}

function checkImage(world: HetznerWorld, order: ServerOrder): void {
  const { image, type } = order;
  if (image.status !== 'available' || image.deletedMs !== null)
    throw invalidInput('image', 'image is not available');
  if (image.architecture !== type.architecture && !world.settings.wrongArchitectureBoots) {
    throw invalidInput('image', 'image architecture does not fit the server type');
  }
  if (image.diskGb > type.diskGb) throw invalidInput('image', 'image disk is bigger than server type disk');
}

function checkAddresses(order: ServerOrder): void {
  for (const [wanted, primaryIp] of [['ipv4', order.ipv4] as const, ['ipv6', order.ipv6] as const]) {
    if (primaryIp === null) continue;
    if (primaryIp.type !== wanted)
      throw apiError('primary_ip_version_mismatch', `Primary IP is not ${wanted}`);
    if (primaryIp.assigneeId !== null)
      throw apiError('primary_ip_assigned', 'Primary IP is already assigned');
    if (primaryIp.locationName !== order.location.name) {
      throw apiError('primary_ip_datacenter_mismatch', 'Primary IP is in another location');
    }
  }
}

function checkPlacementGroup(world: HetznerWorld, order: ServerOrder): void {
  const group = order.placementGroup;
  if (group === null) return;
  if (group.members.size >= GROUP_MEMBERS_MAX) {
    throw apiError(
      'service_error',
      `placement group ${group.id} contains already ${GROUP_MEMBERS_MAX} servers`,
    );
  }
  if (world.happens(world.settings.placementErrorProbability)) {
    throw apiError('placement_error', 'no host satisfies the placement group');
  }
}

/** Throws when the lack of stock is told at once; returns true when it will be told later. */
function checkStock(world: HetznerWorld, order: ServerOrder): boolean {
  const { stock, settings } = world;
  if (stock.isLocationClosed(order.location.name)) {
    throw apiError('resource_unavailable', 'server location disabled');
  }
  const enough = stock.count(order.type.name, order.location.name) >= 1;
  if (enough && !world.happens(settings.dribbleProbability)) return false;
  if (settings.stockFailure === 'async') return true;
  throw apiError('resource_unavailable', settings.stockMessage);
}
