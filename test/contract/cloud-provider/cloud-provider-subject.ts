import type { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import type { Taint } from '../../../src/domain/kubernetes/taint.js';
import type { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import type { Line, Wire } from './wire.js';

/** A machine as the cloud itself knows it. */
export interface CloudMachine {
  /** `spec.providerID` of its node. */
  readonly providerId: string;
  readonly name: string;
  /** Null: no group's machine. */
  readonly groupId: string | null;
  /** It has power, so a node may join from it. */
  readonly isRunning: boolean;
}

/** What a real, fresh node of a machine shows, as recorded; amounts as in `Node.allocatable`. */
export interface RecordedNode {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: Readonly<Record<string, number>>;
  /** Volumes by driver. */
  readonly volumeLimits: Readonly<Record<string, number>>;
}

/**
 * The author's hand on the fake cloud: it sets the stage and looks behind it. Nothing here goes through the adapter, and
 * no maximum of a group holds.
 */
export interface CloudControl {
  /** Machines that run in a group already. */
  seed(groupId: string, count: number): readonly CloudMachine[];
  /** Running machines of the account that belong to nobody. With a name only one is made. */
  seedForeign(count: number, name?: string): readonly CloudMachine[];
  machines(): readonly CloudMachine[];
  /** Somebody deletes it at the console, and the cloud puts nothing in its place. */
  removeBehindBack(machine: CloudMachine): void;
  /** What the cloud calls the machines of a group: type, size, plan. */
  offerOf(groupId: string): string;
  /** So many more can be had for a group; further orders are refused as a stock-out. */
  setStock(groupId: string, count: number): void;
  /** The account may hold so many machines more; null: as many as it likes. */
  setQuota(machinesLeft: number | null): void;
  /** Orders are accepted and fail later. */
  failOrdersLater(): void;
  /** Orders stay open so long: no machine runs for them that could not be taken back. */
  holdOrders(ms: number): void;
  /** Machines take so long to run from now on. */
  slowBoots(ms: number): void;
  /** Something is wrong with this group alone, such that it can't be used. */
  spoil(groupId: string): void;
  /** Ends what the last four began, for machines and orders to come. */
  mend(): void;
  /** Of a machine of a group. */
  realNode(machine: CloudMachine): RecordedNode;
  /** Sentences on what should never be so; empty when all is well. */
  brokenInvariants(): readonly string[];
  /** Where machines may be locked: a foreign job keeps it for so long. */
  lock?(machine: CloudMachine, ms: number): void;
  /** Where there are volumes. */
  readonly volumes?: { attach(machine: CloudMachine): void; count(): number };
}

/**
 * One process with the adapter in it, on a fake cloud, under virtual time: whatever the adapter waits for has to be on
 * `clock`, and its requests on a dispatcher that knows it (`InProcessDispatcher`).
 */
export interface CloudProviderSubject {
  /** Started, and refreshed once. */
  readonly provider: CloudProvider;
  readonly cloud: CloudControl;
  readonly wire: Wire;
  readonly line: Line;
  readonly clock: VirtualClock;
  /** Texts that must never show in an error, result or log. */
  readonly secrets: readonly string[];
  /** All that was logged, and told as an incident. */
  logText(): string;
  /** Drops what was logged so far: memory of the recorder is none of the adapter's. */
  forgetLog(): void;
  /** Another process on the same cloud, started and refreshed once; with `without` it is not configured for that group. */
  twin(change?: { readonly without?: string }): Promise<CloudProviderSubject>;
}

export interface SubjectLayout {
  /** Groups behind `alpha` and `beta`, `extra-0` and so on, 0 to 100 machines each. */
  readonly extraGroups?: number;
}

/**
 * Builds a subject with two groups in this order: `alpha` (0 to 5 machines) and `beta` (1 to 5). No machine exists
 * yet.
 */
export type MakeCloudProviderSubject = (layout?: SubjectLayout) => Promise<CloudProviderSubject>;
