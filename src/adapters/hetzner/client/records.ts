import type { Architecture } from '../configuration/hetzner-configuration.js';

/** What this adapter reads of the API's objects. Unknown fields are ignored, absent ones have a neutral value. */

export interface Server {
  readonly id: number;
  readonly name: string;
  /** `running`, `initializing`, … or a value that is not known yet; empty where absent. */
  readonly status: string;
  readonly createdMs: number | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly locked: boolean;
  /** Ids of attached networks. */
  readonly networks: readonly number[];
  readonly deleteProtected: boolean;
  readonly volumeCount: number;
}

export interface ServerTypeLocation {
  readonly name: string;
  /** Null: the API does not say. */
  readonly available: boolean | null;
  /** End of sale here; null where none is announced. */
  readonly unavailableAfterMs: number | null;
}

export interface ServerType {
  readonly id: number;
  /** Lower case. */
  readonly name: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  /** Null for an architecture that this program does not know. */
  readonly architecture: Architecture | null;
  readonly locations: readonly ServerTypeLocation[];
  /** Net price of an hour by location. */
  readonly pricePerHour: ReadonlyMap<string, number>;
}

export interface Action {
  readonly id: number;
  readonly command: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Image {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly architecture: Architecture | null;
  readonly diskGb: number;
  readonly createdMs: number;
  /** RFC 3339, or null. */
  readonly deprecated: string | null;
  readonly deleted: string | null;
}

export interface Network {
  readonly id: number;
  readonly name: string;
  readonly subnets: readonly { readonly ipRange: string; readonly networkZone: string }[];
  readonly serverIds: readonly number[];
}

export interface PlacementGroup {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly serverIds: readonly number[];
}

/** Where id and name are all that matters: firewalls, SSH keys. */
export interface NamedResource {
  readonly id: number;
  readonly name: string;
}

export interface Location {
  readonly name: string;
  readonly networkZone: string;
}

/** Answer to a creation. */
export interface CreatedServer {
  readonly server: Server;
  /** The creation and all that follow from it. */
  readonly actions: readonly Action[];
}
