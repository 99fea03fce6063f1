/** Hardware of a machine, as sold. */
export interface MachineShape {
  readonly typeName: string;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly arch: 'amd64' | 'arm64';
}

/** A machine that a cloud of the world sold. The cloud owns it; kubelets only look at it. */
export interface Machine {
  readonly providerId: string;
  /** Host name, and the name of its node. */
  readonly name: string;
  readonly shape: MachineShape;
  readonly region: string;
  /** Empty: the cloud's controller tells none. */
  readonly zone: string;
  /** Labels that the cloud keeps on the machine. */
  readonly labels: Readonly<Record<string, string>>;
  readonly userData: string;
  readonly privateIp: string;
  readonly publicIp: string;
}

export interface FleetListener {
  /** Power came on; the kubelet boots from here. */
  poweredOn(machine: Machine): void;
  poweredOff(machine: Machine): void;
  /** It is gone for good. */
  removed(machine: Machine): void;
}

/** Where clouds announce machines and kubelets hear of them. The only thing that both sides share. */
export class MachineFleet {
  private readonly machines = new Map<string, Machine>();
  private readonly listeners: FleetListener[] = [];

  listen(listener: FleetListener): void {
    this.listeners.push(listener);
  }

  /** All machines with power, by provider id. */
  running(): readonly Machine[] {
    return [...this.machines.values()];
  }

  isRunning(providerId: string): boolean {
    return this.machines.has(providerId);
  }

  powerOn(machine: Machine): void {
    if (this.machines.has(machine.providerId)) return;
    this.machines.set(machine.providerId, machine);
    for (const listener of this.listeners) listener.poweredOn(machine);
  }

  powerOff(machine: Machine): void {
    if (!this.machines.delete(machine.providerId)) return;
    for (const listener of this.listeners) listener.poweredOff(machine);
  }

  remove(machine: Machine): void {
    this.machines.delete(machine.providerId);
    for (const listener of this.listeners) listener.removed(machine);
  }
}
