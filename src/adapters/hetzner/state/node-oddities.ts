import type { Incidents } from '../../../application/ports/incidents.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import { hasTaint } from '../../../domain/kubernetes/taint.js';
import type { PoolConfiguration } from '../configuration/hetzner-configuration.js';
import { instanceIdOf, isOddProviderId } from './match-node.js';

/** Names shown of the nodes that share an oddity. */
const NODES_SHOWN = 3;

/**
 * Nodes of our pools that are not what the configuration promises. Collected over one round of questions and told as
 * one incident per pool and kind, so that a hundred nodes with one fault give one line.
 */
export class NodeOddities {
  /** By incident. */
  private readonly found = new Map<string, { readonly problem: string; readonly nodes: string[] }>();

  constructor(
    private readonly incidents: Incidents,
    private readonly pools: readonly PoolConfiguration[],
  ) {}

  examine(node: Node, serverId: number, pool: PoolConfiguration): void {
    if (isOddProviderId(node.providerId)) {
      const expected = instanceIdOf(serverId);
      this.note(`provider-id-${pool.id}`, node, `have a provider ID other than ${expected}; matched by name`);
    }
    // A node that is not ready may still get its labels.
    if (node.conditions.ready?.status !== 'True') return;
    const missing = missingPromises(node, pool);
    if (missing.length === 0) return;
    const problem = `lack ${missing.join(', ')}, which the pool's configuration promises; the boot script must set it`;
    this.note(`template-mismatch-${pool.id}`, node, problem);
  }

  /** Tells what the last round found, and begins a new one. */
  endRound(): void {
    for (const { id } of this.pools) {
      for (const incident of [`provider-id-${id}`, `template-mismatch-${id}`]) {
        const oddity = this.found.get(incident);
        if (oddity === undefined) {
          this.incidents.over(incident);
          continue;
        }
        const shown = oddity.nodes.slice(0, NODES_SHOWN).join(', ');
        const more =
          oddity.nodes.length > NODES_SHOWN ? ` and ${oddity.nodes.length - NODES_SHOWN} more` : '';
        this.incidents.happened(incident, `pool ${id}: nodes ${shown}${more} ${oddity.problem}`);
      }
    }
    this.found.clear();
  }

  private note(incident: string, node: Node, problem: string): void {
    const oddity = this.found.get(incident);
    if (oddity === undefined) this.found.set(incident, { problem, nodes: [node.name] });
    else if (!oddity.nodes.includes(node.name)) oddity.nodes.push(node.name);
  }
}

function missingPromises(node: Node, pool: PoolConfiguration): readonly string[] {
  const labels = [...pool.labels].filter(([key, value]) => node.labels.get(key) !== value);
  const taints = pool.taints.filter((taint) => !hasTaint(node.taints, taint.key));
  return [
    ...labels.map(([key, value]) => `label ${key}=${value}`),
    ...taints.map((taint) => `taint ${taint.key}`),
  ];
}
