import { estimateByRuns } from '../../../src/domain/estimation/index.js';
import { classifyPods, createSnapshot } from '../../../src/domain/simulation/index.js';
import { buildPod, buildTemplate } from '../../support/builders.js';

/** The API wants a maxSkew of 1 or more; less than a pod's own weight allows no pod, however few domains there are. */
describe('a spread constraint with an impossible maxSkew', () => {
  it.each([
    ['zone', 0, 'w', 0],
    ['zone', -1, 'w', 0],
    ['zone', -1, 'other', 0],
    ['kubernetes.io/hostname', 0, 'w', 0],
    ['kubernetes.io/hostname', -1, 'other', 0],
    ['kubernetes.io/hostname', 0, 'other', 2],
    ['zone', 1, 'w', 2],
  ])('on %s with maxSkew %i, pods labelled %s: %i placed', (topologyKey, maxSkew, app, expected) => {
    const constraint = {
      topologyKey,
      maxSkew,
      minDomains: null,
      selector: { matchLabels: new Map([['app', 'w']]), matchExpressions: [] },
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
    };
    const pods = ['a', 'b'].map((name) =>
      buildPod(name, { labels: { app }, shape: { topologySpread: [constraint] } }),
    );
    const template = buildTemplate('g', { labels: { zone: 'a' } });
    const { placed } = estimateByRuns(createSnapshot(), template, classifyPods(pods).classes, {
      maxNodes: 5,
    });
    expect(placed).toEqual([expected]);
  });
});
