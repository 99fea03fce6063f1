import { inject, injectable } from 'inversify';
import type {
  CloudProvider,
  GrowthResult,
  MachineReference,
  ReleaseResult,
} from '../../application/ports/cloud-provider.js';
import { Clock } from '../../application/ports/clock.js';
import { ClusterReader } from '../../application/ports/cluster-reader.js';
import type { Node } from '../../domain/kubernetes/node.js';
import type { MachineTemplate, NodeGroup } from '../../domain/node-group/node-group.js';
import type { MachineExistence } from '../../domain/observation.js';
import { Telemetry } from './client/telemetry.js';
import { UthoApi } from './client/utho-api.js';
import { UthoConfiguration } from './configuration/utho-configuration.js';
import { assembleFleet } from './fleet.js';
import type { Fleet } from './fleet.js';
import { GPU_LABEL, NODE_ID_LABEL, POOL_ID_LABEL, POOL_NAME_LABEL } from './labels.js';
import { determineClusterId } from './start/cluster-id.js';
import { probeCluster } from './start/probe.js';
import { existenceOf } from './state/existence.js';
import { matchNode } from './state/match-node.js';
import { Told } from './told.js';

/** Utho Kubernetes Engine as a {@link CloudProvider}. Groups are the cluster's pools that are set to autoscale. */
@injectable()
export class UthoProvider implements CloudProvider {
  readonly name = 'utho';
  readonly gpuLabel = GPU_LABEL;
  /** They differ between any two nodes, so that without this no two pools were ever alike (B56). */
  readonly ignoredSimilarityLabels: readonly string[] = [NODE_ID_LABEL, POOL_ID_LABEL, POOL_NAME_LABEL];
  private readonly fleet: Fleet;
  private readonly told = new Told();

  constructor(
    @inject(UthoConfiguration) private readonly configuration: UthoConfiguration,
    @inject(UthoApi) private readonly api: UthoApi,
    @inject(Clock) private readonly clock: Clock,
    @inject(ClusterReader) private readonly reader: ClusterReader,
    @inject(Telemetry) private readonly telemetry: Telemetry,
  ) {
    this.fleet = assembleFleet({ configuration, api, clock, reader, telemetry });
  }

  async start(signal: AbortSignal): Promise<void> {
    const { configuration, api, clock, reader, telemetry } = this;
    for (const warning of configuration.warnings) telemetry.logger.warn('utho-configuration', warning);
    telemetry.logger.info('utho-endpoint', `using Utho API at ${configuration.apiUrl}`);
    const clusterId = determineClusterId(configuration, reader, telemetry);
    this.fleet.reads.clusterId = clusterId;
    await probeCluster(clusterId, { api, clock, telemetry }, signal);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    this.fleet.mutations.assertOpen();
    await this.fleet.refresh.run(signal);
  }

  nodeGroups(): readonly NodeGroup[] {
    return this.fleet.pools.groups();
  }

  nodeGroupIdForNode(node: Node): string | null {
    const match = matchNode(node, this.fleet.pools);
    switch (match.kind) {
      case 'worker':
      case 'vanished':
        return match.poolId;
      case 'nameless':
        this.tellNameless(node);
        return null;
      case 'unlisted':
      case 'foreign':
        return null;
    }
  }

  existence(node: Node): Promise<MachineExistence> {
    return Promise.resolve(existenceOf(node, this.fleet.pools, this.clock));
  }

  template(groupId: string): MachineTemplate {
    return this.fleet.templates.of(groupId);
  }

  async increaseSize(groupId: string, delta: number, signal: AbortSignal): Promise<GrowthResult> {
    this.fleet.mutations.assertOpen();
    return this.fleet.growth.increase(this.fleet.pools.get(groupId), delta, signal);
  }

  async deleteInstances(
    groupId: string,
    machines: readonly MachineReference[],
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<readonly ReleaseResult[]> {
    this.fleet.mutations.assertOpen();
    return this.fleet.release.delete(this.fleet.pools.get(groupId), machines, options);
  }

  async decreaseTargetSize(groupId: string, count: number): Promise<void> {
    this.fleet.mutations.assertOpen();
    await this.fleet.shrink.decrease(this.fleet.pools.get(groupId), count);
  }

  cleanup(): Promise<void> {
    return this.fleet.mutations.close();
  }

  private tellNameless({ name }: Node): void {
    if (!this.told.isNew(name)) return;
    const message = `node "${name}" has no Spec.ProviderID or ${NODE_ID_LABEL} label; skipping`;
    this.telemetry.logger.info('utho-nameless-node', message);
  }
}
