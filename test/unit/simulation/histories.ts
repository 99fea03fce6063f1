import fc from 'fast-check';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/cluster-snapshot.js';
import type { Verdict } from '../../../src/domain/simulation/verdict.js';
import { nodeName } from './random-clusters.js';

/** Random histories of all operations of a snapshot, and what can be seen of it afterwards. */

export type Step =
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

export interface History {
  /** The pods that come up in it. */
  readonly known: readonly Pod[];
  readonly steps: readonly Step[];
}

/** Few pods, placed often: memory of failed searches only matters when a class comes again. */
export function histories(
  arbitraryPod: fc.Arbitrary<Pod>,
  arbitraryNode: fc.Arbitrary<Node>,
): fc.Arbitrary<History> {
  return fc.array(arbitraryPod, { minLength: 1, maxLength: 4 }).chain((known) => {
    const step = arbitraryStep(fc.constantFrom(...known), arbitraryNode);
    return fc.record({ known: fc.constant(known), steps: fc.array(step, { minLength: 1, maxLength: 40 }) });
  });
}

function arbitraryStep(pod: fc.Arbitrary<Pod>, node: fc.Arbitrary<Node>): fc.Arbitrary<Step> {
  return fc.oneof(
    fc.record({
      kind: fc.constant('add-node' as const),
      node,
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
}

export function run(snapshot: ClusterSnapshot, step: Step, depth: number): unknown {
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

export function nextDepth(depth: number, { kind }: Step): number {
  if (kind === 'fork') return depth + 1;
  return kind === 'revert' || kind === 'commit' ? Math.max(0, depth - 1) : depth;
}

/** Everything that can be seen of a snapshot. */
export function portrait(snapshot: ClusterSnapshot, probes: readonly Pod[]): unknown {
  return snapshot.nodeNames().map((name) => ({
    node: snapshot.node(name),
    pods: snapshot.podsOn(name),
    verdicts: probes.map((probe) => outline(snapshot.check(probe, name))),
  }));
}

/** Without the details of reasons, which the naive snapshot does not work out. */
export function outline(verdict: Verdict): unknown {
  if (verdict.fit) return 'fits';
  const { plugin, reasons, message } = verdict;
  return { plugin, texts: reasons.map(({ text }) => text), message };
}
