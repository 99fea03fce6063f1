import type { CloudProvider } from '../../../src/application/ports/cloud-provider.js';

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

/** Requests that the cloud has seen. */
export interface CallCount {
  readonly reads: number;
  readonly writes: number;
}

/** The author's hand on the fake cloud: it sets the stage and looks behind it. Nothing here goes through the adapter. */
export interface CloudControl {
  /** Machines that run in a group already. */
  seed(groupId: string, count: number): readonly CloudMachine[];
  /** Running machines of the account that belong to nobody. */
  seedForeign(count: number): readonly CloudMachine[];
  machines(): readonly CloudMachine[];
  /** Somebody deletes it at the console. */
  removeBehindBack(machine: CloudMachine): void;
  /** So many more can be had for a group; further orders are refused as a stock-out. */
  setStock(groupId: string, count: number): void;
  /** The account's limit of machines is reached. */
  exhaustQuota(): void;
  /** The next order is carried out, but its answer is lost. */
  loseNextOrderReply(): void;
  /** Orders are accepted and fail later. */
  failOrdersLater(): void;
  /** Until mended: no request is answered. */
  cutApi(): void;
  mendApi(): void;
  /** Every order takes so long to be answered. */
  delayOrders(ms: number): void;
  calls(): CallCount;
  /** Sentences on what should never be so; empty when all is well. */
  brokenInvariants(): readonly string[];
}

/** One adapter on one fake cloud, under virtual time. */
export interface CloudProviderSubject {
  /** Started, and refreshed once. */
  readonly provider: CloudProvider;
  readonly cloud: CloudControl;
  /** Texts that must never show in an error, result or log. */
  readonly secrets: readonly string[];
  logText(): string;
  nowMs(): number;
  /** Moves time. */
  advance(ms: number): Promise<void>;
  /** Moves time until the promise settles. */
  complete<T>(work: Promise<T>): Promise<T>;
  /**
   * The process dies after the cloud has served so many more requests: none of its requests gets through from then
   * on. Returns what comes up in its place, on the same cloud, once `dead` is called.
   */
  crashAfter(requests: number): { readonly restart: () => Promise<CloudProviderSubject> };
}

/** What differs between clouds and is no fault. */
export interface CloudCapabilities {
  /** Each machine is ordered by itself, so that a growth may succeed in part. */
  readonly partialGrowth: boolean;
  /** Data may be this old at most before `refresh` throws. */
  readonly staleAfterMs: number;
  /** Change outside the adapter shows up within this time of refreshes. */
  readonly noticesWithinMs: number;
  /** A group's machine is ready within this time. */
  readonly machineReadyMs: number;
}

/**
 * Builds a subject with two groups in this order: `alpha` (0 to 5 machines) and `beta` (1 to 5). No machine exists
 * yet.
 */
export type MakeCloudProviderSubject = () => Promise<CloudProviderSubject>;
