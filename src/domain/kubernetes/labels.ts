/**
 * Labels of one object. Adapters intern equal label sets, so that pods of one workload share one map;
 * nothing may depend on that identity for correctness, only for speed.
 */
export type Labels = ReadonlyMap<string, string>;

export const NO_LABELS: Labels = new Map<string, string>();

export const HOSTNAME_LABEL = 'kubernetes.io/hostname';
export const ZONE_LABEL = 'topology.kubernetes.io/zone';
export const REGION_LABEL = 'topology.kubernetes.io/region';
export const INSTANCE_TYPE_LABEL = 'node.kubernetes.io/instance-type';
export const ARCH_LABEL = 'kubernetes.io/arch';
export const OS_LABEL = 'kubernetes.io/os';
