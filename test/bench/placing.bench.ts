import type { Pod } from '../../src/domain/kubernetes/pod.js';
import type { ClusterSnapshot } from '../../src/domain/simulation/cluster-snapshot.js';
import { createSnapshot } from '../../src/domain/simulation/journaled-snapshot.js';
import { buildNode, buildPod, MIB } from '../support/builders.js';
import { compare, measure, mustEqual, sequence } from './measure.js';

/** Searches on existing nodes: which pending pods have room already, and which nodes could go. */

function filterOutSchedulable(nodes: number, pending: number): number {
  const waiting = Array.from({ length: pending }, (_, i) =>
    buildPod(`pending-${i}`, { cpuMilli: 1_000, memoryBytes: 2_000_000 }),
  );
  return measure({
    name: `FilterOutSchedulable: ${nodes} full nodes, ${pending.toLocaleString('en')} pods`,
    count: pending,
    unit: 'pod',
    prepare: () => {
      const snapshot = createSnapshot();
      for (let i = 0; i < nodes; i++) {
        const pod = buildPod(`scheduled-${i}`, { cpuMilli: 1_000, memoryBytes: 200_000 });
        snapshot.addNode(buildNode(`n${i}`, { cpuMilli: 2_000, memoryBytes: 200_000 }), [pod]);
      }
      return snapshot;
    },
    run: (snapshot) => mustEqual(placeAll(snapshot, waiting), 0),
  });
}

function fillNodes(nodes: number): number {
  const waiting = Array.from({ length: nodes * 18 }, (_, i) =>
    buildPod(`pending-${i}`, { cpuMilli: 100 + 50 * (i % 5), memoryBytes: 64 * MIB }),
  );
  return measure({
    name: `${nodes.toLocaleString('en')} empty nodes, filled to nine tenths`,
    count: waiting.length,
    unit: 'pod',
    prepare: () => {
      const snapshot = createSnapshot();
      for (let i = 0; i < nodes; i++) snapshot.addNode(buildNode(`n${i}`));
      return snapshot;
    },
    run: (snapshot) => mustEqual(placeAll(snapshot, waiting), waiting.length),
  });
}

function placeAll(snapshot: ClusterSnapshot, pods: readonly Pod[]): number {
  return pods.filter((pod) => snapshot.placeAnywhere(pod).fit).length;
}

interface RemovalInput {
  readonly snapshot: ClusterSnapshot;
  readonly hints: Map<string, string>;
}

/** 30 pods a node of 1,200 sizes, about 70 % full; two pools, and pods that stay in theirs. */
function removalInput(nodes: number): RemovalInput {
  const random = sequence(7);
  const sizes = Array.from({ length: 1_200 }, (_, i) => ({
    cpuMilli: 20 + Math.floor(random() * 320),
    memoryBytes: (32 + Math.floor(random() * 480)) * MIB,
    shape: { nodeSelector: new Map(i % 4 === 0 ? [['pool', i % 8 === 0 ? 'a' : 'b']] : []) },
  }));
  const snapshot = createSnapshot();
  for (let i = 0; i < nodes; i++) {
    const pool = i % 2 === 0 ? 'a' : 'b';
    const pods = Array.from({ length: 30 }, (_, k) => {
      const size = sizes[Math.floor(random() * sizes.length)]!;
      const wanted = size.shape.nodeSelector.get('pool');
      const nodeSelector = new Map(wanted === undefined ? [] : [['pool', pool]]);
      const id = `pod-${i}-${k}`;
      return buildPod(id, { ...size, uid: id, shape: { nodeSelector }, nodeName: `n${i}` });
    });
    snapshot.addNode(
      buildNode(`n${i}`, { cpuMilli: 8_000, memoryBytes: 16_384 * MIB, labels: { pool } }),
      pods,
    );
  }
  return { snapshot, hints: new Map() };
}

/** Every node tried: its pods go elsewhere, or all is undone. Returns how many nodes could go. */
function simulateRemovals({ snapshot, hints }: RemovalInput): number {
  let removed = 0;
  for (const name of snapshot.nodeNames()) {
    const pods = snapshot.podsOn(name);
    snapshot.fork();
    snapshot.removeNode(name);
    if (pods.every((pod) => move(pod, snapshot, hints))) {
      snapshot.commit();
      removed++;
    } else {
      snapshot.revert();
    }
  }
  return removed;
}

function move(pod: Pod, snapshot: ClusterSnapshot, hints: Map<string, string>): boolean {
  const hint = hints.get(pod.uid);
  const placement = snapshot.placeAnywhere(pod, hint === undefined ? {} : { hint });
  if (placement.fit) hints.set(pod.uid, placement.nodeName);
  return placement.fit;
}

function removal(nodes: number): number {
  let removed = 0;
  const tookMs = measure({
    name: `removal of each of ${nodes.toLocaleString('en')} nodes with 30 pods tried`,
    count: nodes,
    unit: 'node',
    prepare: () => removalInput(nodes),
    run: (input) => (removed = simulateRemovals(input)),
  });
  const { hints } = removalInput(nodes);
  measure({
    name: `the same with hints of the run before (${removed} could go)`,
    count: nodes,
    unit: 'node',
    prepare: () => {
      simulateRemovals({ ...removalInput(nodes), hints });
      return { ...removalInput(nodes), hints: new Map(hints) };
    },
    run: simulateRemovals,
  });
  return tookMs;
}

function forks(nodes: number): void {
  const snapshot = createSnapshot();
  for (let i = 0; i < nodes; i++) snapshot.addNode(buildNode(`n${i}`));
  const extra = [buildNode('x'), buildNode('y')];
  measure({
    name: `ForkAddRevert on ${nodes.toLocaleString('en')} nodes, 10,000 times`,
    count: 10_000,
    unit: 'fork, add, fork, add, revert, revert',
    prepare: () => snapshot,
    run: () => {
      for (let i = 0; i < 10_000; i++) {
        for (const node of extra) {
          snapshot.fork();
          snapshot.addNode(node);
        }
        snapshot.revert();
        snapshot.revert();
      }
    },
  });
}

filterOutSchedulable(200, 60_000);
filterOutSchedulable(1_000, 12_000);
const fillMs = fillNodes(1_250);
compare('4 times the nodes and pods', fillMs, fillNodes(5_000));
compare('5 times the nodes', removal(1_000), removal(5_000));
forks(1_000);
forks(15_000);
