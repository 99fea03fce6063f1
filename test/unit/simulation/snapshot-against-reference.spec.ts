import fc from 'fast-check';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/cluster-snapshot.js';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import type { Verdict } from '../../../src/domain/simulation/verdict.js';
import { buildNode, buildPod } from '../../support/builders.js';
import { NaiveSnapshot } from '../../reference/naive-snapshot.js';
import { arbitraryNode, arbitraryPod, nodeName } from './random-clusters.js';

/**
 * The fast snapshot against the naive one: random histories of all operations on small clusters, where after each
 * step every question has the same answer; and long placements on clusters of several blocks of nodes.
 */

type Step =
  | { readonly kind: 'add-node'; readonly node: Node; readonly pods: readonly Pod[] }
  | { readonly kind: 'remove-node' | 'remove-pod'; readonly nodeName: string }
  | { readonly kind: 'add-pod' | 'place'; readonly pod: Pod; readonly nodeName: string }
  | {
      readonly kind: 'place-anywhere';
      readonly pod: Pod;
      readonly hint: string | null;
      readonly accepted: readonly string[] | null;
    }
  | { readonly kind: 'fork' | 'revert' | 'commit' };

const pods = fc.array(arbitraryPod, { minLength: 1, maxLength: 4 });

/** Few pods, placed often: memory of failed searches only matters when a class comes again. */
const history = pods.chain((known) => {
  const pod = fc.constantFrom(...known);
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constant('add-node' as const),
      node: arbitraryNode(nodeName),
      pods: fc.array(pod, { maxLength: 2 }),
    }),
    fc.record({ kind: fc.constantFrom('remove-node' as const, 'remove-pod' as const), nodeName }),
    fc.record({ kind: fc.constantFrom('add-pod' as const, 'place' as const), pod, nodeName }),
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('place-anywhere' as const),
        pod,
        hint: fc.option(nodeName, { freq: 3 }),
        accepted: fc.option(fc.array(nodeName), { freq: 3 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('fork' as const, 'revert' as const, 'commit' as const) }),
    },
  );
  return fc.record({ known: fc.constant(known), steps: fc.array(step, { minLength: 1, maxLength: 40 }) });
});

function run(snapshot: ClusterSnapshot, step: Step, depth: number): unknown {
  switch (step.kind) {
    case 'add-node':
      return snapshot.hasNode(step.node.name) ? null : snapshot.addNode(step.node, step.pods.map(copyOf));
    case 'remove-node':
      return snapshot.hasNode(step.nodeName) ? snapshot.removeNode(step.nodeName) : null;
    case 'remove-pod': {
      const pod = snapshot.hasNode(step.nodeName) ? snapshot.podsOn(step.nodeName).at(-1) : undefined;
      return pod === undefined ? null : snapshot.removePod(pod, step.nodeName);
    }
    case 'add-pod':
      return snapshot.hasNode(step.nodeName) ? snapshot.addPod(copyOf(step.pod), step.nodeName) : null;
    case 'place':
      return snapshot.hasNode(step.nodeName)
        ? outline(snapshot.place(copyOf(step.pod), step.nodeName))
        : null;
    case 'place-anywhere': {
      const { hint, accepted } = step;
      const placement = snapshot.placeAnywhere(copyOf(step.pod), {
        ...(hint !== null && { hint }),
        ...(accepted !== null && { accepts: (name: string) => accepted.includes(name) }),
      });
      return placement.fit ? placement.nodeName : outline(placement);
    }
    case 'revert':
      return depth > 0 ? snapshot.revert() : null;
    default:
      return snapshot[step.kind]();
  }
}

function copyOf(pod: Pod): Pod {
  return { ...pod };
}

function nextDepth(depth: number, { kind }: Step): number {
  if (kind === 'fork') return depth + 1;
  return kind === 'revert' || kind === 'commit' ? Math.max(0, depth - 1) : depth;
}

/** Everything that can be seen of a snapshot. */
function portrait(snapshot: ClusterSnapshot, probes: readonly Pod[]): unknown {
  return snapshot.nodeNames().map((name) => ({
    node: snapshot.node(name),
    pods: snapshot.podsOn(name),
    verdicts: probes.map((probe) => outline(snapshot.check(probe, name))),
  }));
}

/** Without the details of reasons, which the naive snapshot does not work out. */
function outline(verdict: Verdict): unknown {
  if (verdict.fit) return 'fits';
  const { plugin, reasons, message } = verdict;
  return { plugin, texts: reasons.map(({ text }) => text), message };
}

describe('the snapshot', () => {
  it('answers as the naive one after any history', () => {
    fc.assert(
      fc.property(history, ({ known, steps }) => {
        const fast = createSnapshot();
        const naive = new NaiveSnapshot();
        let depth = 0;
        for (const step of steps) {
          expect(run(fast, step, depth)).toEqual(run(naive, step, depth));
          depth = nextDepth(depth, step);
          expect(portrait(fast, known)).toEqual(portrait(naive, known));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is after a revert as if the fork had never been, also in what it decides next', () => {
    fc.assert(
      fc.property(history, history, history, (before, inside, after) => {
        const forked = createSnapshot();
        const untouched = createSnapshot();
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
        const snapshots = [createSnapshot(), new NaiveSnapshot()];
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
