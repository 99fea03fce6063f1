import type { Manifest } from '../../src/sandbox/kubernetes/index.js';

/** Objects as large as real ones: managedFields, probes, projected tokens, conditions, images. */

const CREATED = '2026-01-01T00:00:00Z';
const PODS_PER_WORKLOAD = 50;

function managedFields(entries: number): object[] {
  return Array.from({ length: entries }, (_, index) => ({
    manager: 'kube-controller-manager',
    operation: 'Update',
    apiVersion: 'v1',
    time: CREATED,
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(
      Array.from({ length: 9 }, (__, field) => [
        `f:field-${index}-${field}`,
        { '.': {}, 'f:value': {}, 'f:lastTransitionTime': {} },
      ]),
    ),
  }));
}

function condition(type: string, status = 'True'): object {
  return {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: CREATED,
    reason: `Reason${type}`,
    message: `state of ${type}`,
  };
}

function probe(path: string): object {
  return {
    httpGet: { path, port: 8080, scheme: 'HTTP' },
    initialDelaySeconds: 5,
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  };
}

/** Of a workload of 50; asks for `cpuMilli` and up to 70 more, and for 64 to 144 MiB. */
export function bulkyPod(serial: number, nodeName: string, cpuMilli = 50): Manifest {
  const workload = Math.floor(serial / PODS_PER_WORKLOAD);
  const name = `workload-${workload}-7d9c5b8f6-${serial.toString(36).padStart(5, '0')}`;
  const container = `registry.example.com/team-${workload % 40}/workload-${workload}:v1.${workload % 9}.${workload % 7}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `workload-${workload}-7d9c5b8f6-`,
      namespace: `team-${workload % 40}`,
      uid: `00000000-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`,
      resourceVersion: (serial + 100_000).toString(),
      creationTimestamp: CREATED,
      labels: { app: `workload-${workload}`, 'pod-template-hash': '7d9c5b8f6', tier: `t${workload % 5}` },
      annotations: { 'prometheus.io/scrape': 'true', 'checksum/config': 'c'.repeat(64) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `workload-${workload}-7d9c5b8f6`,
          uid: workloadUid(workload),
          controller: true,
        },
      ],
      managedFields: managedFields(3),
    },
    spec: {
      nodeName,
      schedulerName: 'default-scheduler',
      restartPolicy: 'Always',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      priority: 0,
      containers: [
        {
          name: 'app',
          image: container,
          env: Array.from({ length: 12 }, (_, index) => ({
            name: `SETTING_${index}`,
            value: `value of setting ${index}`,
          })),
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: {
            requests: { cpu: `${cpuMilli + 10 * (workload % 8)}m`, memory: `${64 + 16 * (workload % 6)}Mi` },
            limits: { memory: '512Mi' },
          },
          livenessProbe: probe('/healthz'),
          readinessProbe: probe('/readyz'),
          volumeMounts: [
            {
              name: `kube-api-access-${serial.toString(36)}`,
              readOnly: true,
              mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
            },
          ],
        },
      ],
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [
        {
          name: `kube-api-access-${serial.toString(36)}`,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            ],
          },
        },
      ],
    },
    status: {
      phase: 'Running',
      hostIP: '10.0.0.1',
      podIP: '10.244.0.1',
      qosClass: 'Burstable',
      startTime: CREATED,
      conditions: [
        'PodReadyToStartContainers',
        'Initialized',
        'Ready',
        'ContainersReady',
        'PodScheduled',
      ].map((type) => condition(type)),
      containerStatuses: [
        {
          name: 'app',
          image: container,
          imageID: `registry.example.com/app@sha256:${'a'.repeat(64)}`,
          containerID: `containerd://${'b'.repeat(64)}`,
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: CREATED } },
          lastState: {},
        },
      ],
    },
  } as unknown as Manifest;
}

export function bulkyReplicaSet(workload: number): Manifest {
  const name = `workload-${workload}-7d9c5b8f6`;
  const labels = { app: `workload-${workload}`, 'pod-template-hash': '7d9c5b8f6' };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: `team-${workload % 40}`,
      uid: workloadUid(workload),
      resourceVersion: '1',
      creationTimestamp: CREATED,
      labels,
    },
    spec: {
      replicas: PODS_PER_WORKLOAD,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [] } },
    },
    status: { replicas: PODS_PER_WORKLOAD },
  };
}

export function bulkyNode(name: string, providerID: string, pool: string): Manifest {
  const amounts = { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '300Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `node-${name}`,
      resourceVersion: '1',
      creationTimestamp: CREATED,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'cpx42',
        'topology.kubernetes.io/region': 'nbg1',
        'topology.kubernetes.io/zone': 'nbg1-dc3',
        'hcloud/node-group': pool,
      },
      managedFields: managedFields(3),
    },
    spec: { providerID, podCIDR: '10.244.0.0/24' },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        condition('MemoryPressure', 'False'),
        condition('DiskPressure', 'False'),
        condition('PIDPressure', 'False'),
        condition('Ready'),
      ],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
        { type: 'Hostname', address: name },
      ],
      images: Array.from({ length: 30 }, (_, index) => ({
        names: [`registry.example.com/image-${index}@sha256:${'d'.repeat(64)}`],
        sizeBytes: 100_000_000 + index,
      })),
      nodeInfo: {
        kubeletVersion: 'v1.36.2',
        osImage: 'Ubuntu 24.04',
        architecture: 'amd64',
        operatingSystem: 'linux',
      },
    },
  } as unknown as Manifest;
}

function workloadUid(workload: number): string {
  return `11111111-0000-4000-8000-${workload.toString(16).padStart(12, '0')}`;
}
