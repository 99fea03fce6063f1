import type { Node } from '../kubernetes/node.js';
import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { ResourceMinimums } from './policy.js';
import { gpuResourceOf } from './utilization.js';

/** What one more removal would undercut. */
export interface Shortage {
  readonly resource: string;
  readonly asked: number;
  readonly free: number;
  readonly limit: number;
}

/**
 * Keeps the cluster above its minimums (`scale-down` 10.2). Headroom is shared by all removals of one plan. The nodes
 * given are those that stay for now: differs from upstream, where nodes already being deleted and machines on order count
 * as present, so that removals in a row undercut the minimum (W37). Each node counts for itself (W38).
 */
export class ResourceFloor {
  private readonly headroom = new Map<string, number>();

  constructor(
    nodes: readonly Node[],
    private readonly minimums: ResourceMinimums,
    private readonly gpuLabel: string,
  ) {
    const counted = nodes.filter((node) => node.labels.get('type') !== 'virtual-kubelet');
    for (const [resource, minimum] of Object.entries(minimums)) {
      if (minimum <= 0) continue;
      const usage = counted.reduce((sum, node) => sum + this.amount(node, resource), 0);
      this.headroom.set(resource, Math.max(0, usage - minimum));
    }
  }

  /** Consumes headroom for all of the nodes, or nothing. */
  take(nodes: readonly Node[]): Shortage | null {
    for (const [resource, free] of this.headroom) {
      const asked = this.total(nodes, resource);
      if (asked > free) return { resource, asked, free, limit: this.minimums[resource] ?? 0 };
    }
    for (const [resource, free] of this.headroom)
      this.headroom.set(resource, free - this.total(nodes, resource));
    return null;
  }

  private total(nodes: readonly Node[], resource: string): number {
    return nodes.reduce((sum, node) => sum + this.amount(node, resource), 0);
  }

  private amount(node: Node, resource: string): number {
    if (resource === 'nodes') return 1;
    if (resource === CPU) return Math.ceil((node.capacity.get(CPU) ?? 0) / 1_000);
    if (resource === MEMORY) return node.capacity.get(MEMORY) ?? 0;
    if (node.labels.get(this.gpuLabel) === resource)
      return node.allocatable.get(gpuResourceOf(node) ?? '') ?? 0;
    return node.capacity.get(resource) ?? 0;
  }
}
