import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import type { NodeGroup } from '../../domain/node-group/node-group.js';
import type { MachineExistence, Observation } from '../../domain/observation.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import { DeletionTracker, inParallel } from '../scale-down/index.js';

/** As many as the provider creates machines at one time by default. */
const PARALLEL_QUESTIONS = 10;

/** Puts cloud and cluster together as they are at one moment. */
@injectable()
export class Observer {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(ClusterReader) private readonly cluster: ClusterReader,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Throws CloudError or ClusterReadError, and then nothing may be decided. */
  async observe(signal: AbortSignal): Promise<Observation> {
    const nowMs = this.clock.now();
    // Before the refresh: a deletion that ends during it must still count as under way.
    const deletions = this.tracker.inProgress();
    await this.cloud.refresh(signal);
    const cluster = this.cluster.state();
    const groups = this.cloud.nodeGroups();
    return {
      nowMs,
      ...cluster,
      groups,
      groupIdByNode: this.groupIdByNode(cluster.nodes),
      existenceByNode: await this.existenceByNode(cluster.nodes, groups, signal),
      deletions,
    };
  }

  private groupIdByNode(nodes: readonly Node[]): ReadonlyMap<string, string> {
    const groupIds = new Map<string, string>();
    for (const node of nodes) {
      const groupId = this.cloud.nodeGroupIdForNode(node);
      if (groupId !== null) groupIds.set(node.name, groupId);
    }
    return groupIds;
  }

  /** Asks the cloud only about nodes whose machine is not among the instances at hand. */
  private async existenceByNode(
    nodes: readonly Node[],
    groups: readonly NodeGroup[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, MachineExistence>> {
    const known = new Set(groups.flatMap((group) => group.instances.map((instance) => instance.id)));
    const existence = new Map<string, MachineExistence>(nodes.map(({ name }) => [name, 'exists']));
    const unknown = nodes.filter(({ providerId }) => !known.has(providerId));
    // Side by side: in an outage each question may take its whole time limit.
    await inParallel(unknown, PARALLEL_QUESTIONS, async (node) => {
      existence.set(node.name, await this.cloud.existence(node, signal));
    });
    return existence;
  }
}
