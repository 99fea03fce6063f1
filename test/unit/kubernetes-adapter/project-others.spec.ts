import { projectDaemonSet } from '../../../src/adapters/kubernetes/projection/project-daemon-set.js';
import { projectNamespace } from '../../../src/adapters/kubernetes/projection/project-namespace.js';
import { projectNode } from '../../../src/adapters/kubernetes/projection/project-node.js';
import {
  projectDisruptionBudget,
  projectWorkload,
} from '../../../src/adapters/kubernetes/projection/project-workload.js';
import { SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';

const T0 = Date.UTC(2026, 0, 1);
const metadata = { uid: 'u', name: 'n', namespace: 'default' };

describe('projectNamespace', () => {
  test('keeps the labels', () => {
    const shared = new SharedRecords();
    expect(projectNamespace({ metadata: { uid: 'u', name: 'a', labels: { team: 'red' } } }, shared)).toEqual({
      name: 'a',
      labels: new Map([['team', 'red']]),
    });
    expect(projectNamespace({ metadata: { uid: 'u', name: 'b' } }, shared)).toEqual({
      name: 'b',
      labels: new Map(),
    });
  });
});

describe('projectNode', () => {
  test('keeps what a decision needs', () => {
    const node = projectNode(
      {
        metadata: {
          uid: 'u',
          name: 'node-1',
          resourceVersion: '42',
          creationTimestamp: '2026-01-01T00:00:00Z',
          labels: { zone: 'fsn1' },
          annotations: {
            'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true',
            'delay-deletion.cluster-autoscaler.kubernetes.io/csi': '',
            other: 'x',
          },
        },
        spec: {
          providerID: 'hcloud://1',
          unschedulable: true,
          taints: [
            { key: 'a', effect: 'NoSchedule', value: 'v' },
            { key: 'b', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:01Z' },
          ],
        },
        status: {
          allocatable: { cpu: '3920m', memory: '7Gi', pods: '110', storage: '1' },
          capacity: { cpu: '4', memory: '8Gi', pods: '110' },
          declaredFeatures: ['UserNamespacesHostNetworkSupport'],
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              lastTransitionTime: '2026-01-01T00:01:00Z',
            },
            { type: 'PIDPressure', status: 'False' },
            { type: 'Suspended', status: 'True' },
          ],
        },
      },
      new SharedRecords(),
    );
    expect(node).toEqual({
      uid: 'u',
      name: 'node-1',
      providerId: 'hcloud://1',
      labels: new Map([['zone', 'fsn1']]),
      taints: [
        { key: 'a', value: 'v', effect: 'NoSchedule', timeAddedMs: null },
        { key: 'b', value: '', effect: 'NoExecute', timeAddedMs: T0 + 1_000 },
      ],
      unschedulable: true,
      declaredFeatures: ['UserNamespacesHostNetworkSupport'],
      allocatable: new Map([
        ['cpu', 3920],
        ['memory', 7 * 1024 ** 3],
        ['pods', 110],
      ]),
      capacity: new Map([
        ['cpu', 4000],
        ['memory', 8 * 1024 ** 3],
        ['pods', 110],
      ]),
      conditions: {
        ready: { status: 'True', reason: 'KubeletReady', changedMs: T0 + 60_000 },
        diskPressure: null,
        networkUnavailable: null,
        suspended: { status: 'True', reason: '', changedMs: null },
      },
      createdMs: T0,
      scaleDownDisabled: 'true',
      delayDeletion: ['delay-deletion.cluster-autoscaler.kubernetes.io/csi'],
      resourceVersion: '42',
    });
  });

  test('a node that has just registered lacks nearly everything', () => {
    const node = projectNode(
      { metadata: { uid: 'u', name: 'n' }, spec: {}, status: {} },
      new SharedRecords(),
    );
    expect(node).toMatchObject({ providerId: '', taints: [], unschedulable: false, createdMs: 0 });
    expect(node.allocatable.size).toBe(0);
  });

  test('nodes of one kind share their amounts', () => {
    const shared = new SharedRecords();
    const make = (name: string) =>
      projectNode({ metadata: { uid: name, name }, status: { allocatable: { cpu: '4' } } }, shared);
    expect(make('a').allocatable).toBe(make('b').allocatable);
  });
});

