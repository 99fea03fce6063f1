import { projectPod } from '../../../src/adapters/kubernetes/projection/project-pod.js';
import { SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';
import { classifyPods, relevantLabelKeys } from '../../../src/domain/simulation/index.js';
import { podJson } from '../kubernetes-adapter/api-json.js';
import type { PodJsonOptions } from '../kubernetes-adapter/api-json.js';

const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true };

/** Sizes of the classes of pods of one ReplicaSet, as the API server has them. */
function classesOf(...pods: readonly PodJsonOptions[]): readonly number[] {
  const shared = new SharedRecords();
  const records = pods.map((options, index) =>
    projectPod(
      podJson(`p${index}`, { ...options, metadata: { ownerReferences: [OWNER], ...options.metadata } }),
      shared,
    ),
  );
  const { classes } = classifyPods(records, relevantLabelKeys(records, []));
  return classes.map(({ pods: members }) => members.length);
}

const container = (fields: object = {}) => ({
  name: 'main',
  resources: { requests: { cpu: '100m' } },
  ...fields,
});
const token = (name: string) => ({
  name,
  projected: { sources: [{ serviceAccountToken: { path: 'token' } }] },
});

// scale-up 14/95
describe('pods of one controller are one class', () => {
  it.each<[string, PodJsonOptions, PodJsonOptions]>([
    [
      'projected token volumes',
      { spec: { volumes: [token('kube-api-access-1')] } },
      { spec: { volumes: [token('kube-api-access-2')] } },
    ],
    [
      'environment',
      { spec: { containers: [container({ env: [{ name: 'ID', value: '1' }] })] } },
      { spec: { containers: [container({ env: [{ name: 'ID', value: '2' }] })] } },
    ],
    ['host names', { spec: { hostname: 'a' } }, { spec: { hostname: 'b' } }],
    [
      // differs from upstream, where these are two: no filter reads them.
      'labels that no rule reads',
      { metadata: { labels: { index: '1' } } },
      { metadata: { labels: { index: '2' } } },
    ],
  ])('whatever their %s', (_what, one, other) => {
    expect(classesOf(one, other)).toEqual([2]);
  });

  it('but for labels that a rule of one of them reads', () => {
    const labelSelector = { matchLabels: { index: '1' } };
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
    ];
    const pod = (index: string): PodJsonOptions => ({
      metadata: { labels: { index } },
      spec: { topologySpreadConstraints },
    });
    expect(classesOf(pod('1'), pod('2'))).toEqual([1, 1]);
  });
});
