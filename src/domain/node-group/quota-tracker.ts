import type { Labels } from '../kubernetes/labels.js';
import { labelSelectorMatches } from '../kubernetes/match-selector.js';
import type { Node } from '../kubernetes/node.js';
import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { LabelSelector } from '../kubernetes/selectors.js';
import { quotaAmounts } from './node-amounts.js';

/** An upper bound on what the nodes that it applies to may have together. */
export interface Quota {
  /** `cluster-wide`, or `CapacityQuota/<name>`. */
  readonly id: string;
  /** Null: applies to every node. */
  readonly selector: LabelSelector | null;
  /** Cores, bytes, nodes or GPUs by type; a name that is absent is not limited. */
  readonly limits: Resources;
}

/** Cluster-wide limits as flags give them (`scale-up` 10.1). Only maxima matter for growth. */
export interface ResourceLimits {
  /** Maximum of `--cores-total`, 320000. */
  readonly maxCores: number;
  /** Maximum of `--memory-total`, 6400000 GiB, in bytes. */
  readonly maxMemoryBytes: number;
  /** Maxima of `--gpu-total` by type; default none. */
  readonly maxGpus: ReadonlyMap<string, number>;
}

export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  maxCores: 320_000,
  maxMemoryBytes: 6_400_000 * 1024 ** 3,
  maxGpus: new Map(),
};

export function clusterWideQuota(limits: ResourceLimits): Quota {
  const resources = new Map([[CPU, limits.maxCores], [MEMORY, limits.maxMemoryBytes], ...limits.maxGpus]);
  return { id: 'cluster-wide', selector: null, limits: resources };
}

export interface ExceededQuota {
  readonly id: string;
  /** Sorted. */
  readonly resources: readonly string[];
}

export interface QuotaVerdict {
  /** How many of the nodes asked for are allowed. */
  readonly allowed: number;
  readonly exceeded: readonly ExceededQuota[];
}

export interface QuotaUsage {
  readonly nodes: Iterable<Node>;
  readonly gpuLabel: string;
  /** Provider template of the node's group, where it has one. */
  readonly promisedFor: (nodeName: string) => Node | undefined;
}

/** What is left of each quota (`scale-up` 10.2). Immutable: {@link consume} gives the tracker afterwards. */
export class QuotaTracker {
  private constructor(
    private readonly quotas: readonly Quota[],
    /** Same order as `quotas`; may be negative. */
    private readonly used: readonly Resources[],
    private readonly gpuLabel: string,
  ) {}

  /** Usage of all nodes given, foreign and upcoming ones included, virtual ones left out. */
  static over(quotas: readonly Quota[], usage: QuotaUsage): QuotaTracker {
    const used = quotas.map(() => new Map<string, number>());
    for (const node of usage.nodes) {
      if (node.labels.get('type') === 'virtual-kubelet') continue;
      const amounts = quotaAmounts(node, usage.gpuLabel, usage.promisedFor(node.name));
      quotas.forEach((quota, index) => {
        if (appliesTo(quota, node.labels)) addTo(used[index]!, amounts, 1);
      });
    }
    return new QuotaTracker(quotas, used, usage.gpuLabel);
  }

  /** Whether `count` nodes like this one may be added, and if not, how many. `count` must not be negative. */
  check(template: Node, count: number): QuotaVerdict {
    if (count < 0) throw new RangeError(`negative node count ${count}`);
    const amounts = quotaAmounts(template, this.gpuLabel, template);
    let allowed = count;
    const exceeded: ExceededQuota[] = [];
    this.quotas.forEach((quota, index) => {
      if (!appliesTo(quota, template.labels)) return;
      const resources: string[] = [];
      for (const [name, perNode] of amounts) {
        const limit = quota.limits.get(name);
        if (limit === undefined || perNode <= 0) continue;
        const left = Math.max(0, limit - (this.used[index]!.get(name) ?? 0));
        if (left >= perNode * count) continue;
        allowed = Math.min(allowed, Math.floor(left / perNode));
        resources.push(name);
      }
      if (resources.length > 0) exceeded.push({ id: quota.id, resources: resources.sort() });
    });
    return { allowed, exceeded };
  }

  /** The tracker after adding `count` such nodes; the caller has checked that they are allowed. */
  consume(template: Node, count: number): QuotaTracker {
    const amounts = quotaAmounts(template, this.gpuLabel, template);
    const used = this.quotas.map((quota, index) => {
      const known = this.used[index]!;
      return appliesTo(quota, template.labels) ? addTo(new Map(known), amounts, count) : known;
    });
    return new QuotaTracker(this.quotas, used, this.gpuLabel);
  }
}

function appliesTo(quota: Quota, labels: Labels): boolean {
  return quota.selector === null || labelSelectorMatches(quota.selector, labels);
}

function addTo(sum: Map<string, number>, amounts: Resources, times: number): Map<string, number> {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0) + amount * times);
  return sum;
}
