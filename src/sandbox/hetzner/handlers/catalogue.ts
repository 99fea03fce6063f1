import { apiError } from '../api/api-error.js';
import { filterByLabels, filterByName, filterByValues } from '../api/listing.js';
import type { Answer, Call, Route } from '../api/router.js';
import {
  firewallView,
  imageView,
  locationView,
  networkView,
  priceView,
  serverPrices,
  serverTypeView,
  sshKeyView,
  volumeView,
} from '../api/views.js';
import type { ImageRecord, LocationRecord, ServerTypeRecord } from '../state/records.js';
import { byId } from './lookup.js';
import { BY_ID_NAME_CREATED } from './services.js';
import type { Services } from './services.js';

const BY_ID_NAME = { id: BY_ID_NAME_CREATED.id, name: BY_ID_NAME_CREATED.name };

/** Resources that are only read. */
export function catalogueRoutes(services: Services): readonly Route[] {
  const { world } = services;
  const typeView = (type: ServerTypeRecord): unknown => serverTypeView(world, type);
  return [
    ...readable('location', 'locations', {
      items: () => world.catalogue.locations,
      view: locationView,
      list: (call, items: readonly LocationRecord[]) =>
        services.page(call, {
          plural: 'locations',
          items: filterByName(call, items),
          render: locationView,
          sortable: BY_ID_NAME,
        }),
    }),
    ...readable('server_type', 'server_types', {
      items: () => world.catalogue.serverTypes,
      view: typeView,
      list: (call, items: readonly ServerTypeRecord[]) =>
        services.page(call, {
          plural: 'server_types',
          items: filterByName(call, items),
          render: typeView,
          sortable: {},
        }),
    }),
    ...readable('image', 'images', {
      items: (call) => [...call.project.images.values()],
      view: imageView,
      list: (call, items: readonly ImageRecord[]) =>
        services.page(call, {
          plural: 'images',
          items: filterImages(call, items),
          render: imageView,
          sortable: BY_ID_NAME_CREATED,
        }),
    }),
    ...labelled(services, 'network', 'networks', (call) => call.project.networks, networkView),
    ...labelled(
      services,
      'firewall',
      'firewalls',
      (call) => call.project.firewalls,
      (firewall, call) => firewallView(call.project, firewall),
    ),
    ...labelled(services, 'ssh_key', 'ssh_keys', (call) => call.project.sshKeys, sshKeyView),
    ...labelled(
      services,
      'volume',
      'volumes',
      (call) => call.project.volumes,
      (volume) => volumeView(world, volume),
    ),
    { method: 'GET', path: '/pricing', handler: () => pricing(services) },
    { method: 'GET', path: '/datacenters', handler: (call) => datacenters(services, call) },
    { method: 'GET', path: '/datacenters/{id}', handler: (call) => datacenters(services, call) },
  ];
}

interface Resource<T> {
  readonly items: (call: Call) => readonly T[];
  readonly view: (item: T) => unknown;
  readonly list: (call: Call, items: readonly T[]) => Answer;
}

/** A list, and single items by id. */
function readable<T extends { readonly id: number }>(
  singular: string,
  plural: string,
  resource: Resource<T>,
): readonly Route[] {
  const get = (call: Call): Answer => {
    const items = new Map(resource.items(call).map((item) => [item.id, item]));
    return { status: 200, body: { [singular]: resource.view(byId(items, call.id, singular)) } };
  };
  return [
    { method: 'GET', path: `/${plural}`, handler: (call) => resource.list(call, resource.items(call)) },
    { method: 'GET', path: `/${plural}/{id}`, handler: get },
  ];
}

interface LabelledRecord {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** The same for a resource of the project, with filters by name and label. */
export function labelled<T extends LabelledRecord>(
  services: Services,
  singular: string,
  plural: string,
  items: (call: Call) => ReadonlyMap<number, T>,
  view: (item: T, call: Call) => unknown,
): readonly Route[] {
  const list = (call: Call): Answer =>
    services.page(call, {
      plural,
      items: filterByLabels(call, filterByName(call, [...items(call).values()])),
      render: (item) => view(item, call),
      sortable: BY_ID_NAME_CREATED,
    });
  const get = (call: Call): Answer => ({
    status: 200,
    body: { [singular]: view(byId(items(call), call.id, singular), call) },
  });
  return [
    { method: 'GET', path: `/${plural}`, handler: list },
    { method: 'GET', path: `/${plural}/{id}`, handler: get },
  ];
}

function filterImages(call: Call, items: readonly ImageRecord[]): readonly ImageRecord[] {
  const withDeprecated = call.query.get('include_deprecated') === 'true';
  let images = filterByLabels(call, filterByName(call, items));
  images = images.filter((image) => withDeprecated || image.deprecatedMs === null);
  images = filterByValues(call, 'type', images, (image) => image.type);
  images = filterByValues(call, 'status', images, (image) => image.status);
  images = filterByValues(call, 'architecture', images, (image) => image.architecture);
  // No image of this world is bound to a server.
  return filterByValues(call, 'bound_to', images, () => 'none');
}

function pricing(services: Services): Answer {
  const { locations, serverTypes } = services.world.catalogue;
  const addressPrices = (hourly: number): readonly unknown[] =>
    locations.map((location) => ({
      location: location.name,
      price_hourly: priceView(hourly),
      price_monthly: priceView(hourly * 625),
    }));
  const pricing = {
    currency: 'EUR',
    vat_rate: '19.00',
    image: { price_per_gb_month: priceView(0.011) },
    primary_ips: [
      { type: 'ipv4', prices: addressPrices(0.0008) },
      { type: 'ipv6', prices: addressPrices(0) },
    ],
    server_backup: { percentage: '20.0000000000' },
    server_types: serverTypes.map((type) => ({ id: type.id, name: type.name, prices: serverPrices(type) })),
    load_balancer_types: [],
    floating_ips: [],
    volume: { price_per_gb_month: priceView(0.044) },
  };
  return { status: 200, body: { pricing } };
}

/** Removed from the API in 2026; the old answer is a switch. */
function datacenters(services: Services, call: Call): Answer {
  if (!services.world.settings.legacyDatacenters) {
    const details = { announcement: 'https://docs.hetzner.cloud/changelog' };
    throw apiError('deprecated_api_endpoint', 'datacenters are not available any more', details);
  }
  const items = services.world.catalogue.locations.map((location) => ({
    id: location.id,
    name: location.datacenter,
    location,
  }));
  const render = ({ id, name, location }: (typeof items)[number]): unknown => ({
    id,
    name,
    description: name,
    location: locationView(location),
    server_types: { supported: [], available: [], available_for_migration: [] },
  });
  if (call.id > 0) {
    const item = byId(new Map(items.map((one) => [one.id, one])), call.id, 'datacenter');
    return { status: 200, body: { datacenter: render(item) } };
  }
  return services.page(call, {
    plural: 'datacenters',
    items: filterByName(call, items),
    render,
    sortable: BY_ID_NAME,
  });
}
