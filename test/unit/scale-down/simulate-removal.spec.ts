import {
  createScaleDownMemory,
  DEFAULT_SCALE_DOWN_POLICY,
  DisruptionTracker,
  WorkloadIndex,
} from '../../../src/domain/scale-down/index.js';
import { ExpendablePods } from '../../../src/domain/simulation/index.js';
import { PlacementHints } from '../../../src/domain/scale-down/hints.js';
import { placePods } from '../../../src/domain/scale-down/place-pods.js';
import type { RemovalWorld } from '../../../src/domain/scale-down/simulate-removal.js';
import { simulateRemoval } from '../../../src/domain/scale-down/simulate-removal.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterStorage } from '../../../src/domain/kubernetes/storage.js';
import { ZONE_LABEL } from '../../../src/domain/kubernetes/labels.js';
import { buildNode, buildPod, T0 } from '../../support/builders.js';
import {
  HCLOUD_DRIVER,
  HCLOUD_LOCATION,
  buildBoundClaim,
  buildClass,
  buildStorage,
  buildVolume,
  nodesWith,
} from '../../support/storage-builders.js';
import { OWNER, runningPod, snapshotOf } from './world.js';

const NO_HINTS = createScaleDownMemory(T0).hints;

function world(nodes: readonly Node[], pods: readonly Pod[] = [], storage?: ClusterStorage): RemovalWorld {
  return {
    snapshot: snapshotOf({ nodes, pods }, {}, storage),
    drain: {
      nowMs: T0,
      policy: DEFAULT_SCALE_DOWN_POLICY,
      workloads: new WorkloadIndex([OWNER]),
      budgets: new DisruptionTracker([]),
    },
    destinations: new Set(nodes.map(({ name }) => name)),
    expendable: new ExpendablePods(pods, -10),
    hints: new PlacementHints(NO_HINTS),
  };
}

function contents({ snapshot }: RemovalWorld) {
  return snapshot.nodeNames().map((name) => [name, snapshot.podsOn(name).map((pod) => pod.name)]);
}

function spreadOverZones(nodeTaintsPolicy: string) {
  return {
    topologyKey: ZONE_LABEL,
    maxSkew: 1,
    minDomains: null,
    selector: { matchLabels: new Map([['app', 'web']]), matchExpressions: [] },
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy,
  };
}

describe('pods below the cut-off', () => {
  const nodes = [buildNode('a'), buildNode('b')];
  const low = runningPod('low', 'b', { cpuMilli: 4_000, shape: { priority: -20 } });
  const removable = (preemptionPolicy: string | null): boolean => {
    const removal = world(nodes, [runningPod('p', 'a', { shape: { preemptionPolicy } }), low]);
    // As the loop fills it: without pods that everybody may push away.
    removal.snapshot.removePod(low, 'b');
    return simulateRemoval('a', removal).removable;
  };

  // case U097
  it('make way for pods that move, but not for one that may not preempt', () => {
    expect(removable(null)).toBe(true);
    expect(removable('Never')).toBe(false);
  });
});

