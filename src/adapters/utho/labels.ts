/** Labels that Utho and its cloud controller put on nodes (`utho` 2). */
export const NODE_ID_LABEL = 'node_id';
export const CLUSTER_ID_LABEL = 'cluster_id';
export const POOL_ID_LABEL = 'nodepool_id';
export const POOL_NAME_LABEL = 'nodepool';
export const DCSLUG_LABEL = 'cluster_dcslug';
export const VPC_LABEL = 'cluster_vpc';

/** Utho marks GPU nodes by no label; this one never occurs. */
export const GPU_LABEL = 'cluster-autoscaler.utho/gpu';
