import fc from 'fast-check';
import { classifyPods } from '../../../src/domain/simulation/classify-pods.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/cluster-snapshot.js';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import { relevantLabelKeys } from '../../../src/domain/simulation/relevant-labels.js';
import { histories, nextDepth, outline, portrait, run } from './histories.js';
import type { Step } from './histories.js';
import { arbitraryRoomyNode, arbitraryRuledPod, NAMESPACES, nodeName } from './random-clusters.js';

const history = histories(arbitraryRuledPod, nodeName.chain(arbitraryRoomyNode));
const nodes = fc.tuple(...['n0', 'n1', 'n2', 'n3'].map(arbitraryRoomyNode));
const isFlat = ({ kind }: Step): boolean => !['fork', 'revert', 'commit'].includes(kind);

const SEED = Date.now() % 1_000_000;

/** The same nodes and pods in a snapshot that knows nothing of how they came there. */
function rebuilt(snapshot: ClusterSnapshot): ClusterSnapshot {
  const fresh = createSnapshot({ namespaces: NAMESPACES });
  for (const name of snapshot.nodeNames()) fresh.addNode(snapshot.node(name)!, snapshot.podsOn(name));
  return fresh;
}

describe(`counters of topology (seed ${SEED})`, () => {
  it('are as if counted anew, after any history', () => {
    fc.assert(
      fc.property(nodes, history, (first, { known, steps }) => {
        const snapshot = createSnapshot({ namespaces: NAMESPACES });
        for (const node of first) snapshot.addNode(node);
        let depth = 0;
        for (const step of steps) {
          run(snapshot, step, depth);
          depth = nextDepth(depth, step);
        }
        expect(portrait(snapshot, known)).toEqual(portrait(rebuilt(snapshot), known));
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('are restored by a revert as if the fork had never been', () => {
    // scheduling 6.L/158
    fc.assert(
      fc.property(nodes, history, history, (first, before, inside) => {
        const snapshot = createSnapshot({ namespaces: NAMESPACES });
        for (const node of first) snapshot.addNode(node);
        for (const step of before.steps.filter(isFlat)) run(snapshot, step, 0);
        const probes = [...before.known, ...inside.known];
        const as = rebuilt(snapshot);
        snapshot.fork();
        let depth = 0;
        for (const step of inside.steps) {
          if (depth === 0 && !isFlat(step) && step.kind !== 'fork') continue;
          run(snapshot, step, depth);
          depth = nextDepth(depth, step);
          // Counters that are made inside of the fork stay when it is gone.
          portrait(snapshot, inside.known);
        }
        for (; depth >= 0; depth--) snapshot.revert();
        expect(portrait(snapshot, probes)).toEqual(portrait(as, probes));
      }),
      { numRuns: 500, seed: SEED },
    );
  });

  it('judge every pod as its class, before and after placements', () => {
    const pods = fc.array(arbitraryRuledPod, { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(nodes, pods, fc.array(fc.nat(11), { maxLength: 10 }), (first, waiting, placed) => {
        const snapshot = createSnapshot({ namespaces: NAMESPACES });
        for (const node of first) snapshot.addNode(node);
        const copies = waiting.flatMap((pod) => [
          pod,
          // Differs in a label that no rule reads.
          { ...pod, uid: `${pod.uid}-2`, labels: new Map([...pod.labels, ['serial', pod.uid]]) },
        ]);
        const { classes } = classifyPods(copies, relevantLabelKeys(copies, copies));
        const verdicts = (): unknown[] =>
          classes.map((each) =>
            each.pods.map((pod) => first.map(({ name }) => outline(snapshot.check(pod, name)))),
          );
        const expectEqual = (): void => {
          for (const ofClass of verdicts() as unknown[][]) {
            for (const verdict of ofClass) expect(verdict).toEqual(ofClass[0]);
          }
        };
        expect(classes.length).toBeLessThanOrEqual(waiting.length);
        expectEqual();
        for (const index of placed) {
          snapshot.placeAnywhere(copies[index % copies.length]!);
          expectEqual();
        }
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});
