import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/cluster-snapshot.js';
import { SnapshotError } from '../../../src/domain/simulation/snapshot-error.js';
import { buildNode, buildPod } from '../../support/builders.js';
import type { NodeOptions } from '../../support/builders.js';

function snapshotOf(...nodes: (string | [string, NodeOptions])[]): ClusterSnapshot {
  const snapshot = createSnapshot();
  for (const node of nodes) {
    snapshot.addNode(typeof node === 'string' ? buildNode(node) : buildNode(node[0], node[1]));
  }
  return snapshot;
}

function podNames(snapshot: ClusterSnapshot, nodeName: string): string[] {
  return snapshot.podsOn(nodeName).map(({ name }) => name);
}

describe('fork, revert, commit', () => {
  it('restores pods and nodes of nested forks', () => {
    // scheduling 6.L/158
    const snapshot = snapshotOf('n1', 'n2', 'n3');
    snapshot.addPod(buildPod('on-n2'), 'n2');
    snapshot.fork();
    snapshot.place(buildPod('p', { cpuMilli: 4_000 }), 'n1');
    snapshot.fork();
    snapshot.removeNode('n2');
    expect(snapshot.nodeNames()).toEqual(['n1', 'n3']);
    snapshot.revert();
    snapshot.revert();
    expect(snapshot.nodeNames()).toEqual(['n1', 'n2', 'n3']);
    expect([podNames(snapshot, 'n1'), podNames(snapshot, 'n2')]).toEqual([[], ['on-n2']]);
    expect(snapshot.check(buildPod('q', { cpuMilli: 4_000 }), 'n1').fit).toBe(true);
  });

  it('keeps what was committed', () => {
    // scheduling 6.L/159
    const snapshot = snapshotOf('n1');
    snapshot.fork();
    snapshot.place(buildPod('p'), 'n1');
    snapshot.commit();
    snapshot.commit();
    expect(podNames(snapshot, 'n1')).toEqual(['p']);
    expect(() => snapshot.revert()).toThrow(SnapshotError);
    expect(podNames(snapshot, 'n1')).toEqual(['p']);
  });

  it('hands committed changes to the outer fork', () => {
    const snapshot = snapshotOf('n1', 'n2');
    snapshot.fork();
    snapshot.fork();
    snapshot.removeNode('n1');
    snapshot.commit();
    expect(snapshot.nodeNames()).toEqual(['n2']);
    snapshot.revert();
    expect(snapshot.nodeNames()).toEqual(['n1', 'n2']);
  });

  it('puts a pod back at its place', () => {
    const snapshot = snapshotOf('n1');
    const pods = ['a', 'b', 'c'].map((name) => buildPod(name, { cpuMilli: 1_000 }));
    pods.forEach((pod) => snapshot.addPod(pod, 'n1'));
    snapshot.fork();
    snapshot.removePod(pods[1]!, 'n1');
    expect(podNames(snapshot, 'n1')).toEqual(['a', 'c']);
    snapshot.revert();
    expect(podNames(snapshot, 'n1')).toEqual(['a', 'b', 'c']);
  });

  it('lets a node come back under its name, at the end', () => {
    const snapshot = snapshotOf('n1', 'n2');
    snapshot.addPod(buildPod('p'), 'n1');
    snapshot.removeNode('n1');
    snapshot.addNode(buildNode('n1', { unschedulable: true }));
    expect(snapshot.nodeNames()).toEqual(['n2', 'n1']);
    expect(podNames(snapshot, 'n1')).toEqual([]);
  });

  it('keeps amounts that are beyond exact sums as they were', () => {
    const snapshot = snapshotOf('n1');
    const huge = buildPod('huge', { memoryBytes: Number.MAX_SAFE_INTEGER });
    snapshot.fork();
    for (let i = 0; i < 3; i++) snapshot.addPod(huge, 'n1');
    snapshot.revert();
    const free = 8 * 1024 ** 3;
    expect(snapshot.check(buildPod('p', { memoryBytes: free }), 'n1').fit).toBe(true);
    expect(snapshot.check(buildPod('p', { memoryBytes: free + 1 }), 'n1').fit).toBe(false);
  });
});

