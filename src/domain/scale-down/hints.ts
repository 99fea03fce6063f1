import type { Pod } from '../kubernetes/pod.js';
import { podKey } from '../kubernetes/pod.js';
import type { ScaleDownMemory } from './memory.js';

/** Where pods went in earlier simulations. A hint that is not used again is forgotten after the update that follows. */
export class PlacementHints {
  private readonly written = new Map<string, string>();

  constructor(private readonly remembered: ScaleDownMemory['hints']) {}

  of(pod: Pod): string | undefined {
    const key = keyOf(pod);
    return this.written.get(key) ?? this.remembered.recent[key] ?? this.remembered.older[key];
  }

  set(pod: Pod, nodeName: string): void {
    this.written.set(keyOf(pod), nodeName);
  }

  /** What the next update starts with. */
  toMemory(): ScaleDownMemory['hints'] {
    return { recent: Object.fromEntries(this.written), older: this.remembered.recent };
  }
}

/** UID or `namespace/name`: neither can be the name of an inherited property. */
function keyOf(pod: Pod): string {
  return pod.uid === '' ? podKey(pod) : pod.uid;
}
