import type { PlacementHints } from './hints.js';

/** What scale-up keeps between iterations; plain data. */
export interface ScaleUpMemory {
  readonly hints: PlacementHints;
  /** Iterations in a row in which the time did not suffice for all pods (`scale-up` 4.6). */
  readonly degradedLoops: number;
}

export function emptyScaleUpMemory(): ScaleUpMemory {
  return { hints: {}, degradedLoops: 0 };
}
