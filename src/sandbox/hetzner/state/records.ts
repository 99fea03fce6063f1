import type { Labels } from '../api/labels.js';

/** What the simulated cloud holds. Times are milliseconds of world time; `null` means none. */

export type Architecture = 'x86' | 'arm';

export interface LocationRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly country: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly networkZone: string;
  /** Name of the data centre of old, which is the zone of its nodes. */
  readonly datacenter: string;
}

export interface Deprecation {
  readonly announcedMs: number;
  readonly unavailableAfterMs: number;
}

/** How a type is sold in one location. */
export interface Offer {
  recommended: boolean;
  deprecation: Deprecation | null;
  /** What the catalogue says instead of what the stock says; null: derived from stock. */
  pinnedAvailability: boolean | null;
}

export interface ServerTypeRecord {
  readonly id: number;
  readonly name: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  readonly architecture: Architecture;
  readonly cpuType: 'shared' | 'dedicated';
  /** By location name: where it can be ordered. */
  readonly offers: Map<string, Offer>;
  /** By location name, net; may list more locations than `offers`. */
  readonly hourlyEur: Map<string, number>;
  /** The old, global form. */
  readonly deprecation: Deprecation | null;
}

export interface ImageRecord {
  readonly id: number;
  readonly type: 'system' | 'snapshot';
  status: 'available' | 'creating' | 'unavailable';
  readonly name: string | null;
  readonly description: string;
  readonly architecture: Architecture;
  readonly diskGb: number;
  readonly createdMs: number;
  deprecatedMs: number | null;
  deletedMs: number | null;
  readonly labels: Labels;
}

export interface SubnetRecord {
  readonly ipRange: string;
  readonly networkZone: string;
}

export interface NetworkRecord {
  readonly id: number;
  readonly name: string;
  readonly ipRange: string;
  /** Oldest first. */
  readonly subnets: SubnetRecord[];
  readonly createdMs: number;
  readonly labels: Labels;
  /** Addresses given out: server id by address. */
  readonly addresses: Map<string, number>;
}

export interface FirewallRecord {
  readonly id: number;
  readonly name: string;
  readonly createdMs: number;
  readonly labels: Labels;
  /** Applies itself to all servers whose labels match. */
  readonly labelSelector: string | null;
}

export interface SshKeyRecord {
  readonly id: number;
  readonly name: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly createdMs: number;
  readonly labels: Labels;
}

export interface PlacementGroupRecord {
  readonly id: number;
  name: string;
  labels: Labels;
  readonly createdMs: number;
  /** Ids of member servers; foreign members of fixtures need not exist. */
  readonly members: Set<number>;
}

export interface PrimaryIpRecord {
  readonly id: number;
  readonly name: string;
  readonly type: 'ipv4' | 'ipv6';
  readonly ip: string;
  assigneeId: number | null;
  readonly autoDelete: boolean;
  readonly createdMs: number;
  readonly labels: Labels;
  readonly locationName: string;
}

export interface VolumeRecord {
  readonly id: number;
  readonly name: string;
  readonly sizeGb: number;
  readonly locationName: string;
  serverId: number | null;
  readonly createdMs: number;
  readonly labels: Labels;
}

export type ServerStatus =
  | 'running'
  | 'initializing'
  | 'starting'
  | 'stopping'
  | 'off'
  | 'deleting'
  | 'migrating'
  | 'rebuilding'
  | 'unknown';

export interface PrivateNic {
  readonly networkId: number;
  readonly ip: string;
  readonly macAddress: string;
}

export interface ServerRecord {
  readonly id: number;
  name: string;
  status: ServerStatus;
  labels: Labels;
  readonly createdMs: number;
  readonly typeName: string;
  readonly locationName: string;
  readonly imageId: number | null;
  readonly userData: string;
  ipv4Id: number | null;
  ipv6Id: number | null;
  readonly nics: PrivateNic[];
  readonly firewalls: Map<number, 'applied' | 'pending'>;
  placementGroupId: number | null;
  readonly protection: { delete: boolean; rebuild: boolean };
  readonly volumeIds: number[];
  /** Ids of the running actions that keep others from changing it. */
  readonly locks: Set<number>;
  /** Locked by somebody else until then. */
  foreignLockUntilMs: number;
  /** Its guest does not react to a shutdown. */
  ignoresShutdown: boolean;
  /** It runs, but no node will ever join from it. */
  nodeNeverRegisters: boolean;
  /** A piece of stock is bound to it. */
  readonly holdsStock: boolean;
}

export interface ActionRecord {
  readonly id: number;
  readonly command: string;
  status: 'running' | 'success' | 'error';
  readonly startedMs: number;
  /** When the work itself begins; until then progress stays 0. */
  beginsMs: number;
  /** Expected end; infinite for an action that is stuck. */
  endsMs: number;
  finishedMs: number | null;
  readonly resources: readonly { readonly id: number; readonly type: string }[];
  error: { readonly code: string; readonly message: string } | null;
}
