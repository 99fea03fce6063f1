import type { Node } from '../../../domain/kubernetes/node.js';

const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/control-plane';
/**
 * A node that was not asked about for so long, while others were, is taken for gone: some thirty loops of ten seconds.
 * Time without questions does not count, as in an outage of the API server: nothing is known of any node then.
 */
const MEMORY_MS = 5 * 60_000;

export interface Sighting {
  readonly providerId: string;
  readonly ready: boolean;
  readonly controlPlane: boolean;
  readonly seenMs: number;
}

/**
 * Nodes of the cluster as the engine asks about them, by name in lower case. Tells a server that never joined from
 * one whose node carries another provider id (`hetzner` 3.4).
 */
export class NodeSightings {
  private readonly sightings = new Map<string, Sighting>();
  private rounds = 0;
  private seenInRound = false;
  private lastSeenMs = Number.NEGATIVE_INFINITY;

  note(node: Node, nowMs: number): void {
    this.seenInRound = true;
    this.lastSeenMs = nowMs;
    this.sightings.set(node.name.toLowerCase(), {
      providerId: node.providerId,
      ready: node.conditions.ready?.status === 'True',
      controlPlane: node.labels.has(CONTROL_PLANE_LABEL),
      seenMs: nowMs,
    });
  }

  /** To be called when a round of questions begins. */
  beginRound(): void {
    if (this.seenInRound) this.rounds++;
    this.seenInRound = false;
    for (const [name, sighting] of this.sightings) {
      if (this.lastSeenMs - sighting.seenMs > MEMORY_MS) this.sightings.delete(name);
    }
  }

  /** False until the engine has asked about all nodes once: a missing sighting means nothing before. */
  isComplete(): boolean {
    return this.rounds > 0;
  }

  of(serverName: string): Sighting | undefined {
    return this.sightings.get(serverName.toLowerCase());
  }

  /** Name of the node with this provider id; for ids of a foreign form. */
  nameOf(providerId: string): string | undefined {
    for (const [name, sighting] of this.sightings) if (sighting.providerId === providerId) return name;
    return undefined;
  }
}
