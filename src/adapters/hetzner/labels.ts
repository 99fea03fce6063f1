/** Label of a server (and of its node) that names its pool. */
export const POOL_LABEL = 'hcloud/node-group';
/** Label of a server that names the cluster it belongs to, where clusters share a project. */
export const CLUSTER_LABEL = 'hcloud/cluster';
/** Label that marks GPU nodes. */
export const GPU_LABEL = 'hcloud/gpu-node';
/** Topology key of the volume driver. */
export const CSI_LOCATION_LABEL = 'csi.hetzner.cloud/location';
