import type { HetznerCloud } from '../../hetzner/index.js';
import type { MachineShape } from '../../world/index.js';
import type { GroupDocument } from '../format/world-shape.js';

export const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** What the kubelet of the world holds back of memory, and of the disk. */
const MEMORY_HELD_BACK_GIB = (100 * MIB) / GIB;
const DISK_HELD_BACK = 0.1;
/** What a file system leaves of a disk, as templates reckon. */
const DISK_SHARE_LEFT = 0.95;
const DISK_GIB_DEFAULT = 100;
const LOCATION_DEFAULT = 'fsn1';

/** The machines of one group. */
export interface GroupMachines {
  readonly typeName: string;
  readonly location: string;
  /** Of each node. */
  readonly allocatable: { readonly cpu: number; readonly mem: number };
  /** Bytes of disk that its kubelets hold back beside their usual share, so that a node is like its template. */
  readonly diskHeldBackBytes: number;
}

/**
 * Puts the machine type of a group on sale: made to measure, so that the allocatable amounts of its nodes are exactly
 * those of the story, and the program's template of an empty group says the same.
 */
export function sellMachinesOf(cloud: HetznerCloud, group: GroupDocument): GroupMachines {
  const location = group.location ?? group.zone ?? LOCATION_DEFAULT;
  if (group.zone !== undefined) cloud.addLocation(location);
  if (group.type !== undefined) {
    const { cores, memoryGb, diskGb } = cloud.typeOnSale(group.type) ?? { cores: 0, memoryGb: 0, diskGb: 0 };
    const mem = memoryGb - MEMORY_HELD_BACK_GIB;
    const diskHeldBackBytes = diskGb * GIB * (1 - DISK_SHARE_LEFT) * (1 - DISK_HELD_BACK);
    return { typeName: group.type, location, allocatable: { cpu: cores, mem }, diskHeldBackBytes };
  }
  const { id, cpu = 0, mem = 0, disk = DISK_GIB_DEFAULT, price } = group;
  const typeName = typeNameFor(id);
  const diskGb = disk / DISK_SHARE_LEFT / (1 - DISK_HELD_BACK);
  cloud.addServerType({
    ...{ name: typeName, cores: cpu, memoryGb: mem + MEMORY_HELD_BACK_GIB, diskGb, locations: [location] },
    ...(price !== undefined && { hourlyEur: price }),
  });
  const diskHeldBackBytes = diskGb * GIB * (1 - DISK_SHARE_LEFT) * (1 - DISK_HELD_BACK);
  return { typeName, location, allocatable: { cpu, mem }, diskHeldBackBytes };
}

/** A machine of no cloud whose node has these allocatable amounts. */
export function foreignShape(cpu: number, mem: number): MachineShape {
  const memoryBytes = Math.round((mem + MEMORY_HELD_BACK_GIB) * GIB);
  return {
    typeName: 'foreign',
    cpuCores: cpu,
    memoryBytes,
    diskBytes: DISK_GIB_DEFAULT * GIB,
    arch: 'amd64',
  };
}

/** Names of types have no dots. */
export function typeNameFor(groupId: string): string {
  return `${groupId.toLowerCase().replace(/[^\w-]/gu, '-')}-machine`;
}
