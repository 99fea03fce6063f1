import fc from 'fast-check';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import { NaiveSnapshot } from '../../reference/naive-snapshot.js';
import { histories, nextDepth, portrait, run } from './histories.js';
import { arbitraryRoomyNode, arbitraryRuledPod, NAMESPACES, nodeName } from './random-clusters.js';

/** Roomy nodes and pods with rules about each other: here those rules decide nearly everything. */
const history = histories(arbitraryRuledPod, nodeName.chain(arbitraryRoomyNode));

/** The nodes that each history begins with. */
const beginning = fc.tuple(...['n0', 'n1', 'n2', 'n3'].map(arbitraryRoomyNode)).chain((nodes) =>
  fc.tuple(
    ...nodes.map((node) =>
      fc.record({
        kind: fc.constant('add-node' as const),
        node: fc.constant(node),
        pods: fc.array(arbitraryRuledPod, { maxLength: 2 }),
      }),
    ),
  ),
);

const SEED = Date.now() % 1_000_000;

describe(`pods with rules about other pods (seed ${SEED})`, () => {
  it('are judged as by counting everything anew, after any history', () => {
    fc.assert(
      fc.property(beginning, history, (first, { known, steps }) => {
        const fast = createSnapshot({ namespaces: NAMESPACES });
        const naive = new NaiveSnapshot(NAMESPACES);
        let depth = 0;
        for (const step of [...first, ...steps]) {
          expect(run(fast, step, depth)).toEqual(run(naive, step, depth));
          depth = nextDepth(depth, step);
          expect(portrait(fast, known)).toEqual(portrait(naive, known));
        }
      }),
      { numRuns: 500, seed: SEED },
    );
  });
});
