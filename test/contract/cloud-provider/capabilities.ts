import type { CloudErrorKind } from '../../../src/domain/node-group/node-group.js';
import type { Capability, RuleId } from './contract-rule.js';

/** What an adapter declares of its cloud and itself: what differs between clouds and is no fault. */
export interface CloudCapabilities {
  /** What the cloud does not have, and why that is so: a sentence each. Rules that need it do not apply. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
  /** Rules that the adapter does not keep yet, and why: a sentence each. They are run, and have to fail. */
  readonly knownGaps: Readonly<Partial<Record<RuleId, string>>>;
  readonly times: DeclaredTimes;
  readonly calls: DeclaredCalls;
  readonly errors: DeclaredErrors;
  /** What becomes of a node without a provider id whose name is that of a machine. */
  readonly nodesWithoutId: 'matched by name' | 'foreign';
  /** Labels that each node has with a value of its own, beside the host name. */
  readonly labelsOfOneNode: readonly string[];
  /** A machine in a list of so many per page; where lists come in pages. */
  readonly pageSize?: number;
  /** Where there are prices. */
  readonly prices?: {
    /** Three letters. */
    readonly currency: string;
    /** The least time that is paid for. */
    readonly billingStepMs: number;
  };
}

export interface DeclaredTimes {
  /** Data may be so old at most before `refresh` throws; 0: it throws at once, and the data stay. */
  readonly staleAfterMs: number;
  /** A list may show the account as it was so long ago, even to the one who has just ordered; 0: never. */
  readonly listsLagMs: number;
  /** Change outside the adapter shows within this time of refreshes. */
  readonly noticesWithinMs: number;
  /** A group that can't be used any more, e.g. since its offer was withdrawn, is known within this time of refreshes. */
  readonly noticesBadGroupsWithinMs: number;
  /** A machine of a group is ready within this time. */
  readonly machineReadyMs: number;
  /** After trouble everything is as it should be within this time. */
  readonly settledWithinMs: number;
  /** No call takes longer, even if the cloud never answers. */
  readonly callMs: number;
}

export interface DeclaredCalls {
  /** Reads of one refresh, with two machines of ours and 1,000 of others in the account. */
  readonly perRefresh: number;
  /** Reads of one refresh, with 1,000 machines of ours in 50 groups. */
  readonly perLargeRefresh: number;
  /** In an hour in which nothing happens, refreshed every ten seconds. */
  readonly perHourAtRest: number;
  /** Reads and writes for each machine of a growth of five, until they run. */
  readonly perMachine: number;
}

export interface DeclaredErrors {
  /** Answers to an order, by the fake's name of the error, and the kind that the engine is told. */
  readonly documented: Readonly<Record<string, CloudErrorKind>>;
  /** An error that no documentation names, and the code that the engine is told. */
  readonly unknown: { readonly error: string; readonly code: string };
  /** The error that asks to slow down. */
  readonly throttled: string;
  /** The error for a bad token, and the setting that a human has to correct. */
  readonly unauthorized: { readonly error: string; readonly setting: string };
  /** What a failed TLS handshake counts as. */
  readonly tls: CloudErrorKind;
}
