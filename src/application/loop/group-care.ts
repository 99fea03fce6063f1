import { inject, injectable } from 'inversify';
import { deriveScalingState, planRepairs, updateClusterState } from '../../domain/readiness/index.js';
import type { ClusterStateMemory, RepairPlan, ScalingState } from '../../domain/readiness/index.js';
import type { Observation } from '../../domain/observation.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { Incidents } from '../ports/incidents.js';
import { GroupEvents, GroupRepairer, HappeningReporter } from '../scale-up/index.js';
import { LoopPolicies } from './loop-policies.js';

/** How the groups stand after the repairs, and whether anything may be decided on that. */
export interface CareResult {
  /** With the groups as they are after the repairs. */
  readonly observation: Observation;
  readonly state: ScalingState;
  readonly memory: ClusterStateMemory;
  /** `unhealthy`: too many nodes are unready. `repaired-sizes`: targets changed, and the next iteration sees the result. */
  readonly verdict: 'go-on' | 'unhealthy' | 'repaired-sizes';
}

/** Takes note of what became of earlier requests and puts the groups right (`scale-up` 2.4 steps 18 to 24). */
@injectable()
export class GroupCare {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(HappeningReporter) private readonly happenings: HappeningReporter,
    @inject(GroupRepairer) private readonly repairer: GroupRepairer,
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(LoopPolicies) private readonly policies: LoopPolicies,
  ) {}

  async care(observed: Observation, before: ClusterStateMemory, signal: AbortSignal): Promise<CareResult> {
    const policy = this.policies.clusterState;
    const update = updateClusterState(observed, before, policy);
    this.happenings.report(update.happenings);
    await this.repairer.revertTimedOut(update.reverts);
    const repairs = planRepairs(update.state, update.memory, policy, update.reverts);
    let { memory } = await this.repairer.removeUnregistered(repairs.unregistered, update.memory, signal);
    const isUntouched = update.reverts.length === 0 && isEmpty(repairs);
    const withState = (verdict: CareResult['verdict']): CareResult => {
      // Counting all nodes is the longest stretch of a quiet iteration: not twice for the same groups.
      if (isUntouched && memory === update.memory) {
        return { observation: observed, memory, state: update.state, verdict };
      }
      const observation = { ...observed, groups: this.cloud.nodeGroups() };
      return { observation, memory, state: deriveScalingState(observation, memory, policy), verdict };
    };
    if (!update.state.healthy) {
      this.incidents.happened(
        'cluster-health',
        'too many nodes are unready: nothing is changed until they recover',
      );
      this.events.record({ type: 'Warning', reason: 'ClusterUnhealthy', message: 'Cluster is unhealthy' });
      return withState('unhealthy');
    }
    this.incidents.over('cluster-health');
    memory = (await this.repairer.deleteFailed(repairs.failed, memory, signal)).memory;
    const fixed = await this.repairer.fixSizes(repairs.incorrectSizes, memory);
    memory = fixed.memory;
    return withState(fixed.repaired > 0 ? 'repaired-sizes' : 'go-on');
  }
}

function isEmpty({ unregistered, failed, incorrectSizes }: RepairPlan): boolean {
  return unregistered.length + failed.length + incorrectSizes.length === 0;
}
