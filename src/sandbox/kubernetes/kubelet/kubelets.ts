import { nodeNameOf } from '../controllers/pods.js';
import { PODS } from '../objects/kinds.js';
import type { StoreEvent } from '../store/collection.js';
import type { Pod } from '../objects/types.js';
import type { FleetListener, Machine, MachineFleet } from '../../world/machine.js';
import { Kubelet } from './kubelet.js';
import type { KubeletWorld } from './kubelet.js';
import { fullProfile } from './node-profile.js';
import type { NodeProfileOf } from './node-profile.js';

/** All kubelets: one for every machine that has power. */
export class Kubelets implements FleetListener {
  private readonly byProviderId = new Map<string, Kubelet>();
  private readonly byNode = new Map<string, Kubelet>();
  private unsubscribe: (() => void) | null = null;
  private booted = 0;

  constructor(
    private readonly world: KubeletWorld,
    private readonly profileOf: NodeProfileOf,
  ) {}

  /** Boots what runs already, and what is switched on from here on. */
  start(fleet: MachineFleet): void {
    this.unsubscribe = this.world.registry.store.collection(PODS).listen((event) => this.route(event));
    for (const machine of fleet.running()) this.poweredOn(machine);
  }

  stop(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
    for (const kubelet of this.byProviderId.values()) kubelet.halt();
    this.byProviderId.clear();
    this.byNode.clear();
  }

  poweredOn(machine: Machine): void {
    if (this.unsubscribe === null) return;
    this.byProviderId.get(machine.providerId)?.halt();
    const index = this.booted++;
    const podPrefix = `10.${244 + (index >>> 8)}.${index & 255}`;
    const kubelet = new Kubelet(this.world, machine, fullProfile(this.profileOf(machine)), podPrefix);
    this.byProviderId.set(machine.providerId, kubelet);
    this.byNode.set(machine.name, kubelet);
    kubelet.boot();
  }

  poweredOff(machine: Machine): void {
    this.byProviderId.get(machine.providerId)?.fallSilent();
  }

  removed(machine: Machine): void {
    const kubelet = this.byProviderId.get(machine.providerId);
    kubelet?.fallSilent();
    this.byProviderId.delete(machine.providerId);
    if (this.byNode.get(machine.name) === kubelet) this.byNode.delete(machine.name);
  }

  private route({ type, current }: StoreEvent<Pod>): void {
    const kubelet = this.byNode.get(nodeNameOf(current.object));
    if (type === 'DELETED') kubelet?.podGone(current.object);
    else kubelet?.podChanged(current.object);
  }
}
