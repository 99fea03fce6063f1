import fc from 'fast-check';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import { buildNode, buildPod } from '../../support/builders.js';
import { NaiveSnapshot } from '../../reference/naive-snapshot.js';
import { histories, nextDepth, portrait, run } from './histories.js';
import type { Step } from './histories.js';
import { arbitraryNode, arbitraryPod, arbitrarySocialPod, NAMESPACES, nodeName } from './random-clusters.js';

/**
 * The fast snapshot against the naive one: random histories of all operations on small clusters, where after each
 * step every question has the same answer; and long placements on clusters of several blocks of nodes.
 */

const history = histories(fc.oneof(arbitraryPod, arbitrarySocialPod), arbitraryNode(nodeName));

describe('the snapshot', () => {
  it('answers as the naive one after any history', () => {
    fc.assert(
      fc.property(history, ({ known, steps }) => {
        const fast = createSnapshot({ namespaces: NAMESPACES });
        const naive = new NaiveSnapshot(NAMESPACES);
        let depth = 0;
        for (const step of steps) {
          expect(run(fast, step, depth)).toEqual(run(naive, step, depth));
          depth = nextDepth(depth, step);
          expect(portrait(fast, known)).toEqual(portrait(naive, known));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is after a revert as if the fork had never been, also in what it decides next', () => {
    fc.assert(
      fc.property(history, history, history, (before, inside, after) => {
        const forked = createSnapshot({ namespaces: NAMESPACES });
        const untouched = createSnapshot({ namespaces: NAMESPACES });
        const probes = [...before.known, ...inside.known, ...after.known];
        const flat = ({ kind }: Step): boolean => !['fork', 'revert', 'commit'].includes(kind);
        for (const step of before.steps.filter(flat)) {
          run(forked, step, 0);
          run(untouched, step, 0);
        }
        forked.fork();
        let depth = 0;
        for (const step of inside.steps) {
          if (depth === 0 && (step.kind === 'revert' || step.kind === 'commit')) continue;
          run(forked, step, depth);
          depth = nextDepth(depth, step);
        }
        for (; depth >= 0; depth--) forked.revert();
        expect(portrait(forked, probes)).toEqual(portrait(untouched, probes));
        for (const step of after.steps.filter(flat)) {
          expect(run(forked, step, 0)).toEqual(run(untouched, step, 0));
        }
        expect(portrait(forked, probes)).toEqual(portrait(untouched, probes));
      }),
      { numRuns: 200 },
    );
  });

  it('finds the node that the naive one finds, over several blocks of nodes', () => {
    const size = fc.record({
      cpuMilli: fc.constantFrom(0, 3, 6),
      pods: fc.constantFrom(1, 4),
      zone: fc.constantFrom('a', 'b'),
    });
    const nodes = fc.array(size, { minLength: 130, maxLength: 200 });
    const step = fc.record({
      cpuMilli: fc.integer({ min: 1, max: 6 }),
      zone: fc.option(fc.constantFrom('a', 'b', 'c')),
      release: fc.nat(199),
    });
    fc.assert(
      fc.property(nodes, fc.array(step, { minLength: 50, maxLength: 150 }), (sizes, steps) => {
        const snapshots = [createSnapshot({ namespaces: NAMESPACES }), new NaiveSnapshot(NAMESPACES)];
        for (const snapshot of snapshots) {
          sizes.forEach(({ cpuMilli, pods: slots, zone }, i) => {
            snapshot.addNode(buildNode(`n${i}`, { cpuMilli, pods: slots, labels: { zone } }));
          });
        }
        for (const { cpuMilli, zone, release } of steps) {
          const nodeSelector = new Map(zone === null ? [] : [['zone', zone]]);
          const pod = buildPod('p', { cpuMilli, shape: { nodeSelector } });
          const [fast, naive] = snapshots.map((snapshot) => {
            const name = `n${release % sizes.length}`;
            const leaving = cpuMilli === 6 ? snapshot.podsOn(name)[0] : undefined;
            if (leaving !== undefined) snapshot.removePod(leaving, name);
            return snapshot.placeAnywhere(pod);
          });
          expect(fast).toEqual(naive);
        }
      }),
      { numRuns: 25 },
    );
  });
});
