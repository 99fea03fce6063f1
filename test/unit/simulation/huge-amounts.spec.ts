import { createSnapshot } from '../../../src/domain/simulation/index.js';
import { buildNode, buildPod } from '../../support/builders.js';

const HUGE = Number.MAX_SAFE_INTEGER;

describe('amounts whose sums are beyond 2^53', () => {
  it.each([2, 3, 4, 5])('are given back to the byte when %i pods leave', (count) => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n1', { memoryBytes: 5 }));
    const pods = Array.from({ length: count }, (_, index) =>
      buildPod(`huge-${index.toString()}`, { memoryBytes: HUGE - index }),
    );
    for (const pod of pods) snapshot.addPod(pod, 'n1');
    for (const pod of pods) snapshot.removePod(pod, 'n1');

    const fits = [5, 6].map((bytes) => snapshot.check(buildPod('p', { memoryBytes: bytes }), 'n1').fit);
    expect(fits).toEqual([true, false]);
  });

  it('are what they were after a revert', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n1', { memoryBytes: HUGE }));
    snapshot.fork();
    const pods = ['a', 'b', 'c'].map((name) => buildPod(name, { memoryBytes: HUGE - 2 }));
    for (const pod of pods) snapshot.addPod(pod, 'n1');
    snapshot.removePod(pods[0]!, 'n1');
    snapshot.revert();

    expect(snapshot.check(buildPod('p', { memoryBytes: HUGE }), 'n1').fit).toBe(true);
  });
});