describe('the removal of a node with volumes', () => {
  const storage = (accessModes: readonly string[] = []): ClusterStorage =>
    buildStorage({
      classes: [buildClass()],
      claims: ['data', 'other'].map((name) => buildBoundClaim(name, { accessModes })),
      volumes: ['data', 'other'].map((name) =>
        buildVolume(`pv-${name}`, { nodeAffinity: nodesWith(HCLOUD_LOCATION, 'fsn1') }),
      ),
    });
  const nodeIn = (name: string, location: string, limit = 16): Node =>
    buildNode(name, {
      labels: { [HCLOUD_LOCATION]: location },
      volumeLimits: new Map([[HCLOUD_DRIVER, limit]]),
    });
  const user = (name: string, node: string, claim: string): Pod =>
    runningPod(name, node, { claims: [claim] });
  const removable = (nodes: readonly Node[], pods: readonly Pod[], known = storage()): boolean =>
    simulateRemoval('a', world(nodes, pods, known)).removable;

  // scheduling 4.8
  it('needs a node that reaches them', () => {
    const pods = [user('db', 'a', 'data')];
    expect(removable([nodeIn('a', 'fsn1'), nodeIn('b', 'nbg1')], pods)).toBe(false);
    expect(removable([nodeIn('a', 'fsn1'), nodeIn('b', 'fsn1')], pods)).toBe(true);
  });

  it('needs a node with a place for them', () => {
    const pods = [user('db', 'a', 'data'), user('there', 'b', 'other')];
    expect(removable([nodeIn('a', 'fsn1'), nodeIn('b', 'fsn1', 1)], pods)).toBe(false);
    expect(removable([nodeIn('a', 'fsn1'), nodeIn('b', 'fsn1', 2)], pods)).toBe(true);
  });

  it('is not hindered by a claim that only the moving pod has', () => {
    const pods = [user('db', 'a', 'data')];
    expect(removable([nodeIn('a', 'fsn1'), nodeIn('b', 'fsn1')], pods, storage(['ReadWriteOncePod']))).toBe(
      true,
    );
  });
});

describe('the removal of a node', () => {
  it('needs nothing when the node is empty', () => {
    // scale-down 13.6/61
    const empty = world([buildNode('a'), buildNode('b')]);
    expect(simulateRemoval('a', empty)).toEqual({
      removable: true,
      pods: { blocked: false, toMove: [], daemonSet: [], onCompletion: [] },
    });
    expect(contents(empty)).toEqual([['b', []]]);
  });

  it('fails without room elsewhere and leaves the snapshot as it was', () => {
    // scale-down 13.6/62
    const full = [runningPod('p', 'a', { cpuMilli: 1_000 }), runningPod('q', 'b', { cpuMilli: 3_500 })];
    const tight = world([buildNode('a'), buildNode('b')], full);
    expect(simulateRemoval('a', tight)).toMatchObject({
      removable: false,
      reason: { rule: 'NoPlaceToMovePods', subject: 'default/p' },
      blockedByPlan: false,
    });
    expect(contents(tight)).toEqual([
      ['a', ['p']],
      ['b', ['q']],
    ]);
  });

  it('moves pods and lets those go that need not move', () => {
    // scale-down 13.6/63
    const pod = runningPod('p', 'a');
    const daemon = runningPod('d', 'a', { owner: { kind: 'DaemonSet', apiVersion: 'x/v1' } });
    const mirror = runningPod('m', 'a', { shape: { directives: { mirror: '' } } });
    const roomy = world([buildNode('a'), buildNode('b')], [pod, daemon, mirror]);
    expect(simulateRemoval('a', roomy)).toMatchObject({
      removable: true,
      pods: { toMove: [pod], daemonSet: [daemon] },
    });
    expect(contents(roomy)).toEqual([['b', ['p']]]);
  });

  it('is not possible for a node that is not there', () => {
    // scale-down 13.6/64
    expect(simulateRemoval('a', world([]))).toMatchObject({
      removable: false,
      reason: { rule: 'NoNodeInfo' },
    });
  });

  it('does not move pods onto the node itself, whatever they tolerate', () => {
    const tolerations = [{ key: '', operator: 'Exists', value: '', effect: '' }];
    const pod = runningPod('p', 'a', { shape: { tolerations, topologySpread: [spreadOverZones('Honor')] } });
    const zoned = buildNode('a', { labels: { [ZONE_LABEL]: 'a' } });
    expect(simulateRemoval('a', world([zoned], [pod]))).toMatchObject({ removable: false });
  });

  describe('that is the only one of its zone, with pods spread over zones,', () => {
    const spread = (nodeTaintsPolicy: string) => ({
      labels: { app: 'web' },
      shape: { topologySpread: [spreadOverZones(nodeTaintsPolicy)] },
    });
    const zoned = (nodeTaintsPolicy: string) => {
      const nodes = [
        buildNode('na', { labels: { [ZONE_LABEL]: 'a' } }),
        buildNode('nb', { labels: { [ZONE_LABEL]: 'b' } }),
      ];
      const pods = nodes.map(({ name }) => runningPod(`p-${name}`, name, spread(nodeTaintsPolicy)));
      return world(nodes, pods);
    };

    it('is not possible while the marked node counts as a domain', () => {
      // scale-down 13.6/65, scheduling 6.L/160
      const removal = zoned('Ignore');
      expect(simulateRemoval('nb', removal).removable).toBe(false);
      expect(removal.snapshot.hasNode('nb')).toBe(true);
    });

    it('is possible where marked nodes do not count as a domain', () => {
      // scale-down 13.6/66
      const removal = zoned('Honor');
      expect(simulateRemoval('nb', removal).removable).toBe(true);
      expect(removal.snapshot.hasNode('nb')).toBe(false);
    });
  });
});

