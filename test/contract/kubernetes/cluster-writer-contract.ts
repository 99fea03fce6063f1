import type { ClusterEvent, ClusterWriter } from '../../../src/application/ports/cluster-writer.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { Taint } from '../../../src/domain/kubernetes/taint.js';
import { buildPod } from '../../support/builders.js';
import type { Eventually } from './cluster-reader-contract.js';

/** A node as the server has it. */
export interface NodeContent {
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly unschedulable: boolean;
  readonly resourceVersion: string;
}

export interface EventContent {
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

/** A cluster with a writer on it. Times are of a clock that the kit moves. */
export interface WriterWorld {
  readonly writer: ClusterWriter;
  pass(ms: number): Promise<void>;
  complete<T>(promise: Promise<T>): Promise<T>;
  createNode(name: string): Eventually<void>;
  node(name: string): Eventually<NodeContent>;
  /** A running pod on the node; gives its uid. */
  createPod(name: string, nodeName: string): Eventually<string>;
  deletePod(name: string): Eventually<void>;
  podExists(name: string): Eventually<boolean>;
  /** A budget that allows no disruption of any pod. */
  forbidDisruptions(): Eventually<void>;
  events(): Eventually<readonly EventContent[]>;
  status(): Eventually<{ readonly yaml: string; readonly lastUpdated: string } | null>;
  /** Writes that reached the server since the last call. */
  writesSince(): number;
  readonly faults: {
    down(isDown: boolean): void;
    /** Somebody else writes each node between our read and our write, so many times. */
    rivals(times: number): void;
  };
}

const TAINT: Taint = { key: 'ToBeDeletedByClusterAutoscaler', value: '1767225600', effect: 'NoSchedule' };
const SECOND = 1_000;

/** The rules of {@link ClusterWriter}, for any adapter. */
export function describeClusterWriterContract(name: string, makeWorld: () => Promise<WriterWorld>): void {
  describe(`ClusterWriter contract: ${name}`, () => {
    let world: WriterWorld;
    const onPod = (message: string, reason = 'NotTriggerScaleUp'): ClusterEvent => ({
      subject: { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'uid-1' },
      type: 'Normal',
      reason,
      message,
    });
    const podOn = async (podName: string, nodeName: string): Promise<Pod> =>
      buildPod(podName, { uid: await world.createPod(podName, nodeName), nodeName });

    beforeEach(async () => {
      world = await makeWorld();
      await world.createNode('node-1');
    });

    const patch = (change: Parameters<ClusterWriter['patchNode']>[1]): Promise<boolean> =>
      world.complete(world.writer.patchNode('node-1', change));

    test('W1 adds, removes and cordons in one write', async () => {
      world.writesSince();
      expect(await patch({ addTaints: [TAINT], unschedulable: true })).toBe(true);
      expect(world.writesSince()).toBe(1);
      expect(await world.node('node-1')).toMatchObject({ taints: [TAINT], unschedulable: true });
      expect(await patch({ removeTaints: [TAINT.key], unschedulable: false })).toBe(true);
      expect(await world.node('node-1')).toMatchObject({ taints: [], unschedulable: false });
    });

    test('W1 a taint that is there keeps its value, and nothing is sent', async () => {
      await patch({ addTaints: [TAINT] });
      world.writesSince();
      // scale-down 8.3
      expect(await patch({ addTaints: [{ ...TAINT, value: '9' }] })).toBe(false);
      expect(await patch({ removeTaints: ['unknown'] })).toBe(false);
      expect(world.writesSince()).toBe(0);
      expect((await world.node('node-1')).taints).toEqual([TAINT]);
    });

    test('W1 a concurrent writer is not overwritten; W2 the conflict is tried again', async () => {
      world.faults.rivals(3);
      expect(await patch({ addTaints: [TAINT] })).toBe(true);
      const keys = (await world.node('node-1')).taints.map((taint) => taint.key);
      expect(keys.sort()).toEqual([TAINT.key, 'rival-1', 'rival-2', 'rival-3'].sort());
    });

    test('W2 gives up after five seconds of conflicts', async () => {
      world.faults.rivals(100);
      await expect(patch({ addTaints: [TAINT] })).rejects.toMatchObject({ code: 'conflict' });
      expect((await world.node('node-1')).taints.some((taint) => taint.key === TAINT.key)).toBe(false);
      // At once, then each 750 ms.
      expect((await world.node('node-1')).taints).toHaveLength(7);
    });

    test('errors have a code', async () => {
      await expect(world.complete(world.writer.patchNode('nobody', {}))).rejects.toMatchObject({
        code: 'not-found',
      });
      world.faults.down(true);
      await expect(patch({ addTaints: [TAINT] })).rejects.toMatchObject({ code: 'unreachable' });
    });

    test('reads a node from the server', async () => {
      const node = await world.complete(world.writer.readNode('node-1'));
      expect(node).toMatchObject({
        name: 'node-1',
        resourceVersion: (await world.node('node-1')).resourceVersion,
      });
      expect(await world.complete(world.writer.readNode('nobody'))).toBeNull();
    });

    test('W3 evicts the pod that was meant', async () => {
      const pod = await podOn('web-1', 'node-1');
      expect(await world.complete(world.writer.evict(pod, 0))).toEqual({ kind: 'accepted' });
      expect(await world.podExists('web-1')).toBe(false);
    });

    test('W3 a pod that is gone is an outcome', async () => {
      const pod = await podOn('web-1', 'node-1');
      await world.deletePod('web-1');
      expect(await world.complete(world.writer.evict(pod, null))).toEqual({ kind: 'gone' });
    });

    test('W3 another pod of that name is left alone', async () => {
      const before = await podOn('db-0', 'node-1');
      await world.deletePod('db-0');
      await world.createPod('db-0', 'node-1');
      expect(await world.complete(world.writer.evict(before, 0))).toEqual({ kind: 'gone' });
      expect(await world.podExists('db-0')).toBe(true);
    });

    test('W3 a budget that forbids it is an outcome with its name', async () => {
      const pod = await podOn('web-1', 'node-1');
      await world.forbidDisruptions();
      const outcome = await world.complete(world.writer.evict(pod, null));
      expect(outcome).toMatchObject({
        kind: 'blocked-by-budget',
        message: expect.stringContaining('budget'),
      });
      expect(await world.podExists('web-1')).toBe(true);
    });

    test('W3 a server that is away is an outcome', async () => {
      const pod = await podOn('web-1', 'node-1');
      world.faults.down(true);
      expect(await world.complete(world.writer.evict(pod, null))).toMatchObject({ kind: 'failed' });
    });

    test('a pod is gone when it is off the node, or another has its name', async () => {
      // scale-down 8.5
      const pod = await podOn('db-0', 'node-1');
      const isGone = (): Promise<boolean> => world.complete(world.writer.isPodGone(pod));
      expect(await isGone()).toBe(false);
      await world.deletePod('db-0');
      expect(await isGone()).toBe(true);
      await world.createPod('db-0', 'node-1');
      expect(await isGone()).toBe(true);
      world.faults.down(true);
      await expect(isGone()).rejects.toMatchObject({ code: 'unreachable' });
    });

    test('W6 tells the pods of a node as the server has them', async () => {
      await world.createNode('node-2');
      const uid = await world.createPod('web-1', 'node-1');
      await world.createPod('web-2', 'node-2');
      const names = async (nodeName: string): Promise<string[]> =>
        (await world.complete(world.writer.podsOn(nodeName))).map(({ name }) => name);
      expect(await world.complete(world.writer.podsOn('node-1'))).toMatchObject([
        { uid, namespace: 'default', name: 'web-1', nodeName: 'node-1' },
      ]);
      await world.deletePod('web-1');
      expect(await names('node-1')).toEqual([]);
      expect(await names('node-2')).toEqual(['web-2']);
      expect(await names('nobody')).toEqual([]);
      world.faults.down(true);
      await expect(names('node-2')).rejects.toMatchObject({ code: 'unreachable' });
    });

    test('W4 an event is sent in the background', async () => {
      world.writesSince();
      world.writer.recordEvent(onPod('no room'));
      expect(world.writesSince()).toBe(0);
      await world.complete(world.writer.flush());
      expect(await world.events()).toEqual([{ reason: 'NotTriggerScaleUp', message: 'no room', count: 1 }]);
    });

    test('W4 repeats are counted, not doubled', async () => {
      for (let minute = 0; minute <= 10; minute++) {
        world.writer.recordEvent(onPod('no room'));
        await world.pass(60 * SECOND);
      }
      expect(await world.events()).toEqual([{ reason: 'NotTriggerScaleUp', message: 'no room', count: 11 }]);
    });

    test('W4 events wait for a server that is away, and never throw', async () => {
      world.faults.down(true);
      world.writer.recordEvent(onPod('a'));
      world.writer.recordEvent(onPod('b', 'ScaleDown'));
      const startFlush = world.complete(world.writer.flush());
      await startFlush;
      expect(await world.events()).toEqual([]);
      world.faults.down(false);
      await world.pass(30 * SECOND);
      expect((await world.events()).map((event) => event.message)).toEqual(['a', 'b']);
    });

    test('W5 the status is created, then updated', async () => {
      expect(await world.status()).toBeNull();
      const first = {
        yaml: 'autoscalerStatus: Initializing\n',
        lastUpdated: '2026-01-01 00:00:00 +0000 UTC',
      };
      await world.complete(world.writer.writeStatus(first));
      expect(await world.status()).toEqual(first);
      const second = { yaml: 'autoscalerStatus: Running\n', lastUpdated: '2026-01-01 00:00:10 +0000 UTC' };
      await world.complete(world.writer.writeStatus(second));
      expect(await world.status()).toEqual(second);
    });

    test('W5 deleting the status succeeds, also when there is none', async () => {
      await world.complete(world.writer.writeStatus({ yaml: 'a: 1', lastUpdated: 'now' }));
      await world.complete(world.writer.deleteStatus());
      expect(await world.status()).toBeNull();
      await world.complete(world.writer.deleteStatus());
    });
  });
}