describe('placeAnywhere', () => {
  const big = buildPod('big', { cpuMilli: 4_000 });

  it('begins behind the node found last, and comes round', () => {
    // scheduling 6.L/154
    const snapshot = snapshotOf('n0', 'n1', 'n2', 'n3');
    snapshot.placeAnywhere(buildPod('p'), { accepts: (name) => name === 'n1' });
    const visited: string[] = [];
    snapshot.placeAnywhere(buildPod('p'), { accepts: (name) => visited.push(name) < 0 });
    expect(visited).toEqual(['n2', 'n3', 'n0', 'n1']);
  });

  it('does not use a cordoned node, which a direct check allows to a pod that tolerates the cordon', () => {
    // scheduling 6.L/155
    const snapshot = snapshotOf(['n1', { unschedulable: true }]);
    const tolerations = [
      { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', value: '', effect: '' },
    ];
    const pod = buildPod('p', { shape: { tolerations } });
    expect(snapshot.check(pod, 'n1').fit).toBe(true);
    expect(snapshot.placeAnywhere(pod)).toMatchObject({
      fit: false,
      plugin: 'NoFittingNode',
      reasons: [{ text: "couldn't find a matching Node with passing predicates" }],
    });
  });

  it('tries the hint first', () => {
    const snapshot = snapshotOf('n0', 'n1', 'n2');
    expect(snapshot.placeAnywhere(buildPod('p'), { hint: 'n2' })).toEqual({ fit: true, nodeName: 'n2' });
  });

  it.each(['gone', 'full', 'refused'])('searches all nodes when the hint is %s', (hint) => {
    // scheduling 6.L/152
    const snapshot = snapshotOf('full', 'refused', 'n1');
    snapshot.addPod(big, 'full');
    const placement = snapshot.placeAnywhere(big, { hint, accepts: (name) => name !== 'refused' });
    expect(placement).toEqual({ fit: true, nodeName: 'n1' });
  });

  it('moves a pod, whatever node it has at present', () => {
    const snapshot = snapshotOf('n0', 'n1');
    const placement = snapshot.placeAnywhere(buildPod('p', { nodeName: 'gone' }), {
      accepts: (n) => n === 'n0',
    });
    expect(placement).toEqual({ fit: true, nodeName: 'n0' });
  });

  it('searches again once room appears', () => {
    const snapshot = snapshotOf('n0');
    const blocker = buildPod('blocker', { cpuMilli: 1_000 });
    snapshot.addPod(blocker, 'n0');
    expect(snapshot.placeAnywhere(big).fit).toBe(false);
    snapshot.removePod(blocker, 'n0');
    expect(snapshot.placeAnywhere(big).fit).toBe(true);
    expect(snapshot.placeAnywhere(big).fit).toBe(false);
    snapshot.addNode(buildNode('n1'));
    expect(snapshot.placeAnywhere(big)).toEqual({ fit: true, nodeName: 'n1' });
  });

  it('searches again after a fork that took the room is reverted', () => {
    const snapshot = snapshotOf('n0');
    snapshot.fork();
    snapshot.addPod(big, 'n0');
    expect(snapshot.placeAnywhere(big).fit).toBe(false);
    snapshot.revert();
    expect(snapshot.placeAnywhere(big).fit).toBe(true);
  });

  it.each<[string, NodeOptions]>([
    ['room', { cpuMilli: 1_000, labels: { zone: 'a' } }],
    ['labels', { labels: { zone: 'b' } }],
  ])('finds a node again that was away while another lacked the %s', (_, other) => {
    const pod = buildPod('p', { cpuMilli: 4_000, shape: { nodeSelector: new Map([['zone', 'a']]) } });
    const snapshot = snapshotOf(['n0', { labels: { zone: 'a' } }], ['n1', other]);
    snapshot.placeAnywhere(buildPod('first'), { accepts: (name) => name === 'n1' }); // The next begins at n0.
    snapshot.fork();
    snapshot.removeNode('n0');
    expect(snapshot.placeAnywhere(pod).fit).toBe(false);
    snapshot.revert();
    expect(snapshot.placeAnywhere(pod)).toEqual({ fit: true, nodeName: 'n0' });
  });

  it('does not take a search among some nodes for a search among all', () => {
    const snapshot = snapshotOf('n0');
    expect(snapshot.placeAnywhere(big, { accepts: () => false }).fit).toBe(false);
    expect(snapshot.placeAnywhere(big).fit).toBe(true);
  });

  it('does not search twice for equal pods that fit nowhere', () => {
    let looks = 0;
    const snapshot = createSnapshot();
    const node = buildNode('n0', { cpuMilli: 10_000, memoryBytes: 1 });
    const watched = new Map(node.labels);
    watched.get = (key: string) => {
      looks++;
      return Map.prototype.get.call(node.labels, key) as string | undefined;
    };
    snapshot.addNode({ ...node, labels: watched });
    // Hostname selectors are judged on each node anew, so that the number of looks shows the number of searches.
    const nodeSelector = new Map([['kubernetes.io/hostname', 'n0']]);
    const tooBig = (i: number) => buildPod(`p${i}`, { cpuMilli: 1, memoryBytes: 1, shape: { nodeSelector } });
    expect(snapshot.placeAnywhere(tooBig(0)).fit).toBe(true);
    expect(snapshot.placeAnywhere(tooBig(1)).fit).toBe(false);
    const afterFirstMiss = looks;
    for (let i = 2; i < 100; i++) expect(snapshot.placeAnywhere(tooBig(i)).fit).toBe(false);
    expect(looks).toBe(afterFirstMiss);
  });
});

describe('records', () => {
  it('gives out copies', () => {
    const snapshot = snapshotOf('n1');
    snapshot.addPod(buildPod('a'), 'n1');
    const before = snapshot.podsOn('n1');
    snapshot.addPod(buildPod('b'), 'n1');
    expect(before.length).toBe(1);
  });

  it('takes a node without an entry for slots for full', () => {
    // scheduling 6.C/31
    const snapshot = createSnapshot();
    snapshot.addNode({ ...buildNode('n1'), allocatable: new Map([['cpu', 4_000]]) });
    expect(snapshot.check(buildPod('p'), 'n1')).toMatchObject({ reasons: [{ text: 'Too many pods' }] });
  });

  it('finds a pod by uid where the record is another', () => {
    const snapshot = snapshotOf('n1');
    const pod = buildPod('a', { cpuMilli: 4_000 });
    snapshot.addPod(pod, 'n1');
    snapshot.removePod({ ...pod }, 'n1');
    expect(snapshot.podsOn('n1')).toEqual([]);
    expect(snapshot.check(pod, 'n1').fit).toBe(true);
  });

  it.each<[string, (snapshot: ClusterSnapshot) => void]>([
    ['duplicate-node', (snapshot) => snapshot.addNode(buildNode('n1'))],
    ['unknown-node', (snapshot) => snapshot.removeNode('n9')],
    ['unknown-node', (snapshot) => void snapshot.check(buildPod('p'), 'n9')],
    ['unknown-pod', (snapshot) => snapshot.removePod(buildPod('p'), 'n1')],
    ['no-fork', (snapshot) => snapshot.revert()],
  ])('refuses misuse: %s', (code, misuse) => {
    expect(() => misuse(snapshotOf('n1'))).toThrow(expect.objectContaining({ code }));
  });
});
