import { estimateByRuns } from '../../../src/domain/estimation/index.js';
import type { Pod, PodAffinityTerm } from '../../../src/domain/kubernetes/pod.js';
import { HOSTNAME_LABEL } from '../../../src/domain/kubernetes/labels.js';
import { applyGrowth, noTimeLimit, runToEnd } from '../../../src/domain/scale-up/index.js';
import { matchClasses } from '../../../src/domain/scale-up/match-classes.js';
import { placeOnFreeRoom } from '../../../src/domain/scale-up/place-on-free-room.js';
import {
  ExpendablePods,
  classifyPods,
  createSnapshot,
  relevantLabelKeys,
} from '../../../src/domain/simulation/index.js';
import { buildNode, buildPod, buildTemplate } from '../../support/builders.js';

const near = (app: string): PodAffinityTerm => ({
  topologyKey: 'zone',
  selector: { matchLabels: new Map([['app', app]]), matchExpressions: [] },
  namespaces: [],
  namespaceSelector: null,
});

/** A pod of an app that wants to be near another. */
function follower(app: string, leader: string, cpuMilli = 100): Pod {
  return buildPod(app, { cpuMilli, labels: { app }, shape: { podAffinity: [near(leader)] } });
}

const classesOf = (pods: readonly Pod[]) => classifyPods(pods, relevantLabelKeys(pods, [])).classes;

describe('pods that wait for others', () => {
  const chain = [
    follower('c', 'b'),
    follower('b', 'a'),
    buildPod('a', { cpuMilli: 10, labels: { app: 'a' } }),
  ];

  it('find room behind those that come after them in the queue', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('n', { labels: { zone: 'z' } }));
    const found = runToEnd(
      placeOnFreeRoom({ snapshot, expendable: new ExpendablePods([], 0) }, chain, {}, noTimeLimit(0)),
    );
    expect(found.left).toEqual([]);
    expect(snapshot.podsOn('n').map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('count as helped by a group that takes those they wait for, and are packed with them', () => {
    const snapshot = createSnapshot();
    const template = buildTemplate('g', { labels: { zone: 'z' } });
    const classes = classesOf(chain);
    expect(matchClasses(snapshot, template, classes)).toEqual([null, null, null]);
    const { nodeCount, placed } = estimateByRuns(snapshot, template, classes, { maxNodes: null });
    expect([nodeCount, ...placed]).toEqual([1, 1, 1, 1]);
  });

  it('are turned away where nobody comes that they wait for, also in a circle', () => {
    const template = buildTemplate('g', { labels: { zone: 'z' } });
    const circle = classesOf([follower('x', 'y'), follower('y', 'x')]);
    const verdicts = matchClasses(createSnapshot(), template, circle);
    expect(verdicts.map((reasons) => reasons?.[0]?.text)).toEqual(
      Array(2).fill("node(s) didn't match pod affinity rules"),
    );
  });
});

describe('pods that are spread over nodes', () => {
  it('go round the new nodes as the estimation says', () => {
    const constraint = { ...near('w'), topologyKey: HOSTNAME_LABEL, maxSkew: 1, minDomains: null };
    const spread = { ...constraint, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' };
    const pods = Array.from({ length: 6 }, (_, i) =>
      buildPod(`w${i}`, { labels: { app: 'w' }, shape: { topologySpread: [spread] } }),
    );
    const growth = [{ template: buildTemplate('g'), count: 2 }];
    const applied = runToEnd(applyGrowth(createSnapshot(), classesOf(pods), growth, 'round-1'));
    expect(applied).toMatchObject({ placed: [6], left: [] });
  });
});
