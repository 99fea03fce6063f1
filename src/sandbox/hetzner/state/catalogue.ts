import type { LocationRecord, Offer, ServerTypeRecord } from './records.js';

/** What is sold where (`hetzner` appendix A). Prices are invented. */
export interface Catalogue {
  readonly locations: LocationRecord[];
  readonly serverTypes: ServerTypeRecord[];
}

/** A machine type that a story or a test adds to the catalogue. */
export interface ServerTypeOrder {
  readonly name: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  /** Where it is sold. */
  readonly locations: readonly string[];
  /** Default 0.01. */
  readonly hourlyEur?: number;
}

/** Ids of added types and locations, far from those of the catalogue. */
const ADDED_ID_FIRST = 10_000;

/** Replaces a type of the same name. */
export function addServerType(catalogue: Catalogue, order: ServerTypeOrder): ServerTypeRecord {
  const { name, cores, memoryGb, diskGb, locations, hourlyEur = 0.01 } = order;
  const offer = (): Offer => ({ recommended: true, deprecation: null, pinnedAvailability: null });
  const type: ServerTypeRecord = {
    ...{ name, cores, memoryGb, diskGb, architecture: 'x86', cpuType: 'shared', deprecation: null },
    id: ADDED_ID_FIRST + catalogue.serverTypes.length,
    offers: new Map(locations.map((location) => [location, offer()])),
    hourlyEur: new Map(locations.map((location) => [location, hourlyEur])),
  };
  const index = catalogue.serverTypes.findIndex((one) => one.name === name);
  if (index < 0) catalogue.serverTypes.push(type);
  else catalogue.serverTypes[index] = type;
  return type;
}

/** A place of this name that is its own zone. Does nothing where there is one. */
export function addLocation(catalogue: Catalogue, name: string): void {
  if (catalogue.locations.some((one) => one.name === name)) return;
  catalogue.locations.push({
    ...{ name, city: name, country: 'DE', description: name, datacenter: name, networkZone: 'eu-central' },
    ...{ id: ADDED_ID_FIRST + catalogue.locations.length, latitude: 0, longitude: 0 },
  });
}

const DAY_MS = 24 * 3_600_000;

type LocationRow = readonly [
  id: number,
  name: string,
  zone: string,
  country: string,
  city: string,
  dc: string,
  lat: number,
  lon: number,
];

const LOCATION_ROWS: readonly LocationRow[] = [
  [1, 'fsn1', 'eu-central', 'DE', 'Falkenstein', 'fsn1-dc14', 50.47612, 12.370071],
  [2, 'nbg1', 'eu-central', 'DE', 'Nuremberg', 'nbg1-dc3', 49.452102, 11.076665],
  [3, 'hel1', 'eu-central', 'FI', 'Helsinki', 'hel1-dc2', 60.169855, 24.938379],
  [4, 'ash', 'us-east', 'US', 'Ashburn, VA', 'ash-dc1', 39.045821, -77.487073],
  [5, 'hil', 'us-west', 'US', 'Hillsboro, OR', 'hil-dc1', 45.54222, -122.951924],
  [6, 'sin', 'ap-southeast', 'SG', 'Singapore', 'sin-dc1', 1.283333, 103.833333],
];

const EU = ['fsn1', 'nbg1', 'hel1'];
const ARM_LARGE = ['fsn1', 'hel1'];
const ALL = LOCATION_ROWS.map(([, name]) => name);

interface TypeRow {
  readonly id: number;
  readonly name: string;
  /** Cores, memory GB, disk GB. */
  readonly size: readonly [number, number, number];
  readonly offered: readonly string[];
  /** Where it has a price; default: where it is offered. */
  readonly priced?: readonly string[];
  readonly eur: number;
  /** It can't be ordered any more. */
  readonly retired?: boolean;
}

const TYPE_ROWS: readonly TypeRow[] = [
  { id: 113, name: 'cx23', size: [2, 4, 40], offered: EU, eur: 0.0056 },
  { id: 114, name: 'cx33', size: [4, 8, 80], offered: EU, eur: 0.0088 },
  { id: 115, name: 'cx43', size: [8, 16, 160], offered: EU, eur: 0.0152 },
  { id: 116, name: 'cx53', size: [16, 32, 320], offered: EU, eur: 0.028 },
  { id: 108, name: 'cpx22', size: [2, 4, 80], offered: ALL, eur: 0.0104 },
  { id: 109, name: 'cpx32', size: [4, 8, 160], offered: ALL, eur: 0.0176 },
  { id: 110, name: 'cpx42', size: [8, 16, 320], offered: ALL, eur: 0.032 },
  { id: 45, name: 'cax11', size: [2, 4, 40], offered: EU, eur: 0.006 },
  { id: 93, name: 'cax21', size: [4, 8, 80], offered: EU, eur: 0.0105 },
  { id: 94, name: 'cax31', size: [8, 16, 160], offered: ARM_LARGE, eur: 0.02 },
  { id: 95, name: 'cax41', size: [16, 32, 320], offered: ARM_LARGE, eur: 0.039 },
  { id: 96, name: 'ccx13', size: [2, 8, 80], offered: ALL, eur: 0.02 },
  { id: 97, name: 'ccx23', size: [4, 16, 160], offered: ALL, eur: 0.039 },
  { id: 98, name: 'ccx33', size: [8, 32, 240], offered: ALL, eur: 0.078 },
  { id: 104, name: 'cx22', size: [2, 4, 40], offered: EU, eur: 0.006, retired: true },
  { id: 22, name: 'cpx11', size: [2, 2, 40], offered: ['ash', 'hil'], priced: ALL, eur: 0.007 },
];

/** The catalogue as it stands at `nowMs`. */
export function buildCatalogue(nowMs: number): Catalogue {
  return {
    locations: LOCATION_ROWS.map(
      ([id, name, networkZone, country, city, datacenter, latitude, longitude]) => ({
        id,
        name,
        networkZone,
        country,
        city,
        datacenter,
        latitude,
        longitude,
        description: `${city} DC Park 1`,
      }),
    ),
    serverTypes: TYPE_ROWS.map((row) => buildServerType(row, nowMs)),
  };
}

function buildServerType(row: TypeRow, nowMs: number): ServerTypeRecord {
  const [cores, memoryGb, diskGb] = row.size;
  const deprecation =
    row.retired === true
      ? { announcedMs: nowMs - 180 * DAY_MS, unavailableAfterMs: nowMs - 90 * DAY_MS }
      : null;
  const offer = (): Offer => ({ recommended: deprecation === null, deprecation, pinnedAvailability: null });
  return {
    id: row.id,
    name: row.name,
    cores,
    memoryGb,
    diskGb,
    architecture: row.name.startsWith('cax') ? 'arm' : 'x86',
    cpuType: row.name.startsWith('ccx') ? 'dedicated' : 'shared',
    offers: new Map(row.offered.map((location) => [location, offer()])),
    hourlyEur: new Map((row.priced ?? row.offered).map((location) => [location, row.eur])),
    deprecation,
  };
}
