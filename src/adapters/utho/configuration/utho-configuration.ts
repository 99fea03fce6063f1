import type { Taint } from '../../../domain/kubernetes/taint.js';
import type { NodeGroupOptions } from '../../../domain/node-group/node-group.js';
import type { ApiToken } from './api-token.js';

/** A number for calls that read and one for calls that change something. */
export interface ReadWrite {
  readonly read: number;
  readonly write: number;
}

/** What is known of the nodes of a pool or plan beside what the API says. Undefined: left to the API. */
export interface NodeTemplateSettings {
  /** Cores. */
  readonly cpu: number | undefined;
  readonly memoryMb: number | undefined;
  readonly diskGb: number | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly taints: readonly Taint[];
  /** GPUs under the name of their resource; null: none. */
  readonly gpu: { readonly resource: string; readonly count: number } | null;
}

/** Capacity that pods can't have: kernel, kubelet, eviction thresholds. */
export interface ReservedResources {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly ephemeralStorageBytes: number;
}

/** Everything that the cloud-config file and its environment variables say, checked as far as no network is needed. */
export interface UthoConfiguration {
  /** Decimal digits; null: to be detected from the label `cluster_id` of the nodes. */
  readonly clusterId: string | null;
  readonly token: ApiToken;
  /** With exactly one slash at the end: `https://api.utho.com/v2/`. */
  readonly apiUrl: string;
  /** Of one HTTP exchange. */
  readonly requestTimeoutMs: ReadWrite;
  /** Writes: after a read-back that shows no effect; never by the client. */
  readonly maxRetries: ReadWrite;
  readonly verifyTimeoutMs: number;
  readonly verifyIntervalMs: number;
  readonly allowScaleToZero: boolean;
  /** Send `label` and `size` with a lower count, byte for byte as upstream (`utho` 4.5). */
  readonly legacyDecreasePayload: boolean;
  /** By pool id or plan id; a pool's entry comes before its plan's. */
  readonly nodeTemplates: ReadonlyMap<string, NodeTemplateSettings>;
  readonly reserved: ReservedResources;
  /** By pool id. */
  readonly poolOptions: ReadonlyMap<string, NodeGroupOptions>;
  /** Sentences for the log: things that work but are likely not meant so. No secrets. */
  readonly warnings: readonly string[];
}

/** Injection token beside the type of the same name. */
export const UthoConfiguration = Symbol('UthoConfiguration');
