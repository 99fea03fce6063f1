export { connectKubernetes, KubernetesConnection } from './connection/connect-kubernetes.js';
export type { KubernetesConnectionOptions } from './connection/connect-kubernetes.js';
export type { ClusterAddress } from './connection/cluster-address.js';
export { KubernetesClusterReader, KubernetesReaderOptions } from './kubernetes-cluster-reader.js';
export { KubernetesClusterWriter, KubernetesWriterOptions } from './kubernetes-cluster-writer.js';
export { LeaseLeaderLock, LeaseOptions } from './leadership/lease-leader-lock.js';
