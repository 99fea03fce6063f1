import type { Fields } from './fields.js';
import type {
  Action,
  Image,
  Location,
  NamedResource,
  Network,
  PlacementGroup,
  Server,
  ServerType,
  ServerTypeLocation,
} from './records.js';

/** Each parser gives null for an object without a usable id, so that one broken object hides no other. */

export function parseServer(fields: Fields): Server | null {
  const id = fields.id();
  if (id === 0) return null;
  return {
    id,
    name: fields.text('name'),
    status: fields.text('status'),
    createdMs: fields.time('created'),
    labels: fields.textMap('labels'),
    locked: fields.flag('locked'),
    networks: fields.list('private_net').map((net) => net.id('network')),
    deleteProtected: fields.object('protection').flag('delete'),
    volumeCount: fields.ids('volumes').length,
  };
}

export function parseServerType(fields: Fields): ServerType | null {
  const id = fields.id();
  if (id === 0) return null;
  const prices = fields.list('prices').map((price): [string, number] => {
    return [price.text('location'), Number(price.object('price_hourly').text('net') || Number.NaN)];
  });
  return {
    id,
    name: fields.text('name').toLowerCase(),
    cores: fields.number('cores'),
    memoryGb: fields.number('memory'),
    diskGb: fields.number('disk'),
    architecture: fields.architecture('architecture'),
    locations: fields.list('locations').map(parseTypeLocation),
    pricePerHour: new Map(prices.filter(([, price]) => Number.isFinite(price))),
  };
}

function parseTypeLocation(fields: Fields): ServerTypeLocation {
  return {
    name: fields.text('name'),
    available: fields.optionalFlag('available'),
    unavailableAfterMs: fields.object('deprecation').time('unavailable_after'),
  };
}

export function parseAction(fields: Fields): Action | null {
  const id = fields.id();
  if (id === 0) return null;
  const error = fields.object('error');
  const code = error.text('code');
  const failed = fields.text('status') === 'error';
  return {
    id,
    command: fields.text('command'),
    status: fields.text('status'),
    error: failed ? { code: code === '' ? 'action_failed' : code, message: error.text('message') } : null,
  };
}

export function parseImage(fields: Fields): Image | null {
  const id = fields.id();
  if (id === 0) return null;
  return {
    id,
    name: fields.text('name'),
    type: fields.text('type'),
    status: fields.text('status'),
    architecture: fields.architecture('architecture'),
    diskGb: fields.number('disk_size'),
    createdMs: fields.time('created') ?? 0,
    deprecated: fields.optionalText('deprecated'),
    deleted: fields.optionalText('deleted'),
  };
}

export function parseNetwork(fields: Fields): Network | null {
  const id = fields.id();
  if (id === 0) return null;
  const subnets = fields.list('subnets').map((subnet) => ({
    ipRange: subnet.text('ip_range'),
    networkZone: subnet.text('network_zone'),
  }));
  return { id, name: fields.text('name'), subnets, serverIds: fields.ids('servers') };
}

export function parsePlacementGroup(fields: Fields): PlacementGroup | null {
  const id = fields.id();
  if (id === 0) return null;
  return { id, name: fields.text('name'), type: fields.text('type'), serverIds: fields.ids('servers') };
}

export function parseNamed(fields: Fields): NamedResource | null {
  const id = fields.id();
  return id === 0 ? null : { id, name: fields.text('name') };
}

export function parseLocation(fields: Fields): Location | null {
  const name = fields.text('name');
  return name === '' ? null : { name, networkZone: fields.text('network_zone') };
}
