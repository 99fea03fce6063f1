import type { ClusterReader } from '../../../src/application/ports/cluster-reader.js';
import { ClusterReadError } from '../../../src/application/ports/cluster-reader.js';

/** A simulated world answers at once, a real one later. */
export type Eventually<T> = T | Promise<T>;

/** A cluster with a reader on it, and the means to change and disturb it. Times are of a clock that the kit moves. */
export interface ReaderWorld {
  readonly reader: ClusterReader;
  pass(ms: number): Promise<void>;
  /** Lets time pass until the promise settles. */
  complete<T>(promise: Promise<T>): Promise<T>;
  createNode(name: string): Eventually<void>;
  createPod(name: string): Eventually<void>;
  markUnschedulable(pod: string): Eventually<void>;
  finishPod(pod: string): Eventually<void>;
  /** Makes the pod's request something that no reader can understand. */
  breakPod(pod: string): Eventually<void>;
  deletePod(pod: string): Eventually<void>;
  /** Reports of objects that were skipped. */
  skipReports(): number;
  /** Requests that reached the server, or would have, since the last call. */
  requestsSince(): number;
  readonly faults: {
    down(isDown: boolean): void;
    cutWatches(): void;
    silenceWatches(): void;
    /** History is lost: open watches are told so, versions can't be resumed. */
    expireWatches(): void;
    duplicateEvents(): void;
  };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The rules of {@link ClusterReader}, for any adapter. */
export function describeClusterReaderContract(name: string, makeWorld: () => Promise<ReaderWorld>): void {
  describe(`ClusterReader contract: ${name}`, () => {
    let world: ReaderWorld;
    const start = (): Promise<void> => world.complete(world.reader.start(new AbortController().signal));
    const podNames = (): string[] =>
      world.reader
        .state()
        .pods.map((pod) => pod.name)
        .sort();

    beforeEach(async () => {
      world = await makeWorld();
      await world.createNode('node-1');
      await world.createPod('web-1');
    });

    afterEach(async () => {
      await world.complete(world.reader.stop());
    });

    test('R1 once started, the state holds all that existed', async () => {
      for (let index = 2; index <= 1_203; index++) await world.createPod(`web-${index}`);
      await start();
      const { nodes, pods } = world.reader.state();
      expect(nodes.map((node) => node.name)).toEqual(['node-1']);
      expect(pods).toHaveLength(1_203);
    });

    test('R1 finished pods are not in it', async () => {
      // scheduling 6.L/144 (what is not in it is charged to no node)
      await world.createPod('web-2');
      await world.finishPod('web-1');
      await start();
      expect(podNames()).toEqual(['web-2']);
    });

    test('R2 changes show up by themselves', async () => {
      await start();
      await world.createPod('web-2');
      await world.createNode('node-2');
      await world.deletePod('web-1');
      await world.pass(SECOND);
      expect(podNames()).toEqual(['web-2']);
      expect(world.reader.state().nodes).toHaveLength(2);
      await world.finishPod('web-2');
      await world.pass(SECOND);
      expect(podNames()).toEqual([]);
    });

    test('R2 a cut watch goes on', async () => {
      await start();
      world.faults.cutWatches();
      await world.createPod('web-2');
      await world.deletePod('web-1');
      await world.pass(30 * SECOND);
      expect(podNames()).toEqual(['web-2']);
    });

    test('R2 a silent watch is noticed', async () => {
      await start();
      await world.pass(10 * SECOND);
      world.faults.silenceWatches();
      await world.pass(20 * SECOND);
      await world.createPod('web-9');
      await world.pass(90 * SECOND);
      expect(podNames()).toEqual(['web-1', 'web-9']);
    });

    test('R2 an expired watch is answered with a fresh list', async () => {
      await start();
      world.faults.expireWatches();
      await world.createPod('web-2');
      await world.deletePod('web-1');
      await world.pass(30 * SECOND);
      expect(podNames()).toEqual(['web-2']);
    });

    test('R2 duplicated events do no harm', async () => {
      world.faults.duplicateEvents();
      await start();
      await world.createPod('web-2');
      await world.deletePod('web-1');
      await world.pass(SECOND);
      expect(podNames()).toEqual(['web-2']);
    });

    test('R3 a broken object is left out and reported once', async () => {
      await world.createPod('bad');
      await world.breakPod('bad');
      await world.createPod('web-2');
      await start();
      expect(podNames()).toEqual(['web-1', 'web-2']);
      await world.breakPod('bad');
      world.faults.expireWatches();
      await world.pass(30 * SECOND);
      expect(podNames()).toEqual(['web-1', 'web-2']);
      expect(world.skipReports()).toBe(1);
    });

    test('R3 an object that breaks later stays as it was', async () => {
      await start();
      await world.breakPod('web-1');
      await world.pass(SECOND);
      world.faults.expireWatches();
      await world.pass(30 * SECOND);
      expect(podNames()).toEqual(['web-1']);
    });

    test('R4 reading the state costs no request, and nothing new means the same arrays', async () => {
      await start();
      await world.pass(SECOND);
      world.requestsSince();
      const before = world.reader.state();
      expect(world.reader.state().pods).toBe(before.pods);
      expect(world.requestsSince()).toBe(0);
      await world.createPod('web-2');
      await world.pass(SECOND);
      expect(before.pods).toHaveLength(1);
      expect(world.reader.state().pods).toHaveLength(2);
    });

    test('R4 there is no state before the start, nor when nothing was heard for too long', async () => {
      expect(() => world.reader.state()).toThrow(ClusterReadError);
      await start();
      world.faults.down(true);
      world.faults.cutWatches();
      await world.pass(4 * MINUTE);
      expect(podNames()).toEqual(['web-1']);
      await world.pass(2 * MINUTE);
      expect(() => world.reader.state()).toThrow(expect.objectContaining({ code: 'stale-cache' }));
      world.faults.down(false);
      await world.pass(MINUTE);
      expect(podNames()).toEqual(['web-1']);
    });

    test('R4 a quiet cluster never goes stale', async () => {
      await start();
      for (let minute = 0; minute < 60; minute++) {
        await world.pass(MINUTE);
        expect(podNames()).toEqual(['web-1']);
      }
    });

    test('R5 tells at once when a pod becomes unschedulable', async () => {
      await start();
      let told = 0;
      const forget = world.reader.onUnschedulablePod(() => told++);
      await world.createPod('web-2');
      await world.pass(SECOND);
      expect(told).toBe(0);
      await world.markUnschedulable('web-2');
      await world.pass(100);
      expect(told).toBe(1);
      forget();
      await world.markUnschedulable('web-1');
      await world.pass(100);
      expect(told).toBe(1);
    });

    test('R6 caches stay while the server is away, and attempts become rare', async () => {
      await start();
      world.faults.down(true);
      world.faults.cutWatches();
      world.requestsSince();
      await world.pass(MINUTE);
      expect(podNames()).toEqual(['web-1']);
      const { nodes, daemonSets, disruptionBudgets, workloads } = world.reader.state();
      expect([nodes.length, daemonSets.length, disruptionBudgets.length, workloads.length]).toEqual([
        1, 0, 0, 0,
      ]);
      // Nine resources, each on its own.
      expect(world.requestsSince()).toBeLessThanOrEqual(9 * 12);
    });

    test('a start that is given up says that the server was not reached', async () => {
      world.faults.down(true);
      const giveUp = new AbortController();
      const started = world.reader.start(giveUp.signal);
      const outcome = started.catch((error: unknown) => error);
      await world.pass(10 * SECOND);
      giveUp.abort();
      expect(await world.complete(outcome)).toMatchObject({ code: 'unreachable' });
    });
  });
}
