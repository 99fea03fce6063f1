import type { Machine } from '../../world/machine.js';
import type { Condition } from '../objects/condition.js';
import type { Manifest } from '../objects/object.js';
import type { ResourceList, Taint } from '../objects/types.js';
import type { FullNodeProfile } from './node-profile.js';

export const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const NOT_READY = 'node.kubernetes.io/not-ready';
/** Share of the disk that the kubelet holds back: `nodefs.available<10%`. */
const DISK_HELD_BACK = 0.1;

/** The Node object with which a kubelet registers: unready, and tainted so that nothing is scheduled yet. */
export function nodeManifest(machine: Machine, profile: FullNodeProfile, now: string): Manifest {
  const { name, shape } = machine;
  const external: Taint = { key: UNINITIALIZED, value: 'true', effect: 'NoSchedule' };
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': shape.arch,
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': shape.arch,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...profile.labels,
      },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', ...profile.annotations },
    },
    spec: {
      ...(profile.providerId === '' ? {} : { providerID: profile.providerId }),
      taints: [
        ...profile.taints,
        ...(profile.cloudManaged ? [external] : []),
        { key: NOT_READY, effect: 'NoSchedule', timeAdded: now },
      ],
    },
    status: nodeStatus(machine, profile, now),
  };
}

function nodeStatus(machine: Machine, profile: FullNodeProfile, now: string): Record<string, unknown> {
  const capacity = capacityOf(machine, profile);
  return {
    capacity,
    allocatable: allocatableOf(machine, profile),
    conditions: [...pressureConditions(now), readyCondition(false, now)],
    addresses: [
      { type: 'InternalIP', address: machine.privateIp || machine.publicIp },
      { type: 'Hostname', address: machine.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      architecture: machine.shape.arch,
      bootID: '',
      containerRuntimeVersion: 'containerd://2.1.0',
      kernelVersion: '6.8.0',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.0',
      machineID: machine.providerId,
      operatingSystem: 'linux',
      osImage: 'Sandbox Linux',
      systemUUID: machine.providerId,
    },
  };
}

function capacityOf({ shape }: Machine, profile: FullNodeProfile): ResourceList {
  return {
    cpu: shape.cpuCores.toString(),
    memory: kibibytes(shape.memoryBytes),
    'ephemeral-storage': kibibytes(shape.diskBytes),
    pods: profile.podsMax.toString(),
  };
}

function allocatableOf({ shape }: Machine, { reserved, podsMax }: FullNodeProfile): ResourceList {
  return {
    cpu: `${shape.cpuCores * 1_000 - reserved.cpuMilli}m`,
    memory: kibibytes(shape.memoryBytes - reserved.memoryBytes),
    'ephemeral-storage': Math.floor(shape.diskBytes * (1 - DISK_HELD_BACK) - reserved.diskBytes).toString(),
    pods: podsMax.toString(),
  };
}

function kibibytes(bytes: number): string {
  return `${Math.floor(bytes / 1_024)}Ki`;
}

function pressureConditions(now: string): Condition[] {
  const calm = (type: string, reason: string, message: string): Condition => ({
    type,
    status: 'False',
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return [
    calm('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    calm('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    calm('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
  ];
}

export function readyCondition(ready: boolean, now: string): Condition {
  const common = { type: 'Ready', lastHeartbeatTime: now, lastTransitionTime: now };
  return ready
    ? { ...common, status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : {
        ...common,
        status: 'False',
        reason: 'KubeletNotReady',
        message: 'container runtime network not ready: NetworkReady=false',
      };
}
