import { podKey } from '../kubernetes/pod.js';
import type { Pod } from '../kubernetes/pod.js';
import { entryOf } from '../readiness/keyed.js';
import type { Keyed } from '../readiness/keyed.js';

/** Where the pass before placed each pod: node name by uid. */
export type PlacementHints = Keyed<string>;

/**
 * Hints while a pass runs, in two generations: reads see the new and the old one, writes go to the new one. A hint that
 * is not renewed for one whole pass is forgotten, so the table can't outgrow the pending pods.
 */
export class HintPass {
  private readonly renewed = new Map<string, string>();

  constructor(private readonly old: PlacementHints) {}

  hintFor(pod: Pod): string | null {
    const key = keyOf(pod);
    return this.renewed.get(key) ?? entryOf(this.old, key);
  }

  remember(pod: Pod, nodeName: string): void {
    this.renewed.set(keyOf(pod), nodeName);
  }

  /** Placed in this pass. */
  isPlaced(pod: Pod): boolean {
    return this.renewed.has(keyOf(pod));
  }

  /** The hints for the next pass. */
  finish(): PlacementHints {
    return Object.fromEntries(this.renewed);
  }
}

function keyOf(pod: Pod): string {
  return pod.uid === '' ? podKey(pod) : pod.uid;
}