describe('placing pods', () => {
  const nodes = ['a', 'b', 'c'].map((name) => buildNode(name, { cpuMilli: 1_000 }));
  const pod = (name: string, cpuMilli: number, priority: number | null = null) =>
    buildPod(name, { cpuMilli, shape: { priority } });

  function place(pods: readonly Pod[], hints: Readonly<Record<string, string>> = {}, accepts = () => true) {
    const snapshot = snapshotOf({ nodes, pods: [] });
    const book = new PlacementHints({ recent: hints, older: {} });
    const misfit = placePods(pods, { snapshot, hints: book, accepts });
    const places = snapshot
      .nodeNames()
      .flatMap((node) => snapshot.podsOn(node).map(({ name }) => `${name} on ${node}`));
    return { misfit, places: places.sort(), hints: book.toMemory().recent };
  }

  it('follows hints before it places others of the same priority', () => {
    // scale-down 13.6/67
    const [other, hinted] = [pod('other', 600), pod('hinted', 600)];
    const { places } = place([other, hinted], { [hinted.uid]: 'b' });
    expect(places).toContain('hinted on b');
    expect(places).not.toContain('other on b');
  });

  it('goes elsewhere when the hinted node is full, gone or not accepted', () => {
    // scale-down 13.6/67, 13.6/68
    const [first, second] = [pod('first', 600), pod('second', 600)];
    const full = place([first, second], { [first.uid]: 'a', [second.uid]: 'a' });
    expect(full.misfit).toBeNull();
    expect(full.places).toContain('first on a');
    const gone = place([first], { [first.uid]: 'vanished' });
    expect(gone.misfit).toBeNull();
    expect(Object.values(gone.hints)).toEqual([gone.places[0]?.slice(-1)]);
  });

  it('gives room to higher priorities first', () => {
    // scale-down 13.6/69
    const pods = [pod('low', 600), pod('mid', 600, 1), pod('high', 600, 5), pod('higher', 600, 9)];
    const { misfit, places } = place(pods);
    expect(misfit?.pod.name).toBe('low');
    expect(places.map((text) => text.split(' ')[0])).toEqual(['high', 'higher', 'mid']);
  });

  it('stops at the first pod that fits nowhere', () => {
    // scale-down 13.6/70
    const { misfit, places } = place([pod('first', 100), pod('huge', 9_000), pod('third', 100)]);
    expect(misfit?.pod.name).toBe('huge');
    expect(places).toHaveLength(1);
  });
});

describe('hints', () => {
  it('survive one update without use and no second one', () => {
    // scale-down 13.6/71
    const pod = buildPod('p');
    const first = new PlacementHints(NO_HINTS);
    first.set(pod, 'a');
    const second = new PlacementHints(first.toMemory());
    expect(second.of(pod)).toBe('a');
    const third = new PlacementHints(second.toMemory());
    expect(third.of(pod)).toBe('a');
    expect(new PlacementHints(third.toMemory()).of(pod)).toBeUndefined();
  });

  it('are kept by UID, or by name where there is none', () => {
    const hints = new PlacementHints(NO_HINTS);
    hints.set({ ...buildPod('p'), uid: '' }, 'a');
    expect(hints.toMemory().recent).toEqual({ 'default/p': 'a' });
  });
});
