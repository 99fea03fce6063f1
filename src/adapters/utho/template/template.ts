import type { MachineTemplate } from '../../../domain/node-group/node-group.js';
import {
  ARCH_LABEL,
  HOSTNAME_LABEL,
  INSTANCE_TYPE_LABEL,
  OS_LABEL,
  REGION_LABEL,
  ZONE_LABEL,
} from '../../../domain/kubernetes/labels.js';
import { NO_CONDITIONS } from '../../../domain/kubernetes/node.js';
import type { NodeTemplateSettings, ReservedResources } from '../configuration/utho-configuration.js';
import { CLUSTER_ID_LABEL, DCSLUG_LABEL, NODE_ID_LABEL, POOL_ID_LABEL, VPC_LABEL } from '../labels.js';
import { TEMPLATE_PREFIX } from '../state/provider-id.js';
import type { MachineShape } from './machine-shape.js';

const MIB = 1024 ** 2;
/** Disks are sold in decimal gigabytes as far as anybody says; the smaller unit promises less. */
const GB = 1_000 ** 3;
const PODS_MAX = 110;
/**
 * Every UKE node runs kube-proxy, and the port's template is a node without pods. Where the engine sees no DaemonSet of
 * it, this much is kept.
 */
const KUBE_PROXY_MILLI = 100;
/** kubelet's own default: it evicts pods below that. */
const MEMORY_EVICTION_BYTES = 100 * MIB;
/** Price of a month of 730 hours, the usual count. */
const HOURS_PER_MONTH = 730;

export interface TemplateBasis {
  readonly poolId: string;
  readonly planId: string;
  readonly shape: MachineShape;
  readonly settings: NodeTemplateSettings | undefined;
  readonly reserved: ReservedResources;
  readonly clusterId: string;
  readonly dcslug: string;
  readonly vpc: string;
  /** Null: nodes of this cluster carry none. */
  readonly zone: string | null;
  /** A worker of the pool whose id the label `node_id` shows, where there is one. */
  readonly exampleId: string | undefined;
  /** The engine charges the node with kube-proxy. */
  readonly hasKubeProxySet: boolean;
}

/**
 * A fresh node of the pool (`utho` 4.8).
 *
 * differs from upstream: instance type, region and zone are those that real nodes carry, allocatable is below capacity,
 * and the zone is never an IP address (B40, B42).
 */
export function buildTemplate(basis: TemplateBasis): MachineTemplate {
  const { poolId, shape, reserved, settings } = basis;
  const name = `${poolId.toLowerCase()}-template`;
  const gpu: [string, number][] = settings?.gpu == null ? [] : [[settings.gpu.resource, settings.gpu.count]];
  const [cpu, memory] = [shape.cpu * 1_000, shape.ramMb * MIB];
  const disk = shape.diskGb * GB;
  const size = (cpuLess: number, memoryLess: number, diskLess: number): ReadonlyMap<string, number> =>
    new Map([
      ['cpu', Math.max(0, cpu - cpuLess)],
      ['memory', Math.max(0, memory - memoryLess)],
      ['pods', PODS_MAX],
      ...(disk > 0 ? [['ephemeral-storage', Math.max(0, disk - diskLess)] as const] : []),
      ...gpu,
    ]);
  return {
    node: {
      uid: '',
      name,
      providerId: `${TEMPLATE_PREFIX}${poolId}`,
      labels: templateLabels(name, basis),
      taints: settings?.taints ?? [],
      unschedulable: false,
      capacity: size(0, 0, 0),
      allocatable: size(
        reserved.cpuMilli + (basis.hasKubeProxySet ? 0 : KUBE_PROXY_MILLI),
        reserved.memoryBytes + MEMORY_EVICTION_BYTES,
        reserved.ephemeralStorageBytes,
      ),
      conditions: { ...NO_CONDITIONS, ready: { status: 'True', reason: 'KubeletReady', changedMs: null } },
      declaredFeatures: [],
      createdMs: 0,
      scaleDownDisabled: null,
      delayDeletion: [],
      resourceVersion: '',
    },
    pricePerHour: shape.pricePerMonth === undefined ? null : shape.pricePerMonth / HOURS_PER_MONTH,
  };
}

/** What the platform does not say is left out: a label that new nodes lack would promise a place that never comes. */
function templateLabels(name: string, basis: TemplateBasis): ReadonlyMap<string, string> {
  const said: readonly [string, string][] = [
    [OS_LABEL, 'linux'],
    [ARCH_LABEL, 'amd64'],
    [HOSTNAME_LABEL, name],
    [INSTANCE_TYPE_LABEL, basis.planId],
    [REGION_LABEL, basis.dcslug],
    [ZONE_LABEL, basis.zone ?? ''],
    [POOL_ID_LABEL, basis.poolId],
    [CLUSTER_ID_LABEL, basis.clusterId],
    [DCSLUG_LABEL, basis.dcslug],
    [VPC_LABEL, basis.vpc],
    [NODE_ID_LABEL, basis.exampleId ?? ''],
  ];
  return new Map([...said.filter(([, value]) => value !== ''), ...(basis.settings?.labels ?? [])]);
}
