import { projectPod } from '../../../src/adapters/kubernetes/projection/project-pod.js';
import { SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';
import { podJson } from './api-json.js';
import type { PodJsonOptions } from './api-json.js';

const T0 = Date.UTC(2026, 0, 1);

function project(options: PodJsonOptions = {}, name = 'web-1', shared = new SharedRecords()) {
  return projectPod(podJson(name, options), shared);
}

function pinnedTo(...names: string[]) {
  const terms = names.map((name) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  }));
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  };
}

describe('projectPod', () => {
  test('keeps what a decision needs', () => {
    const pod = project({
      metadata: { deletionTimestamp: '2026-01-01T00:05:00Z' },
      spec: { nodeName: 'node-1', priority: 0, priorityClassName: 'low', terminationGracePeriodSeconds: 0 },
      status: { phase: 'Running', startTime: '2026-01-01T00:00:07Z', nominatedNodeName: 'node-2' },
    });
    expect(pod).toEqual({
      uid: 'uid-web-1',
      namespace: 'default',
      name: 'web-1',
      labels: new Map([['app', 'web']]),
      shape: {
        id: 0,
        requests: new Map([
          ['cpu', 250],
          ['memory', 64 * 1024 * 1024],
        ]),
        hostPorts: [],
        tolerations: [],
        nodeSelector: new Map(),
        nodeAffinity: null,
        topologySpread: [],
        podAffinity: [],
        podAntiAffinity: [],
        volumes: [],
        owner: null,
        directives: {},
        priority: 0,
        priorityClassName: 'low',
        preemptionPolicy: null,
        schedulerName: 'default-scheduler',
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 0,
        hasResourceClaims: false,
        requiredFeatures: [],
      },
      nodeName: 'node-1',
      nominatedNodeName: 'node-2',
      pinnedNodeName: '',
      claims: [],
      phase: 'Running',
      scheduling: 'absent',
      schedulingChangedMs: null,
      createdMs: T0,
      deletionMs: T0 + 300_000,
      startedMs: T0 + 7_000,
      charged: null,
    });
  });

  test.each([
    // scheduling 4.1
    ['no condition', undefined, 'absent'],
    ['PodScheduled True', { status: 'True' }, 'scheduled'],
    ['False, Unschedulable', { status: 'False', reason: 'Unschedulable' }, 'unschedulable'],
    ['False without a reason', { status: 'False' }, 'false-without-reason'],
    ['False with an empty reason', { status: 'False', reason: '' }, 'false-without-reason'],
    ['gated', { status: 'False', reason: 'SchedulingGated' }, 'other'],
    ['unknown', { status: 'Unknown' }, 'other'],
  ])('reads the scheduling state: %s', (_what, condition, state) => {
    const conditions = condition === undefined ? [] : [{ type: 'PodScheduled', ...condition }];
    const pod = project({ status: { conditions: [{ type: 'Ready', status: 'False' }, ...conditions] } });
    expect(pod.scheduling).toBe(state);
  });

  test('a priority that is not given is not 0', () => {
    expect(project().shape.priority).toBeNull();
    expect(project({ spec: { priority: 0 } }).shape.priority).toBe(0);
  });

  test('only the controlling owner counts', () => {
    const [first, second] = ['a', 'b'].map((name) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      name,
      uid: name,
    }));
    const ownerReferences = [{ ...first }, { ...second, controller: true }];
    // scale-down 1.2
    expect(project({ metadata: { ownerReferences } }).shape.owner).toEqual(second);
    expect(project({ metadata: { ownerReferences: [first] } }).shape.owner).toBeNull();
  });

  test('reads the annotations that are obeyed, empty ones too', () => {
    const annotations = {
      'cluster-autoscaler.kubernetes.io/safe-to-evict': 'on-completion',
      'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': 'a,b',
      'cluster-autoscaler.kubernetes.io/daemonset-pod': 'true',
      'cluster-autoscaler.kubernetes.io/enable-ds-eviction': 'false',
      'cluster-autoscaler.kubernetes.io/pod-scale-up-delay': '30s',
      'kubernetes.io/config.mirror': '',
      'kubernetes.io/config.source': 'file',
      'example.com/other': 'x',
    };
    // scale-down 1.2, 1.3; interface 7.1
    expect(project({ metadata: { annotations } }).shape.directives).toEqual({
      safeToEvict: 'on-completion',
      safeToEvictLocalVolumes: 'a,b',
      daemonSetPod: 'true',
      daemonSetEviction: 'false',
      scaleUpDelay: '30s',
      mirror: '',
      configSource: 'file',
    });
  });

  test('keeps volumes that matter and the names of claims', () => {
    const volumes = [
      { name: 'host', hostPath: { path: '/x' } },
      { name: 'scratch', emptyDir: {} },
      { name: 'fast', emptyDir: { medium: 'Memory' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } },
      { name: 'tmp', ephemeral: { volumeClaimTemplate: {} } },
      { name: 'share', nfs: { server: 's' } },
      { name: 'kube-api-access-x7k2p', projected: { sources: [] } },
      { name: 'cfg', configMap: { name: 'c' } },
      { name: 'key', secret: { secretName: 's' } },
      { name: 'self', downwardAPI: {} },
    ];
    const pod = project({ spec: { volumes } });
    expect(pod.shape.volumes).toEqual([
      { name: 'host', kind: 'hostPath' },
      { name: 'scratch', kind: 'emptyDir' },
      { name: 'fast', kind: 'memoryEmptyDir' },
      { name: 'data', kind: 'claim' },
      { name: 'tmp', kind: 'ephemeral' },
      { name: 'share', kind: 'other' },
    ]);
    expect(pod.claims).toEqual(['data-web-1', 'web-1-tmp']);
  });

  test('tells a null selector from an empty one', () => {
    // scheduling 7.3 pitfall 1
    const term = { topologyKey: 'kubernetes.io/hostname' };
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          term,
          { ...term, labelSelector: {}, namespaceSelector: {}, namespaces: ['a'] },
        ],
      },
    };
    expect(project({ spec: { affinity } }).shape.podAntiAffinity).toEqual([
      { ...term, selector: null, namespaces: [], namespaceSelector: null },
      {
        ...term,
        selector: { matchLabels: new Map(), matchExpressions: [] },
        namespaces: ['a'],
        namespaceSelector: { matchLabels: new Map(), matchExpressions: [] },
      },
    ]);
  });

  test('keeps hard spread constraints with their defaults, and merges label keys', () => {
    // scheduling 3.10
    const spread = { topologyKey: 'zone', maxSkew: 2, labelSelector: { matchLabels: { app: 'web' } } };
    const topologySpreadConstraints = [
      { ...spread, whenUnsatisfiable: 'ScheduleAnyway' },
      { ...spread, whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app', 'absent'] },
    ];
    expect(project({ spec: { topologySpreadConstraints } }).shape.topologySpread).toEqual([
      {
        topologyKey: 'zone',
        maxSkew: 2,
        minDomains: null,
        selector: {
          matchLabels: new Map([['app', 'web']]),
          matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }],
        },
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Ignore',
      },
    ]);
  });

  test('required node affinity without terms is not the same as none', () => {
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
    };
    expect(project({ spec: { affinity } }).shape.nodeAffinity).toEqual({ terms: [] });
    expect(project({ spec: { affinity: { nodeAffinity: {} } } }).shape.nodeAffinity).toBeNull();
  });

  test('pods of one DaemonSet share a shape: the pin to the node is lifted out of it', () => {
    const shared = new SharedRecords();
    const [one, two] = ['node-1', 'node-2'].map((node) =>
      project(
        {
          spec: {
            affinity: pinnedTo(node),
            volumes: [{ name: `kube-api-access-${node}`, projected: {} }],
          },
        },
        `agent-${node}`,
        shared,
      ),
    );
    expect(one?.shape).toBe(two?.shape);
    expect(one?.labels).toBe(two?.labels);
    expect([one?.pinnedNodeName, two?.pinnedNodeName]).toEqual(['node-1', 'node-2']);
    expect(one?.shape.nodeAffinity).toBeNull();
  });

  test('a choice between two nodes stays node affinity', () => {
    const pod = project({ spec: { affinity: pinnedTo('node-1', 'node-2') } });
    expect(pod.pinnedNodeName).toBe('');
    expect(pod.shape.nodeAffinity?.terms).toHaveLength(2);
  });

  test('shares shapes between equal pods and tells different ones apart', () => {
    const shared = new SharedRecords();
    const one = project({}, 'a', shared);
    const same = project({ status: { phase: 'Running' }, spec: { nodeName: 'n' } }, 'b', shared);
    const other = project({ spec: { nodeSelector: { disk: 'ssd' } } }, 'c', shared);
    expect(same.shape).toBe(one.shape);
    expect(other.shape).not.toBe(one.shape);
  });

  test('charges what runs during an in-place resize', () => {
    // scheduling 1.2
    const resources = { requests: { cpu: '1', memory: '64Mi' } };
    const pod = project({ status: { containerStatuses: [{ name: 'main', resources }] } });
    expect(pod.shape.requests.get('cpu')).toBe(250);
    expect(pod.charged?.get('cpu')).toBe(1000);
  });

  test.each<[string, PodJsonOptions, RegExp]>([
    ['no uid', { metadata: { uid: null } }, /uid is missing/],
    [
      'a request that is no quantity',
      { spec: { containers: [{ resources: { requests: { cpu: 'x' } } }] } },
      /quantit/,
    ],
    ['a time that is none', { metadata: { creationTimestamp: 'yesterday' } }, /no time/],
  ])('refuses a pod with %s', (_what, options, problem) => {
    expect(() => project(options)).toThrow(problem);
  });

  test('refuses a pod without spec', () => {
    expect(() => projectPod({ metadata: { uid: 'u', name: 'n' } }, new SharedRecords())).toThrow(
      /spec is missing/,
    );
  });
});
