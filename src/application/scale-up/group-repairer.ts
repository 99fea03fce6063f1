import { inject, injectable } from 'inversify';
import type { Instance } from '../../domain/node-group/node-group.js';
import { recordRepair } from '../../domain/readiness/index.js';
import type {
  ClusterStateMemory,
  MachineRemoval,
  RepairKind,
  TargetCut,
} from '../../domain/readiness/index.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { failureOf } from './cloud-failure.js';
import { GroupEvents } from './group-events.js';
import { PatientRelease } from './patient-release.js';
import type { ReleaseEnd } from './patient-release.js';

export interface RepairResult {
  readonly memory: ClusterStateMemory;
  /** Machines deleted, or machines taken off targets. */
  readonly repaired: number;
}

/**
 * Puts groups right: takes back what will not come and deletes what came to nothing. One group's trouble never stops
 * the others; refused repairs are paced through the memory.
 */
@injectable()
export class GroupRepairer {
  private readonly releases: PatientRelease;

  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Logger) private readonly logger: Logger,
  ) {
    this.releases = new PatientRelease(cloud, clock);
  }

  /** Lowers targets whose request timed out (`scale-up` 3.7). */
  async revertTimedOut(reverts: readonly TargetCut[]): Promise<void> {
    for (const { groupId, count } of reverts) {
      const problem = await this.lowerTarget(groupId, count);
      if (problem === null) continue;
      const message = `Failed to decrease target size for group ${groupId} after scale-up timeout: ${problem}`;
      this.events.record({ type: 'Warning', reason: 'FailedToRevertScaleUp', message });
      this.logger.warn('scale-up-revert-failed', message, { group: groupId, count });
    }
  }

  /** Lowers targets that nothing explains (`scale-up` 11.7). */
  async fixSizes(cuts: readonly TargetCut[], memory: ClusterStateMemory): Promise<RepairResult> {
    let result: RepairResult = { memory, repaired: 0 };
    for (const { groupId, count } of cuts) {
      const problem = await this.lowerTarget(groupId, count);
      result = this.noted(
        result,
        { kind: 'lower-target', groupId },
        problem === null,
        problem === null ? count : 0,
      );
      const fields = { group: groupId, count };
      if (problem === null)
        this.logger.info('target-lowered', `target of ${groupId} lowered by ${count}`, fields);
      else this.logger.warn('target-not-lowered', `target of ${groupId} stays: ${problem}`, fields);
    }
    return result;
  }

  /** Deletes machines whose node never joined (`scale-up` 11.5). Also tells of earlier ones that took their time. */
  async removeUnregistered(
    removals: readonly MachineRemoval[],
    memory: ClusterStateMemory,
    signal: AbortSignal,
  ): Promise<RepairResult> {
    let result: RepairResult = { memory, repaired: 0 };
    for (const end of await this.releases.release(removals, 'unregistered', signal)) {
      result = this.notedRelease(result, 'release-unregistered', end);
      const removed = removedOf(end);
      if (removed.length > 0) this.metrics.add('old_unregistered_nodes_removed_count', removed.length);
      for (const { id } of removed) {
        const message = `Removed unregistered node ${id}`;
        this.events.record({ type: 'Normal', reason: 'DeleteUnregistered', message });
      }
      for (const [id, problem] of end.problems) {
        const message = `Failed to remove node ${id}: ${problem}`;
        this.events.record({ type: 'Warning', reason: 'DeleteUnregisteredFailed', message });
      }
    }
    return result;
  }

  /** Deletes machines that the cloud could not make (`scale-up` 11.4). */
  async deleteFailed(
    removals: readonly MachineRemoval[],
    memory: ClusterStateMemory,
    signal: AbortSignal,
  ): Promise<RepairResult> {
    let result: RepairResult = { memory, repaired: 0 };
    for (const end of await this.releases.release(removals, 'create-error', signal)) {
      result = this.notedRelease(result, 'release-failed', end);
      for (const [id, problem] of end.problems) {
        this.logger.warn('failed-machine-stays', `failed machine ${id} was not deleted: ${problem}`, {
          group: end.removal.groupId,
        });
      }
    }
    return result;
  }

  /** Null on success. */
  private async lowerTarget(groupId: string, count: number): Promise<string | null> {
    try {
      await this.cloud.decreaseTargetSize(groupId, count);
      return null;
    } catch (error) {
      return failureOf(error).message;
    }
  }

  private notedRelease(before: RepairResult, kind: RepairKind, end: ReleaseEnd): RepairResult {
    const { groupId } = end.removal;
    return this.noted(before, { kind, groupId }, end.problems.size === 0, removedOf(end).length);
  }

  /** Not succeeded as soon as one machine was refused: the group is paced. */
  private noted(
    before: RepairResult,
    repair: { readonly kind: RepairKind; readonly groupId: string },
    succeeded: boolean,
    repaired: number,
  ): RepairResult {
    const memory = recordRepair(before.memory, { ...repair, succeeded, atMs: this.clock.now() });
    return { memory, repaired: before.repaired + repaired };
  }
}

function removedOf({ removal, problems }: ReleaseEnd): readonly Instance[] {
  return removal.machines.filter(({ id }) => !problems.has(id));
}
