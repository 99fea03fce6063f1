import { inject, injectable } from 'inversify';
import { namespaceLabels } from '../../domain/kubernetes/namespace.js';
import type { Node } from '../../domain/kubernetes/node.js';
import { NO_STORAGE } from '../../domain/kubernetes/storage.js';
import { withVolumeLimits } from '../../domain/kubernetes/volume-limits.js';
import { chooseTemplates } from '../../domain/node-group/index.js';
import type { TemplateMemory } from '../../domain/node-group/index.js';
import type { MachineTemplate, NodeTemplate } from '../../domain/node-group/node-group.js';
import type { Observation } from '../../domain/observation.js';
import { withNotReadyCopies } from '../../domain/readiness/index.js';
import { fillSnapshot, triagePods } from '../../domain/scale-up/index.js';
import type { TriagedPods } from '../../domain/scale-up/index.js';
import { createSnapshot } from '../../domain/simulation/index.js';
import type { ClusterSnapshot } from '../../domain/simulation/index.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { Incidents } from '../ports/incidents.js';
import { Metrics } from '../ports/metrics.js';
import { runSteps } from '../scale-up/index.js';
import { LoopPolicies } from './loop-policies.js';

/** What an iteration decides on: the observation, made ready for simulation. */
export interface ClusterModel {
  /** Nodes that look ready too early are replaced by not-ready copies. */
  readonly observation: Observation;
  readonly triaged: TriagedPods;
  /** Observed nodes with the pods that count. */
  readonly snapshot: ClusterSnapshot;
  /** The provider's templates. Groups whose template failed are absent. */
  readonly machines: ReadonlyMap<string, MachineTemplate>;
  /** What a new node of each group looks like. Groups without any source are absent. */
  readonly templates: ReadonlyMap<string, NodeTemplate>;
}

/** Turns an observation into the model that everything of this iteration is decided on. */
@injectable()
export class ClusterModeler {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(LoopPolicies) private readonly policies: LoopPolicies,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async model(
    observed: Observation,
    memory: TemplateMemory,
  ): Promise<{ model: ClusterModel; memory: TemplateMemory }> {
    const { pendingPods, templates: policy } = this.policies;
    const machines = this.machines(observed);
    const { storage = NO_STORAGE } = observed;
    const nodes = withVolumeLimits(this.withNotReadyCopies(observed, machines), storage);
    const observation = { ...observed, nodes };
    const triaged = triagePods(observation.pods, pendingPods);
    const snapshot = createSnapshot({ namespaces: namespaceLabels(observation.namespaces ?? []), storage });
    const filling = fillSnapshot(snapshot, nodes, triaged, pendingPods.expendablePriorityCutoff);
    await runSteps(filling, this.clock, this.metrics);
    const chosen = chooseTemplates(
      { ...observation, machines, podsOn: (name) => (snapshot.hasNode(name) ? snapshot.podsOn(name) : []) },
      memory,
      policy,
    );
    const model = { observation, triaged, snapshot, machines, templates: chosen.templates };
    return { model, memory: chosen.memory };
  }

  /** One group whose machine type is unknown must not stop the others (case U010). */
  private machines({ groups }: Observation): ReadonlyMap<string, MachineTemplate> {
    const machines = new Map<string, MachineTemplate>();
    for (const { id } of groups) {
      try {
        machines.set(id, this.cloud.template(id));
        this.incidents.over(`template ${id}`);
      } catch (error) {
        this.incidents.happened(`template ${id}`, `group ${id} has no machine template`, error);
      }
    }
    return machines;
  }

  private withNotReadyCopies(
    { nodes, nowMs, groups, groupIdByNode }: Observation,
    machines: ReadonlyMap<string, MachineTemplate>,
  ): readonly Node[] {
    const { clusterState, templates } = this.policies;
    const startupMs = new Map(groups.map(({ id, options }) => [id, options.maxNodeStartupTimeMs]));
    return withNotReadyCopies(nodes, {
      nowMs,
      taints: templates.taints,
      gpuLabel: this.cloud.gpuLabel,
      groupIdByNode,
      promisedByGroup: new Map([...machines].map(([id, { node }]) => [id, node.allocatable])),
      maxNodeStartupTimeMs: (groupId) => startupMs.get(groupId) ?? clusterState.maxNodeStartupTimeMs,
    });
  }
}
