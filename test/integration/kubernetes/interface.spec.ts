import {
  KubernetesClusterReader,
  KubernetesClusterWriter,
  LeaseLeaderLock,
} from '../../../src/adapters/kubernetes/index.js';
import type { KubernetesWriterOptions } from '../../../src/adapters/kubernetes/index.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { buildPod } from '../../support/builders.js';
import { Sandbox } from '../../contract/kubernetes/sandbox.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STATUS = { yaml: 'autoscalerStatus: Running\n', lastUpdated: '2026-01-01 00:00:10 +0000 UTC' };

async function writerOn(
  sandbox: Sandbox,
  options: KubernetesWriterOptions = {},
): Promise<KubernetesClusterWriter> {
  const { random, incidents, logger } = sandbox.process();
  return new KubernetesClusterWriter(await sandbox.connect(), random, incidents, logger, options);
}

/** Rules of the chart's roles (`interface` 8.1) as far as they touch us; all else is refused. */
const CHART_RULES: Readonly<Record<string, readonly string[]>> = {
  events: ['create', 'patch'],
  'pods/eviction': ['create'],
  nodes: ['get', 'list', 'watch', 'update'],
  pods: ['get', 'list', 'watch'],
  replicationcontrollers: ['get', 'list', 'watch'],
  namespaces: ['get', 'list', 'watch'],
  persistentvolumeclaims: ['get', 'list', 'watch'],
  persistentvolumes: ['get', 'list', 'watch'],
  'storageclasses.storage.k8s.io': ['get', 'list', 'watch'],
  'csinodes.storage.k8s.io': ['get', 'list', 'watch'],
  'csidrivers.storage.k8s.io': ['get', 'list', 'watch'],
  'csistoragecapacities.storage.k8s.io': ['get', 'list', 'watch'],
  'volumeattachments.storage.k8s.io': ['get', 'list', 'watch'],
  'daemonsets.apps': ['get', 'list', 'watch'],
  'replicasets.apps': ['get', 'list', 'watch'],
  'statefulsets.apps': ['get', 'list', 'watch'],
  'jobs.batch': ['get', 'list', 'watch'],
  'poddisruptionbudgets.policy': ['list', 'watch'],
  'leases.coordination.k8s.io': ['create', 'get', 'update'],
  configmaps: ['create', 'get', 'update', 'delete'],
};

