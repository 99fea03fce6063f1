import type { Machine } from '../../world/machine.js';
import type { ResourceList, Taint } from '../objects/types.js';

/** How the node of one machine behaves; absent parts have the defaults of {@link DEFAULT_PROFILE}. Times are ms. */
export interface NodeProfile {
  /** False: the machine boots and nothing is ever heard of it. */
  readonly joins?: boolean;
  /** From power-on to the Node object. */
  readonly joinAfterMs?: number;
  /** From the Node object to condition Ready; null: never. */
  readonly readyAfterMs?: number | null;
  /** Once ready: unready for `downMs` after each `upMs`. */
  readonly flaps?: { readonly upMs: number; readonly downMs: number };
  /** From power-on until the kubelet falls silent for good, though the machine runs on. */
  readonly failsAfterMs?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Taints with which the node registers. */
  readonly taints?: readonly Taint[];
  /** False: no cloud controller knows the node; it registers with the `providerId` given here. */
  readonly cloudManaged?: boolean;
  readonly providerId?: string;
  /** Taken off the capacity: kube-reserved, system-reserved and the eviction threshold together. */
  readonly reserved?: {
    readonly cpuMilli?: number;
    readonly memoryBytes?: number;
    readonly diskBytes?: number;
  };
  readonly podsMax?: number;
  /** Devices, by resource name. */
  readonly devices?: ResourceList;
  /** From Ready until the devices show up in the capacity. */
  readonly devicesAfterMs?: number;
  /** CSI drivers that come up with the node. */
  readonly csiDrivers?: readonly CsiDriverProfile[];
}

export interface CsiDriverProfile {
  readonly name: string;
  /** Labels that the node gets, by which its volumes are bound to places. */
  readonly topology?: Readonly<Record<string, string>>;
  /** Volumes on one node; no limit if absent. */
  readonly volumesMax?: number;
}

export type NodeProfileOf = (machine: Machine) => NodeProfile;

export type FullNodeProfile = Required<Omit<NodeProfile, 'flaps' | 'failsAfterMs' | 'reserved'>> &
  Pick<NodeProfile, 'flaps' | 'failsAfterMs'> & {
    readonly reserved: Required<NonNullable<NodeProfile['reserved']>>;
  };

const MIB = 1024 * 1024;

export const DEFAULT_PROFILE: FullNodeProfile = {
  joins: true,
  joinAfterMs: 40_000,
  readyAfterMs: 10_000,
  labels: {},
  annotations: {},
  taints: [],
  cloudManaged: true,
  providerId: '',
  // The kubelet's own default holds back 100 MiB of memory and 10 % of the disk.
  reserved: { cpuMilli: 0, memoryBytes: 100 * MIB, diskBytes: 0 },
  podsMax: 110,
  devices: {},
  devicesAfterMs: 0,
  csiDrivers: [],
};

export function fullProfile(profile: NodeProfile): FullNodeProfile {
  return { ...DEFAULT_PROFILE, ...profile, reserved: { ...DEFAULT_PROFILE.reserved, ...profile.reserved } };
}
