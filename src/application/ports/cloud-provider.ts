import type {
  CloudErrorKind,
  CloudFailure,
  MachineTemplate,
  NodeGroup,
} from '../../domain/node-group/node-group.js';
import type { MachineExistence } from '../../domain/observation.js';
import type { Node } from '../../domain/kubernetes/node.js';

/** The only error that leaves a {@link CloudProvider}. Callers decide on `kind`, never on the message. */
export class CloudError extends Error {
  readonly kind: CloudErrorKind;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(failure: CloudFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'CloudError';
    this.kind = failure.kind;
    this.code = failure.code;
    this.retryAfterMs = failure.retryAfterMs;
  }

  toFailure(): CloudFailure {
    const failure = { kind: this.kind, code: this.code, message: this.message };
    return this.retryAfterMs === undefined ? failure : { ...failure, retryAfterMs: this.retryAfterMs };
  }
}

/** Outcome of a growth that may have succeeded in part. `accepted` machines are ordered or on order. */
export interface GrowthResult {
  readonly accepted: number;
  /** Why the rest was not accepted; null when all was. */
  readonly failure: CloudFailure | null;
}

/** A machine to delete, by what the caller knows of it. */
export interface MachineReference {
  /** `spec.providerID` of its node, or the instance id. */
  readonly instanceId: string;
  /** Node name, or the instance's name; used where the id is empty. */
  readonly name: string;
  /**
   * Why it goes: `scale-down` respects the minimum; `create-error` (a failed instance) never counts against it;
   * `unregistered` is a machine whose node never joined.
   */
  readonly cause: 'scale-down' | 'create-error' | 'unregistered';
}

/** What became of each machine of one request, in the order asked. */
export interface ReleaseResult {
  readonly instanceId: string;
  /** Null: the deletion was accepted, or the machine was gone already. */
  readonly failure: CloudFailure | null;
}

/**
 * The cloud (`scale-up` 12, `provider-contract` 3). Rules, each a test of `test/contract/cloud-provider`:
 *
 * - C1 Everything but `refresh`, `start`, `increaseSize`, `deleteInstances`, `decreaseTargetSize`, `existence` and `cleanup`
 *   answers from the adapter's cache, without I/O, and never throws for foreign nodes.
 * - C2 `nodeGroups` has stable ids in a stable order; the set changes in `refresh` only. Sizes and instances reflect
 *   the adapter's own writes at once (read your writes).
 * - C3 `targetSize` includes machines on order and failed ones not collected yet; it excludes machines whose deletion
 *   was accepted. `instances` includes those on order (placeholders), failed and deleting ones.
 * - C4 `refresh` keeps the last good data when the cloud fails and throws only when they are too old to act upon. It
 *   writes nothing that a second refresh would write again.
 * - C5 `increaseSize` refuses a delta < 1 or above the maximum before any call. It returns when the request is
 *   accepted, not when machines run; a failure in part is a {@link GrowthResult}; it throws when nothing was accepted.
 *   After an unknown outcome it adopts or undoes; it never buys twice.
 * - C6 A machine that will not come shows as an instance with `failure` until it is deleted.
 * - C7 `deleteInstances` deletes exactly the named machines and lowers the target by their number. A machine that is
 *   gone counts as success; one of another group or of nobody is refused without a write; one bad member leaves the
 *   others alone. `force` lifts the minimum. `releaseBudget` tells of any other limit.
 * - C8 `decreaseTargetSize` cancels orders that are not delivered, youngest first. It never touches a machine that
 *   exists and refuses when it would have to.
 * - C9 `existence` is `gone` only when the cloud said so; trouble is `unknown`; a node that is not ours is `foreign`.
 * - C10 `template` works for an empty group and gives the same answer for the same configuration.
 * - C11 No secret in any error, log or result.
 * - C12 Methods may be called concurrently for different groups.
 */
export interface CloudProvider {
  /** The value of `--cloud-provider`. */
  readonly name: string;
  /** GPU label key of this cloud; a key that never occurs where there is none. */
  readonly gpuLabel: string;
  /** Labels that differ between groups that are otherwise alike, e.g. a location label. */
  readonly ignoredSimilarityLabels: readonly string[];

  /** Checks the configuration against the cloud; read calls only. Throws CloudError kind `configuration`. */
  start(signal: AbortSignal): Promise<void>;
  refresh(signal: AbortSignal): Promise<void>;
  nodeGroups(): readonly NodeGroup[];
  /** Null: not ours, ignore it. */
  nodeGroupIdForNode(node: Node): string | null;
  existence(node: Node, signal: AbortSignal): Promise<MachineExistence>;
  /** Throws CloudError kind `configuration` where the group's machine is unknown to the cloud. */
  template(groupId: string): MachineTemplate;
  increaseSize(groupId: string, delta: number, signal: AbortSignal): Promise<GrowthResult>;
  deleteInstances(
    groupId: string,
    machines: readonly MachineReference[],
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]>;
  decreaseTargetSize(groupId: string, count: number): Promise<void>;
  /**
   * How many machines `deleteInstances` would let go from now on with cause `scale-down`, over all groups, where the
   * adapter or the cloud has such a limit; null or no such method: there is none. Without I/O. No more nodes are chosen
   * for removal than this, those whose removal is under way included, so that none is drained for nothing.
   */
  releaseBudget?(): number | null;
  /** At exit: settles or abandons what runs in the background; writes nothing new. */
  cleanup(): Promise<void>;
}

export const CloudProvider = Symbol('CloudProvider');