describe('what others see of the Kubernetes adapter', () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  test('all works with the rules of the chart and nothing more', async () => {
    // interface 8.1; the part of interface 9/40 that is ours
    const { clock, cluster } = sandbox;
    const refused: string[] = [];
    cluster.faults.forbids = ({ verb, resource }) => {
      const isRefused = CHART_RULES[resource]?.includes(verb) !== true;
      if (isRefused) refused.push(`${verb} ${resource}`);
      return isRefused;
    };
    sandbox.createNode('node-1');
    const uid = sandbox.createPod('web-1', { nodeName: 'node-1' }).metadata.uid;
    const pod = buildPod('web-1', { uid, nodeName: 'node-1' });
    const { random, incidents, logger } = sandbox.process();
    const connection = await sandbox.connect();
    const reader = new KubernetesClusterReader(connection, random, incidents, logger);
    const writer = new KubernetesClusterWriter(connection, random, incidents, logger);
    const lock = new LeaseLeaderLock(connection, random, incidents, writer, { identity: 'me' });
    const leadership = await clock.complete(lock.acquire(new AbortController().signal));
    await clock.complete(reader.start(new AbortController().signal));
    const taint = { key: 'a', value: '1', effect: 'NoSchedule' } as const;
    await clock.complete(writer.patchNode('node-1', { addTaints: [taint] }));
    await clock.complete(writer.readNode('node-1'));
    await clock.complete(writer.evict(pod, 0));
    await clock.complete(writer.isPodGone(pod));
    const subject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid } as const;
    for (let minute = 0; minute < 11; minute += 5) {
      writer.recordEvent({
        subject,
        type: 'Normal',
        reason: 'ScaleDown',
        message: 'deleting pod for node scale down',
      });
      await clock.advance(5 * MINUTE);
    }
    await clock.complete(writer.writeStatus(STATUS));
    await clock.complete(writer.writeStatus(STATUS));
    await clock.complete(writer.deleteStatus());
    await clock.complete(leadership.release());
    await clock.complete(reader.stop());
    expect(refused).toEqual([]);
  });

  test('foreign keys and annotations of the status map survive', async () => {
    // interface 9/33
    sandbox.cluster.create({
      kind: 'ConfigMap',
      metadata: {
        name: 'cluster-autoscaler-status',
        namespace: 'kube-system',
        annotations: { mine: 'x' },
        labels: { l: '1' },
      },
      data: { other: 'y', status: 'old' },
    });
    const writer = await writerOn(sandbox);
    await sandbox.clock.complete(writer.writeStatus(STATUS));
    expect(sandbox.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system')).toMatchObject({
      metadata: {
        labels: { l: '1' },
        annotations: { mine: 'x', 'cluster-autoscaler.kubernetes.io/last-updated': STATUS.lastUpdated },
      },
      data: { other: 'y', status: STATUS.yaml },
    });
  });

  test('the status map has the name and the namespace of the flags', async () => {
    // interface 4.1
    sandbox.cluster.create({ kind: 'Namespace', metadata: { name: 'ca' } });
    const writer = await writerOn(sandbox, { namespace: 'ca', statusConfigMapName: 'my-status' });
    await sandbox.clock.complete(writer.writeStatus(STATUS));
    expect(sandbox.cluster.get(kinds.CONFIG_MAPS, 'my-status', 'ca')).toBeDefined();
  });

  test('an event has the shape of core/v1 with the component of upstream', async () => {
    // interface 5.1
    const { clock, cluster } = sandbox;
    const writer = await writerOn(sandbox);
    const subject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' } as const;
    await clock.advance(1_500);
    writer.recordEvent({
      subject,
      type: 'Warning',
      reason: 'ScaleDownFailed',
      message: 'failed to delete pod for ScaleDown',
    });
    await clock.complete(writer.flush());
    const [event] = cluster.events();
    expect(event).toMatchObject({
      metadata: { namespace: 'default', name: expect.stringMatching(/^web-1\.[0-9a-f]{16}$/) },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' },
      type: 'Warning',
      reason: 'ScaleDownFailed',
      message: 'failed to delete pod for ScaleDown',
      count: 1,
      source: { component: 'cluster-autoscaler' },
      reportingComponent: 'cluster-autoscaler',
    });
    const times = [event?.firstTimestamp, event?.lastTimestamp].map((time) => Date.parse(String(time)));
    expect(times).toEqual([clock.now() - 500, clock.now() - 500]);
  });

  test('events of nodes are in the default namespace', async () => {
    // interface 5.1
    const writer = await writerOn(sandbox);
    const subject = { kind: 'Node', namespace: '', name: 'node-1', uid: 'u1' } as const;
    writer.recordEvent({ subject, type: 'Normal', reason: 'ScaleDown', message: 'marked' });
    await sandbox.clock.complete(writer.flush());
    expect(sandbox.cluster.events()[0]).toMatchObject({
      metadata: { namespace: 'default' },
      involvedObject: { kind: 'Node', name: 'node-1' },
    });
  });

  test('a pod that stays unschedulable for four minutes gets one event', async () => {
    // interface 9/35
    const { clock, cluster } = sandbox;
    const writer = await writerOn(sandbox);
    const subject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' } as const;
    for (let loop = 0; loop < 24; loop++) {
      const message = `pod didn't trigger scale-up: ${loop} Insufficient cpu`;
      writer.recordEvent({ subject, type: 'Normal', reason: 'NotTriggerScaleUp', message });
      await clock.advance(10 * SECOND);
    }
    expect(cluster.events()).toHaveLength(1);
  });

  test('with duplicates recorded each distinct message is sent until the tenth', async () => {
    // interface 9/35
    const { clock, cluster } = sandbox;
    const writer = await writerOn(sandbox, { recordDuplicatedEvents: true });
    const subject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' } as const;
    for (let loop = 0; loop < 12; loop++) {
      writer.recordEvent({ subject, type: 'Normal', reason: 'NotTriggerScaleUp', message: `m${loop}` });
      await clock.advance(10 * SECOND);
    }
    const messages = cluster.events().map((event) => `${event.message ?? ''} x${event.count ?? 0}`);
    expect(messages).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `m${index} x1`),
      '(combined from similar events): m11 x3',
    ]);
  });

  test('a repeat whose event the server has forgotten is created anew', async () => {
    const { clock, cluster } = sandbox;
    const writer = await writerOn(sandbox);
    const subject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' } as const;
    const event = { subject, type: 'Normal', reason: 'NotTriggerScaleUp', message: 'm' } as const;
    writer.recordEvent(event);
    await clock.advance(MINUTE);
    cluster.delete(kinds.EVENTS, cluster.events()[0]?.metadata.name ?? '');
    await clock.advance(4 * MINUTE);
    writer.recordEvent(event);
    await clock.advance(SECOND);
    expect(cluster.events().map(({ count }) => count)).toEqual([2]);
  });

  test('events on the status map carry its uid', async () => {
    const writer = await writerOn(sandbox);
    await sandbox.clock.complete(writer.writeStatus(STATUS));
    const subject = {
      kind: 'ConfigMap',
      namespace: 'kube-system',
      name: 'cluster-autoscaler-status',
      uid: '',
    } as const;
    writer.recordEvent({ subject, type: 'Normal', reason: 'ScaledUpGroup', message: 'm' });
    await sandbox.clock.complete(writer.flush());
    const map = sandbox.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system');
    expect(sandbox.cluster.events()[0]?.involvedObject.uid).toBe(map?.metadata.uid);
  });

  test('a flood of events stays bounded', async () => {
    // interface 5.1: overflow is dropped
    const { clock, cluster } = sandbox;
    const writer = await writerOn(sandbox);
    for (let index = 0; index < 1_500; index++) {
      const subject = { kind: 'Pod', namespace: 'default', name: `p${index}`, uid: `u${index}` } as const;
      writer.recordEvent({ subject, type: 'Normal', reason: 'NotTriggerScaleUp', message: 'm' });
    }
    await clock.advance(MINUTE);
    // The one that is being sent, and a full queue.
    expect(cluster.events()).toHaveLength(1_001);
  });

  test('a node keeps what this program does not know', async () => {
    const node = sandbox.createNode('node-1');
    const spec = { podCIDR: '10.0.0.0/24', fieldOfTheFuture: { a: 1 } };
    sandbox.cluster.plant({ ...node, spec });
    const writer = await writerOn(sandbox);
    const taint = {
      key: 'ToBeDeletedByClusterAutoscaler',
      value: '1767225600',
      effect: 'NoSchedule',
    } as const;
    await sandbox.clock.complete(writer.patchNode('node-1', { addTaints: [taint], unschedulable: true }));
    // interface 9/38, the part that is ours
    expect(sandbox.cluster.node('node-1')?.spec).toMatchObject({
      ...spec,
      taints: [taint],
      unschedulable: true,
    });
  });

  test('the lease is in the namespace of the flag, held under the host name', async () => {
    // interface 9/37
    const { clock, cluster } = sandbox;
    cluster.create({ kind: 'Namespace', metadata: { name: 'ca' } });
    const { random, incidents } = sandbox.process();
    const writer = await writerOn(sandbox);
    const options = { identity: 'my-pod', namespace: 'ca' };
    const lock = new LeaseLeaderLock(await sandbox.connect(), random, incidents, writer, options);
    const leadership = await clock.complete(lock.acquire(new AbortController().signal));
    await clock.advance(5 * SECOND);
    const lease = cluster.get(kinds.LEASES, 'cluster-autoscaler', 'ca') as any;
    expect(lease.spec).toEqual({
      holderIdentity: 'my-pod',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:04.000000Z',
      leaseTransitions: 0,
    });
    expect(cluster.events('LeaderElection')).toMatchObject([
      {
        message: 'my-pod became leader',
        involvedObject: { kind: 'Lease', namespace: 'ca', uid: lease.metadata.uid },
      },
    ]);
    await clock.complete(leadership.release());
    expect((cluster.get(kinds.LEASES, 'cluster-autoscaler', 'ca') as any).spec.holderIdentity).toBe('');
  });

  test('slow answers do not carry a leader beyond its deadline', async () => {
    // The write is refused after nearly half of the deadline, and the look behind it hangs.
    const { clock, cluster } = sandbox;
    let slow = false;
    sandbox.mount({
      handle: async (request) => {
        if (slow && request.method === 'PUT') {
          await clock.sleep(4_900);
          return { status: 409, headers: {}, body: JSON.stringify({ kind: 'Status', reason: 'Conflict' }) };
        }
        if (slow) await clock.sleep(60_000);
        return cluster.front.handle(request);
      },
    });
    const { random, incidents } = sandbox.process();
    const writer = { recordEvent: () => undefined };
    const lock = new LeaseLeaderLock(await sandbox.connect(), random, incidents, writer, { identity: 'me' });
    const startMs = clock.now();
    const { lost } = await clock.complete(lock.acquire(new AbortController().signal));
    slow = true;
    await clock.runUntil(() => lost.aborted, 60_000);
    expect(clock.now() - startMs).toBeLessThanOrEqual(10_000);
  });

  test('a leader outlives a lost answer and the troubles right after it', async () => {
    // One renewal is done but not answered, the next reaches nobody: what stands there then is still our own writing.
    const { clock, cluster } = sandbox;
    const troubles: ('cut-after' | 'cut-before')[] = [];
    const cut = { status: 0, headers: {}, body: '', cut: true };
    sandbox.mount({
      handle: async (request) => {
        const trouble = request.method === 'PUT' ? troubles.shift() : undefined;
        if (trouble === 'cut-before') return cut;
        const answer = await cluster.front.handle(request);
        return trouble === undefined ? answer : cut;
      },
    });
    const { random, incidents } = sandbox.process();
    const writer = { recordEvent: () => undefined };
    const lock = new LeaseLeaderLock(await sandbox.connect(), random, incidents, writer, { identity: 'me' });
    const { lost } = await clock.complete(lock.acquire(new AbortController().signal));
    troubles.push('cut-after', 'cut-before');
    await clock.advance(60 * SECOND);
    expect(troubles).toEqual([]);
    expect(lost.aborted).toBe(false);
  });

  test('a change of holder is counted', async () => {
    // interface 6
    const { clock, cluster } = sandbox;
    const lead = async (identity: string): Promise<void> => {
      const { random, incidents } = sandbox.process(identity);
      const lock = new LeaseLeaderLock(await sandbox.connect(), random, incidents, await writerOn(sandbox), {
        identity,
      });
      const leadership = await clock.complete(lock.acquire(new AbortController().signal));
      await clock.complete(leadership.release());
    };
    await lead('a');
    await lead('b');
    const lease = cluster.get(kinds.LEASES, 'cluster-autoscaler', 'kube-system') as any;
    expect(lease.spec.leaseTransitions).toBe(1);
  });

  test('the client-side limit of requests is kept', async () => {
    // interface 1.2: --kube-client-qps, --kube-client-burst
    const { clock } = sandbox;
    const { random, incidents, logger } = sandbox.process();
    const connection = await sandbox.connect({ qps: 5, burst: 10 });
    const writer = new KubernetesClusterWriter(connection, random, incidents, logger);
    const startMs = clock.now();
    await clock.complete(Promise.all(Array.from({ length: 60 }, () => writer.readNode('node-1'))));
    expect(clock.now() - startMs).toBe(10 * SECOND);
  });
});
