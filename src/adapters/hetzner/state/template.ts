import type { MachineTemplate } from '../../../domain/node-group/node-group.js';
import { NO_CONDITIONS } from '../../../domain/kubernetes/node.js';
import {
  ARCH_LABEL,
  HOSTNAME_LABEL,
  INSTANCE_TYPE_LABEL,
  OS_LABEL,
  REGION_LABEL,
  ZONE_LABEL,
} from '../../../domain/kubernetes/labels.js';
import type {
  Architecture,
  MemoryOverhead,
  PoolConfiguration,
} from '../configuration/hetzner-configuration.js';
import type { ServerType } from '../client/records.js';
import { CSI_LOCATION_LABEL, POOL_LABEL } from '../labels.js';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
/** Zones as the cloud controller sets them: the old data centre names, the location's own name for newer ones. */
const ZONE_BY_LOCATION: Readonly<Record<string, string>> = {
  fsn1: 'fsn1-dc14',
  nbg1: 'nbg1-dc3',
  hel1: 'hel1-dc2',
  ash: 'ash-dc1',
  hil: 'hil-dc1',
  sin: 'sin-dc1',
};
/** `hetzner` 6.3: a little more than the measured 280 MiB of 4 GiB. */
const AUTO_OVERHEAD_BASE_BYTES = 160 * MIB;
const AUTO_OVERHEAD_BYTES_PER_GIB = 42 * MIB;
/** Lost to partition table and file system. */
const DISK_SHARE_LEFT = 0.95;
/** kubelet defaults: hard eviction below 100Mi of memory and 10 % of the disk. */
const MEMORY_EVICTION_BYTES = 100 * MIB;
const DISK_EVICTION_SHARE = 0.1;
const PODS_MAX = 110;

export interface TemplateSettings {
  readonly zoneLabelEnabled: boolean;
  readonly memoryOverhead: MemoryOverhead;
}

/**
 * A fresh node of the pool (`hetzner` 3.5).
 *
 * differs from upstream: memory and disk are what a real machine shows and not the advertised size, allocatable is
 * below capacity, and os, zone and beta labels are there (B22, B23).
 */
export function buildTemplate(
  pool: PoolConfiguration,
  type: ServerType & { readonly architecture: Architecture },
  settings: TemplateSettings,
): MachineTemplate {
  const name = `${pool.id}-${'0'.repeat(16)}`;
  const memory = Math.max(
    0,
    Math.floor(type.memoryGb * GIB - overheadBytes(type.memoryGb, settings.memoryOverhead)),
  );
  const disk = Math.floor(type.diskGb * GIB * DISK_SHARE_LEFT);
  const shared: readonly [string, number][] = [
    ['cpu', type.cores * 1_000],
    ['pods', PODS_MAX],
  ];
  return {
    node: {
      uid: '',
      name,
      providerId: '',
      labels: templateLabels(name, pool, type.architecture, settings.zoneLabelEnabled),
      taints: pool.taints,
      unschedulable: false,
      capacity: new Map([...shared, ['memory', memory], ['ephemeral-storage', disk]]),
      allocatable: new Map([
        ...shared,
        ['memory', Math.max(0, memory - MEMORY_EVICTION_BYTES)],
        ['ephemeral-storage', Math.floor(disk * (1 - DISK_EVICTION_SHARE))],
      ]),
      conditions: { ...NO_CONDITIONS, ready: { status: 'True', reason: 'KubeletReady', changedMs: null } },
      createdMs: 0,
      scaleDownDisabled: null,
      declaredFeatures: [],
      delayDeletion: [],
      resourceVersion: '',
    },
    pricePerHour: type.pricePerHour.get(pool.location) ?? null,
  };
}

function templateLabels(
  name: string,
  pool: PoolConfiguration,
  architecture: Architecture,
  withZone: boolean,
): ReadonlyMap<string, string> {
  const zone = ZONE_BY_LOCATION[pool.location] ?? pool.location;
  const zoneLabels: readonly [string, string][] = [
    [ZONE_LABEL, zone],
    ['failure-domain.beta.kubernetes.io/zone', zone],
  ];
  return new Map([
    [HOSTNAME_LABEL, name],
    [INSTANCE_TYPE_LABEL, pool.serverType],
    ['beta.kubernetes.io/instance-type', pool.serverType],
    [REGION_LABEL, pool.location],
    ['failure-domain.beta.kubernetes.io/region', pool.location],
    ...(withZone ? zoneLabels : []),
    [ARCH_LABEL, architecture],
    ['beta.kubernetes.io/arch', architecture],
    [OS_LABEL, 'linux'],
    ['beta.kubernetes.io/os', 'linux'],
    [CSI_LOCATION_LABEL, pool.location],
    ['instance.hetzner.cloud/provided-by', 'cloud'],
    [POOL_LABEL, pool.id],
    ...pool.labels,
  ]);
}

function overheadBytes(memoryGb: number, overhead: MemoryOverhead): number {
  switch (overhead.kind) {
    case 'none':
      return 0;
    case 'bytes':
      return overhead.bytes;
    case 'share':
      return memoryGb * GIB * overhead.share;
    case 'auto':
      return AUTO_OVERHEAD_BASE_BYTES + memoryGb * AUTO_OVERHEAD_BYTES_PER_GIB;
  }
}
