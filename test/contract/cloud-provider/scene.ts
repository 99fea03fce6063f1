import { setMaxListeners } from 'node:events';
import type {
  CloudProvider,
  GrowthResult,
  MachineReference,
  ReleaseResult,
} from '../../../src/application/ports/cloud-provider.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import type { MachineExistence } from '../../../src/domain/observation.js';
import { buildNode } from '../../support/builders.js';
import type { CloudControl, CloudMachine, CloudProviderSubject } from './cloud-provider-subject.js';
import type { Witness } from './witness.js';
import type { Wire } from './wire.js';

/** The engine's interval. */
export const LOOP_MS = 10_000;
const { signal: NEVER } = new AbortController();
// All requests of a batch listen to it.
setMaxListeners(0, NEVER);

/** One process as a rule uses it: what the engine does with a provider, and what can be seen behind it. */
export class Scene {
  readonly provider: CloudProvider;
  /** Its process is dead or shut down: nothing more is expected of it. */
  retired = false;

  constructor(
    readonly subject: CloudProviderSubject,
    witness: Witness,
    /** Machines of others, by provider id: shared by all scenes of a rule. */
    private readonly strangers: Set<string>,
    /** What {@link Bench.scene} seeded, group by group. */
    readonly seeded: readonly CloudMachine[] = [],
  ) {
    this.provider = witness.watch(subject.provider);
  }

  get cloud(): CloudControl {
    return this.subject.cloud;
  }

  get wire(): Wire {
    return this.subject.wire;
  }

  nowMs(): number {
    return this.subject.clock.now();
  }

  advance(ms: number): Promise<void> {
    return this.subject.clock.advance(ms);
  }

  /** Moves time until the promise settles. */
  complete<T>(work: Promise<T>): Promise<T> {
    return this.subject.clock.complete(work);
  }

  refresh(signal: AbortSignal = NEVER): Promise<void> {
    return this.complete(this.provider.refresh(signal));
  }

  /** Refreshes as the engine's loop does; outages don't end it. */
  async loop(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += LOOP_MS) {
      await this.advance(LOOP_MS);
      await this.refresh().catch(() => undefined);
    }
  }

  /** What the engine does besides: it asks about all nodes and collects failed machines. Ends early when all is settled. */
  async converge(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += LOOP_MS) {
      await this.loop(LOOP_MS);
      this.provider.nodeGroupIdForNode(buildNode('control-plane', { providerId: 'other://control-plane' }));
      for (const machine of this.cloud.machines()) {
        if (machine.isRunning) this.provider.nodeGroupIdForNode(this.nodeOf(machine));
      }
      await this.collectFailed();
      if (this.residue().length === 0) return;
    }
  }

  group(id: string): NodeGroup {
    const found = this.provider.nodeGroups().find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`the subject has no group ${id}`);
    return found;
  }

  sizeOf(groupId: string): { readonly targetSize: number; readonly instances: number } {
    const { targetSize, instances } = this.group(groupId);
    return { targetSize, instances: instances.length };
  }

  groupIds(): readonly string[] {
    return this.provider.nodeGroups().map(({ id }) => id);
  }

  ids(groupId: string): string[] {
    return this.group(groupId).instances.map(({ id }) => id);
  }

  states(groupId: string): readonly string[] {
    return this.group(groupId).instances.map(({ state }) => state);
  }

  /** Machines of a group, as the cloud knows them. */
  machinesOf(groupId: string): readonly CloudMachine[] {
    return this.cloud.machines().filter((machine) => machine.groupId === groupId);
  }

  /** Running machines of the account that belong to nobody; with a name only one. */
  seedForeign(count: number, name?: string): readonly CloudMachine[] {
    const machines = this.cloud.seedForeign(count, name);
    for (const { providerId } of machines) this.strangers.add(providerId);
    return machines;
  }

  grow(groupId: string, delta: number, signal: AbortSignal = NEVER): Promise<GrowthResult> {
    return this.complete(this.provider.increaseSize(groupId, delta, signal));
  }

  shrink(groupId: string, count: number): Promise<void> {
    return this.complete(this.provider.decreaseTargetSize(groupId, count));
  }

  release(
    groupId: string,
    machines: readonly MachineReference[],
    { force = false, signal = NEVER }: { force?: boolean; signal?: AbortSignal } = {},
  ): Promise<readonly ReleaseResult[]> {
    return this.complete(this.provider.deleteInstances(groupId, machines, { force, signal }));
  }

  existence(node: Node, signal: AbortSignal = NEVER): Promise<MachineExistence> {
    return this.complete(this.provider.existence(node, signal));
  }

  /** The node of a machine, as the cluster shows it. */
  nodeOf(machine: CloudMachine, providerId: string = machine.providerId): Node {
    const labels = machine.groupId === null ? {} : { ...this.cloud.realNode(machine).labels };
    return buildNode(machine.name, { providerId, labels, createdMs: this.nowMs() });
  }

  /** What is not as it should be between the provider's view and the cloud: a sentence each. */
  residue(): readonly string[] {
    const found = this.provider.nodeGroups().flatMap(({ id, targetSize, instances }) => {
      const machines = this.machinesOf(id);
      const known = new Set(instances.map((instance) => instance.id));
      const real = new Set(machines.map((machine) => machine.providerId));
      return [
        ...machines
          .filter(({ providerId }) => !known.has(providerId))
          .map(({ name }) => `${name} is not listed in ${id}`),
        ...instances
          .filter(({ state }) => state !== 'running')
          .map((one) => `${one.id} of ${id} is ${one.state}`),
        ...instances.filter((one) => !real.has(one.id)).map((one) => `${one.id} of ${id} does not exist`),
        ...machines.filter(({ isRunning }) => !isRunning).map(({ name }) => `${name} of ${id} does not run`),
        ...(targetSize === machines.length
          ? []
          : [`${id} has the target ${targetSize} for ${machines.length} machines`]),
      ];
    });
    const ownerless = this.cloud
      .machines()
      .filter(({ groupId, providerId }) => groupId === null && !this.strangers.has(providerId))
      .map(({ name }) => `${name} has no owner`);
    return [...found, ...ownerless, ...this.cloud.brokenInvariants()];
  }

  private async collectFailed(): Promise<void> {
    for (const { id, instances } of this.provider.nodeGroups()) {
      const failed = instances.filter((instance) => instance.failure !== null);
      if (failed.length === 0) continue;
      const references = failed.map((instance) => referenceTo(instance, 'create-error'));
      await this.release(id, references).catch(() => undefined);
    }
  }
}

export function referenceTo(
  machine: Instance | CloudMachine,
  cause: MachineReference['cause'] = 'scale-down',
): MachineReference {
  return { instanceId: 'id' in machine ? machine.id : machine.providerId, name: machine.name, cause };
}

/** What a promise was rejected with. Throws where it was not. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}
