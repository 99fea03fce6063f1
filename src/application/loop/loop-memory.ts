import type { TemplateMemory } from '../../domain/node-group/index.js';
import { emptyClusterStateMemory } from '../../domain/readiness/index.js';
import type { ClusterStateMemory } from '../../domain/readiness/index.js';
import { createScaleDownMemory } from '../../domain/scale-down/index.js';
import type { ScaleDownMemory } from '../../domain/scale-down/index.js';
import { emptyScaleUpMemory } from '../../domain/scale-up/index.js';
import type { ScaleUpMemory } from '../../domain/scale-up/index.js';

/** All that survives between iterations. Replaced as a whole, never changed in place. */
export interface LoopMemory {
  readonly clusterState: ClusterStateMemory;
  readonly scaleUp: ScaleUpMemory;
  readonly scaleDown: ScaleDownMemory;
  readonly templates: TemplateMemory;
}

export function createLoopMemory(nowMs: number): LoopMemory {
  return {
    clusterState: emptyClusterStateMemory(),
    scaleUp: emptyScaleUpMemory(),
    scaleDown: createScaleDownMemory(nowMs),
    templates: new Map(),
  };
}
