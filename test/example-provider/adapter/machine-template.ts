import {
  ARCH_LABEL,
  HOSTNAME_LABEL,
  INSTANCE_TYPE_LABEL,
  OS_LABEL,
} from '../../../src/domain/kubernetes/labels.js';
import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import type { MachineTemplate } from '../../../src/domain/node-group/node-group.js';
import type { Size } from './records.js';
import type { Pool } from './tinycloud-configuration.js';

/** Label that Tinycloud's image puts on the node: the pool of its machine. */
export const POOL_LABEL = 'tinycloud.example/pool';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** What kernel and hypervisor of a Tinycloud machine keep: 5 % and 64 MiB, measured. */
const MEMORY_SHARE_LEFT = 0.95;
const MEMORY_KEPT_BYTES = 64 * MIB;
/** kubelet defaults: hard eviction below 100Mi of memory and 10 % of the disk. */
const EVICTION_BYTES = 100 * MIB;
const DISK_SHARE_LEFT = 0.9;
const PODS_MAX = 110;
/** Of Tinycloud's volume driver. */
const CSI_DRIVER = 'csi.tinycloud.example';
const VOLUMES_MAX = 8;

/**
 * A fresh node of the pool. Too much memory here is the classic mistake of a provider: the autoscaler buys a machine for
 * a pod that does not fit on it, and does so again.
 */
export function machineTemplate(pool: Pool, size: Size): MachineTemplate {
  const memory = Math.floor(size.memoryMib * MIB * MEMORY_SHARE_LEFT) - MEMORY_KEPT_BYTES;
  const disk = size.diskGib * GIB;
  const capacity = new Map([
    ['cpu', size.cpus * 1_000],
    ['memory', memory],
    ['ephemeral-storage', disk],
    ['pods', PODS_MAX],
  ]);
  const allocatable = new Map(capacity)
    .set('memory', memory - EVICTION_BYTES)
    .set('ephemeral-storage', Math.floor(disk * DISK_SHARE_LEFT));
  const name = `${pool.id}-template`;
  const labels = new Map([
    [HOSTNAME_LABEL, name],
    [INSTANCE_TYPE_LABEL, size.name],
    [ARCH_LABEL, 'amd64'],
    [OS_LABEL, 'linux'],
    [POOL_LABEL, pool.id],
  ]);
  return {
    node: {
      uid: '',
      name,
      providerId: '',
      labels,
      taints: [],
      unschedulable: false,
      capacity,
      allocatable,
      volumeLimits: new Map([[CSI_DRIVER, VOLUMES_MAX]]),
      conditions: { ...NO_CONDITIONS, ready: { status: 'True', reason: 'KubeletReady', changedMs: null } },
      declaredFeatures: [],
      createdMs: 0,
      scaleDownDisabled: null,
      delayDeletion: [],
      resourceVersion: '',
    },
    pricePerHour: size.pricePerHour,
  };
}