describe('projectDaemonSet', () => {
  const template = {
    metadata: {
      labels: { app: 'agent' },
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
    },
    spec: {
      containers: [{ name: 'c', resources: { limits: { cpu: '200m' } }, ports: [{ containerPort: 9100 }] }],
      hostNetwork: true,
      tolerations: [{ key: 'mine', operator: 'Exists' }],
    },
  };

  test('makes the pod that the controller and the API server would make', () => {
    const { daemonSet, workload } = projectDaemonSet({ metadata, spec: { template } }, new SharedRecords());
    expect(workload).toEqual({ ...metadata, kind: 'DaemonSet', replicas: 0, terminating: false });
    expect(daemonSet.pod).toMatchObject({
      name: '',
      nodeName: '',
      namespace: 'default',
      scheduling: 'absent',
    });
    const { shape } = daemonSet.pod;
    // scheduling 1.3: limits count as requests, ports of the host's network are ports of the host
    expect(shape.requests.get('cpu')).toBe(200);
    expect(shape.hostPorts).toEqual([{ hostIp: '0.0.0.0', protocol: 'TCP', port: 9100 }]);
    expect(shape.owner).toEqual({ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'n', uid: 'u' });
    expect(shape.directives).toEqual({ safeToEvict: 'true' });
    // scheduling 4.4, item 5
    expect(shape.tolerations.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'mine:',
      'node.kubernetes.io/not-ready:NoExecute',
      'node.kubernetes.io/unreachable:NoExecute',
      'node.kubernetes.io/disk-pressure:NoSchedule',
      'node.kubernetes.io/memory-pressure:NoSchedule',
      'node.kubernetes.io/pid-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
      'node.kubernetes.io/network-unavailable:NoSchedule',
    ]);
  });

  test('refuses one without a template', () => {
    expect(() => projectDaemonSet({ metadata, spec: {} }, new SharedRecords())).toThrow(/template/);
  });
});

describe('projectWorkload', () => {
  test.each([
    ['ReplicaSet', { replicas: 3 }, 3],
    ['ReplicaSet', { replicas: 0 }, 0],
    ['StatefulSet', {}, 1],
    ['Job', { parallelism: 4, replicas: 9 }, 4],
    ['Job', {}, 1],
  ] as const)('%s %j has %d replicas', (kind, spec, replicas) => {
    expect(projectWorkload(kind, { metadata, spec }, new SharedRecords()).replicas).toBe(replicas);
  });

  // scale-down 13.1/19
  test.each([
    [{ parallelism: 3, completions: 3 }, 2, 1],
    [{ parallelism: 3, completions: 9 }, 2, 3],
    [{ completions: 3 }, 1, 1],
    [{ parallelism: 3, completions: 3 }, 4, 0],
    [{ parallelism: 3 }, 5, 3],
  ])('a Job of %j that has succeeded %d times wants %d pods', (spec, succeeded, wanted) => {
    const object = { metadata, spec, status: { succeeded } };
    expect(projectWorkload('Job', object, new SharedRecords()).replicas).toBe(wanted);
  });

  test('knows that it is being deleted', () => {
    const object = { metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(projectWorkload('Job', object, new SharedRecords()).terminating).toBe(true);
  });
});

describe('projectDisruptionBudget', () => {
  test.each([
    ['no selector', undefined, null],
    ['an empty one', {}, { matchLabels: new Map(), matchExpressions: [] }],
  ])('%s', (_what, selector, projected) => {
    const budget = { metadata, spec: selector === undefined ? {} : { selector } };
    expect(projectDisruptionBudget(budget, new SharedRecords()).selector).toEqual(projected);
  });

  test('keeps its numbers', () => {
    const budget = {
      metadata,
      spec: { selector: { matchLabels: { a: 'b' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      status: { disruptionsAllowed: 2, disruptedPods: { 'web-1': '2026-01-01T00:00:00Z' } },
    };
    expect(projectDisruptionBudget(budget, new SharedRecords())).toEqual({
      namespace: 'default',
      name: 'n',
      selector: { matchLabels: new Map([['a', 'b']]), matchExpressions: [] },
      disruptionsAllowed: 2,
      disruptedPods: ['web-1'],
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
  });
});
