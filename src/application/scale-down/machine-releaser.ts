import { inject, injectable } from 'inversify';
import type { NodeRemoval } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { ReleaseResult } from '../ports/cloud-provider.js';
import { CloudError, CloudProvider } from '../ports/cloud-provider.js';
import { FreshNodeCheck } from './fresh-node-check.js';
import { messageOf } from './in-parallel.js';
import type { DeletionFailure } from './node-delete-result.js';
import { deletionFailure } from './node-delete-result.js';
import type { PreparedNode } from './node-preparation.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Null: the cloud has accepted the deletion. */
export type Release = DeletionFailure | null;

interface Collector {
  readonly nodes: PreparedNode[];
  readonly released: Promise<ReadonlyMap<NodeRemoval, Release>>;
}

/** Asks the cloud to delete machines, those of one group together where the operator wants it (`scale-down` 8.8). */
@injectable()
export class MachineReleaser {
  private readonly collectors = new Map<string, Collector>();

  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(Clock) private readonly clock: Clock,
    @inject(FreshNodeCheck) private readonly checks: FreshNodeCheck,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Deletes the machine of one node. Rejects only when the signal is aborted. */
  async release(node: PreparedNode, signal: AbortSignal): Promise<Release> {
    const intervalMs = this.settings.policy.nodeDeletionBatcherIntervalMs;
    const released =
      intervalMs > 0 ? await this.collect(node, intervalMs, signal) : await this.releaseEach([node], signal);
    return released.get(node.removal) ?? null;
  }

  /** Deletes the machines of an atomic group: none is deleted if one of its nodes has to stay. */
  async releaseTogether(
    nodes: readonly PreparedNode[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<NodeRemoval, Release>> {
    const held = await this.heldBack(nodes, signal);
    const first = nodes.find(({ removal }) => held.get(removal) !== null);
    if (first === undefined) return this.deleteMachines(nodes, signal);
    const text = `couldn't scale down other nodes in this node group: ${first.removal.node.name} has to stay`;
    const failure = deletionFailure('NodeDeleteErrorFailedToDelete', text);
    return new Map([...held].map(([removal, own]) => [removal, own ?? failure]));
  }

  /** The first node of a group opens a collector; those that follow in time join it. */
  private collect(node: PreparedNode, intervalMs: number, signal: AbortSignal) {
    const { groupId } = node.removal;
    const open = this.collectors.get(groupId);
    if (open !== undefined) {
      open.nodes.push(node);
      return open.released;
    }
    const nodes = [node];
    const released = this.clock
      .sleep(intervalMs, signal)
      .finally(() => this.collectors.delete(groupId))
      .then(() => this.releaseEach(nodes, signal));
    this.collectors.set(groupId, { nodes, released });
    return released;
  }

  /** Nodes that have to stay are left out; the others go. */
  private async releaseEach(
    nodes: readonly PreparedNode[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<NodeRemoval, Release>> {
    const held = await this.heldBack(nodes, signal);
    const going = nodes.filter(({ removal }) => held.get(removal) === null);
    const deleted = going.length === 0 ? [] : await this.deleteMachines(going, signal);
    return new Map([...held, ...deleted]);
  }

  private async heldBack(
    nodes: readonly PreparedNode[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<NodeRemoval, DeletionFailure | null>> {
    const failures = await Promise.all(nodes.map((node) => this.mustStay(node, signal)));
    return new Map(nodes.map(({ removal }, index) => [removal, failures[index] ?? null]));
  }

  /** The last look before the machine goes. A pod that came back in spite of all marks does not count, one that must not move does. */
  private async mustStay(
    { removal, evicted }: PreparedNode,
    signal: AbortSignal,
  ): Promise<DeletionFailure | null> {
    const verdict = await this.checks.checkAtServer(removal, signal, { evicted });
    if (verdict.kind === 'may-go') return null;
    return deletionFailure('NodeDeleteErrorInternal', `the node stays: ${verdict.why}`);
  }

  private async deleteMachines(
    nodes: readonly PreparedNode[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<NodeRemoval, Release>> {
    signal.throwIfAborted();
    const removals = nodes.map(({ removal }) => removal);
    const results = await this.ask(removals, signal);
    const outcomes = new Map<NodeRemoval, Release>();
    for (const [index, removal] of removals.entries()) {
      outcomes.set(removal, await this.outcomeOf(removal, results[index], signal));
    }
    return outcomes;
  }

  private async ask(
    removals: readonly NodeRemoval[],
    signal: AbortSignal,
  ): Promise<readonly ReleaseResult[]> {
    const groupId = removals[0]?.groupId ?? '';
    const machines = removals.map(({ node }) => ({
      instanceId: node.providerId,
      name: node.name,
      cause: 'scale-down' as const,
    }));
    try {
      return await this.cloud.deleteInstances(groupId, machines, { force: false, signal });
    } catch (error) {
      signal.throwIfAborted();
      const failure =
        error instanceof CloudError
          ? error.toFailure()
          : { kind: 'transient' as const, code: 'internal', message: messageOf(error) };
      return machines.map(({ instanceId }) => ({ instanceId, failure }));
    }
  }

  /** A node whose machine is gone after all must not be given back (W51). */
  private async outcomeOf(
    removal: NodeRemoval,
    result: ReleaseResult | undefined,
    signal: AbortSignal,
  ): Promise<Release> {
    if (result?.failure === null) return null;
    const message = result?.failure?.message ?? 'the cloud gave no answer for this machine';
    const existence = await this.cloud.existence(removal.node, signal).catch(() => 'unknown' as const);
    signal.throwIfAborted();
    return existence === 'gone' ? null : deletionFailure('NodeDeleteErrorFailedToDelete', message);
  }
}
