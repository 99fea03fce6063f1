import type { MessageTable } from './message-table.js';

/** The rest of `core/v1`, as far as clients write it. */
export const CORE_MESSAGES: MessageTable = {
  Node: '1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus',
  Namespace: '1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus',
  ConfigMap: '1 metadata ObjectMeta, 2 data {s}, 3 binaryData {y}, 4 immutable b?',
  Secret: '1 metadata ObjectMeta, 2 data {y}, 3 type s, 4 stringData {s}, 5 immutable b?',
  ServiceAccount:
    '1 metadata ObjectMeta, 2 secrets [ObjectReference], 3 imagePullSecrets [LocalObjectReference], ' +
    '4 automountServiceAccountToken b?',
  Event:
    '1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason s, 4 message s, ' +
    '5 source EventSource, 6 firstTimestamp T, 7 lastTimestamp T, 8 count i, 9 type s, 10 eventTime M, ' +
    '11 series EventSeries?, 12 action s, 13 related ObjectReference?, 14 reportingComponent s, ' +
    '15 reportingInstance s',
  Service: '1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status -',
  ResourceQuota: '1 metadata ObjectMeta, 2 spec ResourceQuotaSpec, 3 status -',
  NodeSpec:
    '1 podCIDR s, 2 externalID s, 3 providerID s, 4 unschedulable b, 5 taints [Taint], 7 podCIDRs [s]',
  NodeStatus:
    '1 capacity {Q}, 2 allocatable {Q}, 3 phase s, 4 conditions [NodeCondition], ' +
    '5 addresses [NodeAddress], 6 daemonEndpoints NodeDaemonEndpoints, 7 nodeInfo NodeSystemInfo, ' +
    '8 images [ContainerImage], 9 volumesInUse [s], 10 volumesAttached [AttachedVolume], ' +
    '12 runtimeHandlers [NodeRuntimeHandler], 13 features NodeFeatures?',
  NamespaceSpec: '1 finalizers [s]',
  NamespaceStatus: '1 phase s',
  ObjectReference:
    '1 kind s, 2 namespace s, 3 name s, 4 uid s, 5 apiVersion s, 6 resourceVersion s, 7 fieldPath s',
  EventSource: '1 component s, 2 host s',
  EventSeries: '1 count i, 2 lastObservedTime M',
  ServiceSpec:
    '1 ports [ServicePort], 2 selector {s}, 3 clusterIP s, 4 type s, 5 externalIPs [s], ' +
    '7 sessionAffinity s, 8 loadBalancerIP s, 9 loadBalancerSourceRanges [s], 10 externalName s, ' +
    '11 externalTrafficPolicy s, 12 healthCheckNodePort i, 13 publishNotReadyAddresses b, ' +
    '17 ipFamilyPolicy s?, 18 clusterIPs [s], 19 ipFamilies [s], 20 allocateLoadBalancerNodePorts b?, ' +
    '21 loadBalancerClass s?, 22 internalTrafficPolicy s?, 23 trafficDistribution s?',
  ResourceQuotaSpec: '1 hard {Q}, 2 scopes [s]',
  Taint: '1 key s, 2 value s, 3 effect s, 4 timeAdded T',
  NodeCondition:
    '1 type s, 2 status s, 3 lastHeartbeatTime T, 4 lastTransitionTime T, 5 reason s, 6 message s',
  NodeAddress: '1 type s, 2 address s',
  NodeDaemonEndpoints: '1 kubeletEndpoint DaemonEndpoint',
  NodeSystemInfo:
    '1 machineID s, 2 systemUUID s, 3 bootID s, 4 kernelVersion s, 5 osImage s, ' +
    '6 containerRuntimeVersion s, 7 kubeletVersion s, 8 kubeProxyVersion s, 9 operatingSystem s, ' +
    '10 architecture s, 11 swap NodeSwapStatus?',
  ContainerImage: '1 names [s], 2 sizeBytes i',
  AttachedVolume: '1 name s, 2 devicePath s',
  NodeRuntimeHandler: '1 name s, 2 features NodeRuntimeHandlerFeatures?',
  NodeFeatures: '1 supplementalGroupsPolicy b?',
  ServicePort: '1 name s, 2 protocol s, 3 port i, 4 targetPort N, 5 nodePort i, 6 appProtocol s?',
  DaemonEndpoint: '1 Port i',
  NodeSwapStatus: '1 capacity i?',
  NodeRuntimeHandlerFeatures: '1 recursiveReadOnlyMounts b?, 2 userNamespaces b?',
};
