import type { MessageTable } from './message-table.js';

/** Pods and their templates, of `core/v1`. What is rare is left out. */
export const POD_MESSAGES: MessageTable = {
  PodTemplateSpec: '1 metadata ObjectMeta, 2 spec PodSpec',
  Pod: '1 metadata ObjectMeta, 2 spec PodSpec, 3 status -',
  PodSpec:
    '1 volumes [Volume], 2 containers [Container], 3 restartPolicy s, ' +
    '4 terminationGracePeriodSeconds i?, 5 activeDeadlineSeconds i?, 6 dnsPolicy s, ' +
    '7 nodeSelector {s}, 8 serviceAccountName s, 9 serviceAccount s, 10 nodeName s, 11 hostNetwork b, ' +
    '12 hostPID b, 13 hostIPC b, 14 securityContext PodSecurityContext?, ' +
    '15 imagePullSecrets [LocalObjectReference], 16 hostname s, 17 subdomain s, 18 affinity Affinity?, ' +
    '19 schedulerName s, 20 initContainers [Container], 21 automountServiceAccountToken b?, ' +
    '22 tolerations [Toleration], 24 priorityClassName s, 25 priority i?, 27 shareProcessNamespace b?, ' +
    '29 runtimeClassName s?, 30 enableServiceLinks b?, 31 preemptionPolicy s?, 32 overhead {Q}, ' +
    '33 topologySpreadConstraints [TopologySpreadConstraint], 35 setHostnameAsFQDN b?, ' +
    '37 hostUsers b?, 38 schedulingGates [PodSchedulingGate], 40 resources ResourceRequirements?, ' +
    '41 hostnameOverride s?',
  Volume: '1 name s, 2 ... VolumeSource',
  Container:
    '1 name s, 2 image s, 3 command [s], 4 args [s], 5 workingDir s, 6 ports [ContainerPort], ' +
    '7 env [EnvVar], 8 resources ResourceRequirements, 9 volumeMounts [VolumeMount], ' +
    '10 livenessProbe Probe?, 11 readinessProbe Probe?, 13 terminationMessagePath s, ' +
    '14 imagePullPolicy s, 15 securityContext SecurityContext?, 16 stdin b, 17 stdinOnce b, 18 tty b, ' +
    '19 envFrom [EnvFromSource], 20 terminationMessagePolicy s, 22 startupProbe Probe?, ' +
    '24 restartPolicy s?',
  PodSecurityContext:
    '2 runAsUser i?, 3 runAsNonRoot b?, 4 supplementalGroups [i], 5 fsGroup i?, 6 runAsGroup i?, ' +
    '9 fsGroupChangePolicy s?, 10 seccompProfile SeccompProfile?, 12 supplementalGroupsPolicy s?, ' +
    '13 seLinuxChangePolicy s?',
  LocalObjectReference: '1 name s',
  Affinity: '1 nodeAffinity NodeAffinity?, 2 podAffinity PodAffinity?, 3 podAntiAffinity PodAntiAffinity?',
  Toleration: '1 key s, 2 operator s, 3 value s, 4 effect s, 5 tolerationSeconds i?',
  TopologySpreadConstraint:
    '1 maxSkew i, 2 topologyKey s, 3 whenUnsatisfiable s, 4 labelSelector LabelSelector?, ' +
    '5 minDomains i?, 6 nodeAffinityPolicy s?, 7 nodeTaintsPolicy s?, 8 matchLabelKeys [s]',
  PodSchedulingGate: '1 name s',
  ResourceRequirements: '1 limits {Q}, 2 requests {Q}',
  VolumeSource:
    '1 hostPath HostPathVolumeSource?, 2 emptyDir EmptyDirVolumeSource?, 6 secret SecretVolumeSource?, ' +
    '10 persistentVolumeClaim PersistentVolumeClaimVolumeSource?, 19 configMap ConfigMapVolumeSource?',
  ContainerPort: '1 name s, 2 hostPort i, 3 containerPort i, 4 protocol s, 5 hostIP s',
  EnvVar: '1 name s, 2 value s, 3 valueFrom EnvVarSource?',
  VolumeMount:
    '1 name s, 2 readOnly b, 3 mountPath s, 4 subPath s, 5 mountPropagation s?, 6 subPathExpr s, ' +
    '7 recursiveReadOnly s?',
  Probe:
    '1 ... ProbeHandler, 2 initialDelaySeconds i, 3 timeoutSeconds i, 4 periodSeconds i, ' +
    '5 successThreshold i, 6 failureThreshold i, 7 terminationGracePeriodSeconds i?',
  SecurityContext:
    '1 capabilities Capabilities?, 2 privileged b?, 4 runAsUser i?, 5 runAsNonRoot b?, ' +
    '6 readOnlyRootFilesystem b?, 7 allowPrivilegeEscalation b?, 8 runAsGroup i?, 9 procMount s?, ' +
    '11 seccompProfile SeccompProfile?',
  EnvFromSource: '1 prefix s, 2 configMapRef ConfigMapEnvSource?, 3 secretRef SecretEnvSource?',
  SeccompProfile: '1 type s, 2 localhostProfile s?',
  NodeAffinity:
    '1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector?, ' +
    '2 preferredDuringSchedulingIgnoredDuringExecution [PreferredSchedulingTerm]',
  PodAffinity:
    '1 requiredDuringSchedulingIgnoredDuringExecution [PodAffinityTerm], ' +
    '2 preferredDuringSchedulingIgnoredDuringExecution [WeightedPodAffinityTerm]',
  PodAntiAffinity:
    '1 requiredDuringSchedulingIgnoredDuringExecution [PodAffinityTerm], ' +
    '2 preferredDuringSchedulingIgnoredDuringExecution [WeightedPodAffinityTerm]',
  HostPathVolumeSource: '1 path s, 2 type s?',
  EmptyDirVolumeSource: '1 medium s, 2 sizeLimit Q',
  SecretVolumeSource: '1 secretName s, 2 items [KeyToPath], 3 defaultMode i?, 4 optional b?',
  PersistentVolumeClaimVolumeSource: '1 claimName s, 2 readOnly b',
  ConfigMapVolumeSource: '1 ... LocalObjectReference, 2 items [KeyToPath], 3 defaultMode i?, 4 optional b?',
  EnvVarSource:
    '1 fieldRef ObjectFieldSelector?, 2 resourceFieldRef ResourceFieldSelector?, ' +
    '3 configMapKeyRef ConfigMapKeySelector?, 4 secretKeyRef SecretKeySelector?',
  ProbeHandler:
    '1 exec ExecAction?, 2 httpGet HTTPGetAction?, 3 tcpSocket TCPSocketAction?, 4 grpc GRPCAction?',
  Capabilities: '1 add [s], 2 drop [s]',
  ConfigMapEnvSource: '1 ... LocalObjectReference, 2 optional b?',
  SecretEnvSource: '1 ... LocalObjectReference, 2 optional b?',
  NodeSelector: '1 nodeSelectorTerms [NodeSelectorTerm]',
  PreferredSchedulingTerm: '1 weight i, 2 preference NodeSelectorTerm',
  PodAffinityTerm:
    '1 labelSelector LabelSelector?, 2 namespaces [s], 3 topologyKey s, ' +
    '4 namespaceSelector LabelSelector?, 5 matchLabelKeys [s], 6 mismatchLabelKeys [s]',
  WeightedPodAffinityTerm: '1 weight i, 2 podAffinityTerm PodAffinityTerm',
  KeyToPath: '1 key s, 2 path s, 3 mode i?',
  ObjectFieldSelector: '1 apiVersion s, 2 fieldPath s',
  ResourceFieldSelector: '1 containerName s, 2 resource s, 3 divisor Q',
  ConfigMapKeySelector: '1 ... LocalObjectReference, 2 key s, 3 optional b?',
  SecretKeySelector: '1 ... LocalObjectReference, 2 key s, 3 optional b?',
  ExecAction: '1 command [s]',
  HTTPGetAction: '1 path s, 2 port N, 3 host s, 4 scheme s, 5 httpHeaders [HTTPHeader]',
  TCPSocketAction: '1 port N, 2 host s',
  GRPCAction: '1 port i, 2 service s?',
  NodeSelectorTerm: '1 matchExpressions [NodeSelectorRequirement], 2 matchFields [NodeSelectorRequirement]',
  HTTPHeader: '1 name s, 2 value s',
  NodeSelectorRequirement: '1 key s, 2 operator s, 3 values [s]',
};
