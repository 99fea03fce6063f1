import type { Estimator } from '../../domain/estimation/index.js';
import type { Quota } from '../../domain/node-group/index.js';
import type { MachineTemplate, NodeTemplate } from '../../domain/node-group/node-group.js';
import type { Observation } from '../../domain/observation.js';
import type { ClusterStateMemory, ClusterStatePolicy, ScalingState } from '../../domain/readiness/index.js';
import type { ScaleUpPolicy } from '../../domain/scale-up/index.js';
import type { ClusterSnapshot } from '../../domain/simulation/index.js';

/** Everything that one iteration's growth is decided from. */
export interface ScaleUpContext {
  readonly observation: Observation;
  readonly state: ScalingState;
  readonly memory: ClusterStateMemory;
  /** Real and upcoming nodes, with the pods that found room. Left as it was. */
  readonly snapshot: ClusterSnapshot;
  /** Group of each upcoming placeholder, by node name. */
  readonly placeholders: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, NodeTemplate>;
  /** The provider's templates, for prices and for devices that are not visible yet. */
  readonly machines: ReadonlyMap<string, MachineTemplate>;
  readonly quotas: readonly Quota[];
  readonly estimator: Estimator;
  readonly policy: ScaleUpPolicy;
  readonly clusterStatePolicy: ClusterStatePolicy;
}
