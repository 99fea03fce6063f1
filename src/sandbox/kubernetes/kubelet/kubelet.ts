import { withCondition } from '../objects/condition.js';
import { LEASES, NODES } from '../objects/kinds.js';
import type { Draft } from '../objects/object.js';
import { microTimestamp } from '../objects/time.js';
import type { Node, Pod } from '../objects/types.js';
import type { OwnerIndex } from '../controllers/owner-index.js';
import type { Registry } from '../registry/registry.js';
import type { Machine } from '../../world/machine.js';
import type { ScheduledTask } from '../../world/world-clock.js';
import { nodeManifest, readyCondition } from './node-object.js';
import { registerDrivers } from './csi-node.js';
import type { FullNodeProfile } from './node-profile.js';
import { PodRuntime } from './pod-runtime.js';
import type { PodTimes } from './pod-runtime.js';

export interface KubeletWorld {
  readonly registry: Registry;
  readonly index: OwnerIndex;
  readonly podTimes: PodTimes;
  /** Grace of the node lifecycle controller before a silent node counts as unknown. */
  readonly silenceGraceMs: number;
  /** Time between two renewals of the lease; 0: never. */
  readonly heartbeatMs: number;
}

/** The agent on one machine: registers the node, runs its pods, and falls silent without power. */
export class Kubelet {
  private readonly tasks = new Set<ScheduledTask>();
  private readonly runtime: PodRuntime;
  private ready = false;
  private silent = false;

  constructor(
    private readonly world: KubeletWorld,
    private readonly machine: Machine,
    private readonly profile: FullNodeProfile,
    podPrefix: string,
  ) {
    const network = { hostIp: machine.privateIp || machine.publicIp, podPrefix };
    this.runtime = new PodRuntime(world.registry, world.podTimes, network);
  }

  get nodeName(): string {
    return this.machine.name;
  }

  boot(): void {
    if (!this.profile.joins) return;
    this.later(this.profile.joinAfterMs, () => this.register());
    if (this.profile.failsAfterMs !== undefined)
      this.later(this.profile.failsAfterMs, () => this.fallSilent());
  }

  /** Power off, or worse. The node controller notices after its grace. */
  fallSilent(): void {
    if (this.silent) return;
    this.halt();
    this.silent = true;
    if (this.node() !== undefined) this.later(this.world.silenceGraceMs, () => this.becomeUnknown());
  }

  /** Nothing that was to happen happens any more. */
  halt(): void {
    this.ready = false;
    for (const task of this.tasks) task.cancel();
    this.tasks.clear();
    this.runtime.halt();
  }

  podChanged(pod: Pod): void {
    if (this.ready) this.runtime.sync(pod);
  }

  podGone(pod: Pod): void {
    this.runtime.forget(pod.metadata.uid);
  }

  private later(delayMs: number, task: () => void): void {
    const scheduled = this.world.registry.clock.schedule(delayMs, () => {
      this.tasks.delete(scheduled);
      task();
    });
    this.tasks.add(scheduled);
  }

  private node(): Node | undefined {
    return this.world.registry.store.get(NODES, undefined, this.nodeName);
  }

  /** A node of this name that is there already is taken over: the machine was only off. */
  private register(): void {
    const { registry } = this.world;
    if (this.node() === undefined) {
      registry.create(NODES, nodeManifest(this.machine, this.profile, registry.now()), '');
    }
    this.createLease();
    if (this.profile.readyAfterMs !== null) this.later(this.profile.readyAfterMs, () => this.becomeReady());
  }

  private createLease(): void {
    const { registry, heartbeatMs } = this.world;
    if (heartbeatMs > 0) this.later(heartbeatMs, () => this.renewLease());
    if (registry.store.get(LEASES, 'kube-node-lease', this.nodeName) !== undefined) return;
    const renewTime = microTimestamp(registry.clock.now());
    const spec = { holderIdentity: this.nodeName, leaseDurationSeconds: 40, renewTime };
    registry.create(LEASES, { metadata: { name: this.nodeName }, spec }, 'kube-node-lease');
  }

  private renewLease(): void {
    const { registry, heartbeatMs } = this.world;
    registry.modify(LEASES, { namespace: 'kube-node-lease', name: this.nodeName }, (draft) => {
      draft['spec'] = { ...(draft['spec'] as object), renewTime: microTimestamp(registry.clock.now()) };
    });
    this.later(heartbeatMs, () => this.renewLease());
  }

  private becomeReady(): void {
    this.ready = true;
    if (this.profile.csiDrivers.length > 0) registerDrivers(this.world.registry, this.nodeName, this.profile);
    this.writeReady((now) => readyCondition(true, now));
    for (const pod of this.world.index.podsOn(this.nodeName)) this.runtime.sync(pod);
    if (Object.keys(this.profile.devices).length > 0)
      this.later(this.profile.devicesAfterMs, () => this.showDevices());
    if (this.profile.flaps !== undefined) this.later(this.profile.flaps.upMs, () => this.flap());
  }

  private flap(): void {
    this.writeReady((now) => readyCondition(false, now));
    this.later(this.profile.flaps!.downMs, () => this.becomeReady());
  }

  private becomeUnknown(): void {
    const message = 'Kubelet stopped posting node status.';
    this.writeReady((now) => ({
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message,
      lastHeartbeatTime: now,
    }));
  }

  private showDevices(): void {
    this.writeStatus((draft) => {
      draft.status!.capacity = { ...draft.status!.capacity, ...this.profile.devices };
      draft.status!.allocatable = { ...draft.status!.allocatable, ...this.profile.devices };
    });
  }

  private writeReady(condition: (now: string) => ReturnType<typeof readyCondition>): void {
    const now = this.world.registry.now();
    this.writeStatus((draft) => {
      draft.status!.conditions = withCondition(draft.status!.conditions, condition(now), now);
    });
  }

  private writeStatus(change: (draft: Draft<Node>) => void): void {
    const ref = { namespace: '', name: this.nodeName };
    this.world.registry.modifyStatus(NODES, ref, change);
  }
}
