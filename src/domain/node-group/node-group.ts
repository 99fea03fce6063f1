import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';

/** Why a machine could not be had, for the engine: the first two mean 'try another group'. */
export type CloudErrorKind =
  /** The machine type is sold out in this location. */
  | 'stock-out'
  /** A limit of the account or project is reached. */
  | 'quota'
  /** The API asked to slow down. */
  | 'throttled'
  /** The request can't work as configured, or the token lacks the right. */
  | 'configuration'
  /** The request may or may not have been carried out. */
  | 'unknown-outcome'
  /** Worth another try. */
  | 'transient';

/** An error of the cloud, as data. `code` is short and of low cardinality: it becomes a metric label. */
export interface CloudFailure {
  readonly kind: CloudErrorKind;
  readonly code: string;
  readonly message: string;
  /** The cloud's own advice, when it gave one. */
  readonly retryAfterMs?: number;
}

export type InstanceState = 'creating' | 'running' | 'deleting';

/** A machine of a group, or a placeholder for one on order. */
export interface Instance {
  /** Equal to the node's `spec.providerID`; placeholders have an id that no node can have. */
  readonly id: string;
  /** Name that the node will have, where the cloud knows it. */
  readonly name: string;
  readonly state: InstanceState;
  /** When the machine was ordered, or null where the cloud does not say. */
  readonly createdMs: number | null;
  /** Set with state `creating`: the machine will never come, and wants to be deleted. */
  readonly failure: CloudFailure | null;
}

/** Per-group overrides of defaults; an absent key means the default. Times in milliseconds, thresholds 0 to 1. */
export interface NodeGroupOptions {
  readonly scaleDownUtilizationThreshold?: number;
  readonly scaleDownGpuUtilizationThreshold?: number;
  readonly scaleDownUnneededTimeMs?: number;
  readonly scaleDownUnreadyTimeMs?: number;
  readonly maxNodeProvisionTimeMs?: number;
  readonly maxNodeStartupTimeMs?: number;
  readonly ignoreDaemonSetsUtilization?: boolean;
  readonly zeroOrMaxNodeScaling?: boolean;
  readonly allowNonAtomicScaleUpToMax?: boolean;
}

/** A node group as the provider knows it at one moment. */
export interface NodeGroup {
  /** Unique, stable, without white space. */
  readonly id: string;
  readonly minSize: number;
  readonly maxSize: number;
  /** Machines asked for: includes those on order, excludes those whose deletion was accepted. */
  readonly targetSize: number;
  readonly instances: readonly Instance[];
  readonly options: NodeGroupOptions;
}

/** Where a template came from. */
export type TemplateSource = 'real-node' | 'cache' | 'provider' | 'unfit-real-node';

/**
 * The stencil for every new node of a group. `node` is sanitised, `pods` are those that a fresh node carries
 * (DaemonSet and mirror pods).
 */
export interface NodeTemplate {
  readonly groupId: string;
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly source: TemplateSource;
}

/** What a provider says of a fresh machine of a group. */
export interface MachineTemplate {
  readonly node: Node;
  /** Price of one machine for an hour in the provider's currency, or null. */
  readonly pricePerHour: number | null;
}
