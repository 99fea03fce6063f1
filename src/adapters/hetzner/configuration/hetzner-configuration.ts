import type { NodeGroupOptions } from '../../../domain/node-group/node-group.js';
import type { Taint } from '../../../domain/kubernetes/taint.js';
import type { Secret } from '../../cloud-configuration/index.js';

export type Architecture = 'amd64' | 'arm64';

/** How much memory of a machine's nominal size the kernel and the hypervisor keep (`hetzner` 6.3). */
export type MemoryOverhead =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'share'; readonly share: number };

/** One pool: a `--nodes` spec together with its part of the cluster configuration. */
export interface PoolConfiguration {
  /** Group id, value of the label `hcloud/node-group` and prefix of server names. */
  readonly id: string;
  readonly minSize: number;
  readonly maxSize: number;
  /** Lower case. */
  readonly serverType: string;
  /** Lower case. */
  readonly location: string;
  readonly userData: Secret;
  /** Image reference by architecture, fall-backs applied; null where none is configured. */
  readonly images: Readonly<Record<Architecture, string | null>>;
  /** Promised labels of the node: template only. */
  readonly labels: ReadonlyMap<string, string>;
  /** Promised taints of the node: template only. */
  readonly taints: readonly Taint[];
  /** Labels of the server. */
  readonly serverLabels: ReadonlyMap<string, string>;
  /** Id or name. */
  readonly placementGroup: string | null;
  /** Network address and prefix length, host bits cleared: `10.20.1.0/24`. */
  readonly subnetIpRange: string | null;
  /** Ids or names, beside the cluster's firewall. */
  readonly firewalls: readonly string[];
  readonly options: NodeGroupOptions;
}

/** Everything that environment, cluster configuration and `--nodes` say, checked as far as no network is needed. */
export interface HetznerConfiguration {
  readonly token: Secret;
  /** With the version segment, without a trailing slash: `https://api.hetzner.cloud/v1`. */
  readonly endpoint: string;
  /** Id or name. */
  readonly network: string | null;
  readonly firewall: string | null;
  readonly sshKey: string | null;
  readonly publicIpv4: boolean;
  readonly publicIpv6: boolean;
  readonly creationTimeoutMs: number;
  /** Value of the ownership label `hcloud/cluster`. */
  readonly clusterName: string | null;
  readonly apiTimeoutMs: number;
  readonly serversTtlMs: number;
  readonly pollIntervalMs: number;
  readonly maxParallelCreates: number;
  /** Requests of the project's budget that are left to others. */
  readonly rateLimitReserve: number;
  readonly asyncScaleUp: boolean;
  readonly zoneLabelEnabled: boolean;
  readonly memoryOverhead: MemoryOverhead;
  readonly maxDeletesPerMinute: number;
  /** In the order of `--nodes`. */
  readonly pools: readonly PoolConfiguration[];
  /** Sentences for the log: things that work but are likely not meant so. No secrets. */
  readonly warnings: readonly string[];
}

/** Injection token beside the type of the same name. */
export const HetznerConfiguration = Symbol('HetznerConfiguration');
