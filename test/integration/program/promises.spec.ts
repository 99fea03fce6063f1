import { namespaceLabels } from '../../../src/domain/kubernetes/namespace.js';
import { copyOfTemplate } from '../../../src/domain/node-group/template-copy.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import { projectNode } from '../../../src/adapters/kubernetes/projection/project-node.js';
import { projectPod } from '../../../src/adapters/kubernetes/projection/project-pod.js';
import { SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';
import type { Node, Pod } from '../../../src/sandbox/kubernetes/index.js';
import { draftOf } from '../../../src/sandbox/kubernetes/objects/object.js';
import { applyPodDefaults } from '../../../src/sandbox/kubernetes/registry/pod-defaults.js';
import { SchedulingView } from '../../../src/sandbox/kubernetes/scheduler/scheduling-view.js';
import { SeededRandom } from '../../../src/sandbox/world/index.js';

/**
 * One cluster seen twice: by the autoscaler through its adapter, and by the sandbox's scheduler through its own reading
 * of the same objects. Pod after pod both are asked about every node; where they differ, a promise would not be kept.
 */

const PODS = 2_000;
const ZONES = ['a', 'b', 'c'];
const SEED = 11;

class Draw {
  private readonly random = new SeededRandom(SEED);

  below(limit: number): number {
    return Math.floor(this.random.next() * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

function nodeJson(name: string, zone: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone },
    },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '30' } },
  };
}

/** One of forty apps with a rule of its own, or none. */
function specOf(app: number, draw: Draw): Readonly<Record<string, unknown>> {
  const key = app % 3 === 0 ? 'kubernetes.io/hostname' : 'topology.kubernetes.io/zone';
  const labelSelector = { matchLabels: { app: `app-${app}` } };
  const required = (term: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] });
  const hostPort = 8_000 + (app % 5);
  const containers = [
    {
      name: 'main',
      resources: { requests: { cpu: `${10 + draw.below(200)}m`, memory: '16Mi' } },
      ...(app % 8 === 7 && { ports: [{ containerPort: hostPort, hostPort }] }),
    },
  ];
  switch (app % 8) {
    case 0:
    case 1: {
      const constraint = { topologyKey: key, maxSkew: 1 + (app % 2), whenUnsatisfiable: 'DoNotSchedule' };
      const keys = app % 4 === 1 ? { matchLabelKeys: ['rev'] } : {};
      return { containers, topologySpreadConstraints: [{ ...constraint, labelSelector, ...keys }] };
    }
    case 2:
    case 3:
      return { containers, affinity: { podAntiAffinity: required({ topologyKey: key, labelSelector }) } };
    case 4: {
      const other = { matchLabels: { app: `app-${app + 1}` } };
      return { containers, affinity: { podAffinity: required({ topologyKey: key, labelSelector: other }) } };
    }
    case 5: {
      const namespaceSelector = { matchLabels: { team: 'red' } };
      const term = { topologyKey: 'kubernetes.io/hostname', labelSelector, namespaceSelector };
      return { containers, affinity: { podAntiAffinity: required(term) } };
    }
    default:
      return { containers };
  }
}

function podJson(index: number, draw: Draw): Pod {
  const app = draw.below(40);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `p${index}`,
      namespace: draw.of(['default', 'default', 'red', 'unknown']),
      uid: `uid-p${index}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${app}`, rev: draw.of(['1', '2']) },
    },
    spec: specOf(app, draw),
  } as unknown as Pod;
  const draft = draftOf(structuredClone(pod));
  applyPodDefaults(draft, []);
  return draft;
}

const NAMESPACES = namespaceLabels([
  { name: 'default', labels: new Map([['team', 'blue']]) },
  { name: 'red', labels: new Map([['team', 'red']]) },
]);

describe(`over ${PODS.toLocaleString('en')} random pods (seed ${SEED})`, () => {
  it('a pod may land exactly where the autoscaler says that it fits', () => {
    const draw = new Draw();
    const shared = new SharedRecords();
    const snapshot = createSnapshot({ namespaces: NAMESPACES });
    const view = new SchedulingView();
    view.namespacesChanged(NAMESPACES);
    const tally = { fits: 0, fitsNot: 0, promised: 0, helpless: 0, differences: 0 };
    const charge = (pod: Pod, nodeName: string): void => {
      const bound = { ...pod, spec: { ...pod.spec, nodeName } };
      view.charge(bound);
      snapshot.addPod(projectPod(bound as never, shared), nodeName);
    };
    const addNode = (name: string, zone: string): void => {
      view.nodeChanged(nodeJson(name, zone));
      snapshot.addNode(projectNode(nodeJson(name, zone) as never, shared));
    };

    for (let index = 0; index < PODS; index++) {
      const pod = podJson(index, draw);
      const record = projectPod(pod as never, shared);
      const landing = view.project(pod);
      const open: string[] = [];
      for (const name of snapshot.nodeNames()) {
        const { fit } = snapshot.check(record, name);
        if (fit !== view.check(landing, name).fit) tally.differences++;
        if (fit) open.push(name);
      }
      if (open.length > 0) {
        tally.fits++;
        // Not the node that the autoscaler would take: the scheduler has a mind of its own.
        charge(pod, draw.of(open));
        continue;
      }
      tally.fitsNot++;
      const zone = draw.of(ZONES);
      const stencil = projectNode(nodeJson(`template-${zone}`, zone) as never, shared);
      const fresh = copyOfTemplate(
        { groupId: zone, node: stencil, pods: [], source: 'provider' },
        `e-${index}`,
      );
      snapshot.fork();
      snapshot.addNode(fresh.node);
      const isPromised = snapshot.check(record, fresh.node.name).fit;
      snapshot.revert();
      if (!isPromised) {
        tally.helpless++;
        continue;
      }
      tally.promised++;
      const name = `n${index}`;
      addNode(name, zone);
      if (view.check(landing, name).fit) charge(pod, name);
      else tally.differences++;
    }
    expect(tally.differences).toBe(0);
    // It was no run in which everything went the same way.
    expect(Math.min(tally.fits, tally.promised, tally.helpless)).toBeGreaterThan(20);
  });
});
