import type { Machine } from '../../../src/sandbox/world/index.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const SIZES = [
  { name: 'small', cpus: 2, memoryMib: 4096, diskGib: 40, pricePerHour: 0.01 },
  { name: 'large', cpus: 8, memoryMib: 16384, diskGib: 160, pricePerHour: 0.04 },
];

export interface MachineRecord {
  readonly id: string;
  readonly name: string;
  readonly size: string;
  readonly pool: string | null;
  readonly createdMs: number;
  status: 'booting' | 'running' | 'failed';
}

/** What a kubelet sees of it. */
export function hardwareOf({ id, name, size, pool }: MachineRecord): Machine {
  const { cpus, memoryMib, diskGib } = SIZES.find((known) => known.name === size)!;
  return {
    providerId: `tinycloud://${id}`,
    name,
    shape: {
      typeName: size,
      cpuCores: cpus,
      memoryBytes: memoryMib * MIB,
      diskBytes: diskGib * GIB,
      arch: 'amd64',
    },
    region: 'here',
    zone: 'here-1',
    labels: pool === null ? {} : { pool },
    userData: '',
    privateIp: '10.0.0.1',
    publicIp: '',
  };
}

/** Allocatable amounts of real nodes, as `kubectl get node -o yaml` showed them. */
export const RECORDED_ALLOCATABLE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  small: { cpu: 2_000, memory: 3_738 * MIB, 'ephemeral-storage': 36 * GIB, pods: 110 },
  large: { cpu: 8_000, memory: 15_412 * MIB, 'ephemeral-storage': 144 * GIB, pods: 110 },
};

/** The volume driver's own number. */
export const VOLUMES_MAX = 8;
