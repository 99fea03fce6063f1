import { classifyPods } from '../../src/domain/simulation/classify-pods.js';
import { estimateByRuns } from '../../src/domain/estimation/estimate-by-runs.js';
import { HOSTNAME_LABEL } from '../../src/domain/kubernetes/labels.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../src/domain/kubernetes/pod.js';
import { matchClasses } from '../../src/domain/scale-up/match-classes.js';
import type { ClusterSnapshot } from '../../src/domain/simulation/cluster-snapshot.js';
import { createSnapshot } from '../../src/domain/simulation/journaled-snapshot.js';
import { relevantLabelKeys } from '../../src/domain/simulation/relevant-labels.js';
import { buildNode, buildPod, buildTemplate, GIB, MIB } from '../support/builders.js';
import type { PodOptions } from '../support/builders.js';
import { compare, measure, mustEqual, sequence } from './measure.js';

/** Pods with rules about each other: spread, affinity and anti-affinity, each at three sizes to see how it grows. */

const ZONES = ['a', 'b', 'c'];
const SIZES = [1, 4, 16] as const;

function apps(app: string): PodAffinityTerm['selector'] {
  return { matchLabels: new Map([['app', app]]), matchExpressions: [] };
}

function term(topologyKey: string, app: string): PodAffinityTerm {
  return { topologyKey, selector: apps(app), namespaces: [], namespaceSelector: null };
}

function spread(topologyKey: string, app: string): TopologySpreadConstraint {
  return {
    topologyKey,
    maxSkew: 1,
    minDomains: null,
    selector: apps(app),
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
  };
}

function zonedNodes(count: number): ClusterSnapshot {
  const snapshot = createSnapshot();
  for (let i = 0; i < count; i++) snapshot.addNode(buildNode(`n${i}`, { labels: { zone: ZONES[i % 3]! } }));
  return snapshot;
}

/** Pods of so many apps, one after the other. */
function podsOf(count: number, appCount: number, rulesOf: (app: string) => PodOptions['shape']): Pod[] {
  const kinds = Array.from({ length: appCount }, (_, i) => {
    const app = `app-${i}`;
    return { labels: { app }, shape: rulesOf(app) ?? {}, cpuMilli: 10, memoryBytes: MIB };
  });
  const exemplars = kinds.map((kind, i) => buildPod(`kind-${i}`, kind));
  return Array.from({ length: count }, (_, i) => {
    const { labels, shape } = exemplars[i % appCount]!;
    return { ...exemplars[0]!, uid: `uid-${i}`, name: `p${i}`, labels, shape };
  });
}

function placeAll(snapshot: ClusterSnapshot, pods: readonly Pod[]): number {
  return pods.filter((pod) => snapshot.placeAnywhere(pod).fit).length;
}

const n = (count: number): string => count.toLocaleString('en');

/** Runs a case at 1, 4 and 16 times its size and tells how the time grows. */
function grow(run: (factor: number) => number): void {
  const [one, four, sixteen] = SIZES.map(run);
  compare('4 times the size', one!, four!);
  compare('16 times the size', one!, sixteen!);
}

/** 312 to 5,000 nodes, 3,120 to 50,000 pods of ten for each node, whose apps want a node each. */
function hostnameAntiAffinity(factor: number): number {
  const nodes = 312.5 * factor;
  const pods = podsOf(Math.floor(nodes) * 10, 10, (app) => ({
    podAntiAffinity: [term(HOSTNAME_LABEL, app)],
  }));
  return measure({
    name: `anti-affinity by node: ${n(Math.floor(nodes))} nodes, ${n(pods.length)} pods of 10 apps`,
    count: pods.length,
    unit: 'pod',
    prepare: () => zonedNodes(Math.floor(nodes)),
    run: (snapshot) => mustEqual(placeAll(snapshot, pods), pods.length),
  });
}

function zoneSpread(factor: number): number {
  const nodes = Math.floor(312.5 * factor);
  const pods = podsOf(nodes * 10, 50, (app) => ({ topologySpread: [spread('zone', app)] }));
  return measure({
    name: `spread over 3 zones: ${n(nodes)} nodes, ${n(pods.length)} pods of 50 apps`,
    count: pods.length,
    unit: 'pod',
    prepare: () => zonedNodes(nodes),
    run: (snapshot) => mustEqual(placeAll(snapshot, pods), pods.length),
  });
}

/** Each app wants to be in the zone of the app before. */
function affinityChains(factor: number): number {
  const links = 125 * factor;
  const pods = podsOf(links * 10, links, (app) => {
    const link = Number(app.slice('app-'.length));
    return link === 0 ? {} : { podAffinity: [term('zone', `app-${link - 1}`)] };
  });
  return measure({
    name: `affinity chain of ${n(links)} apps: as many nodes, ${n(pods.length)} pods`,
    count: pods.length,
    unit: 'pod',
    prepare: () => zonedNodes(links),
    run: (snapshot) => mustEqual(placeAll(snapshot, pods), pods.length),
  });
}

function onePodClasses(factor: number): number {
  const count = 625 * factor;
  const pods = podsOf(count, count, (app) => ({ podAntiAffinity: [term(HOSTNAME_LABEL, app)] }));
  const template = buildTemplate('g', { labels: { zone: 'a' } });
  return measure({
    name: `${n(count)} classes of one pod with a rule each: classified, checked, packed`,
    count,
    unit: 'class',
    prepare: createSnapshot,
    run: (snapshot) => {
      const { classes } = classifyPods(pods, relevantLabelKeys(pods, []));
      mustEqual(classes.length, count);
      const fitting = classes.filter((_, i) => matchClasses(snapshot, template, [classes[i]!])[0] === null);
      const { placed } = estimateByRuns(snapshot, template, fitting, { maxNodes: null });
      mustEqual(
        placed.reduce((sum, each) => sum + each, 0),
        count,
      );
    },
  });
}

/** Each node tried: its 40 pods go elsewhere, or all is undone. Half of the apps have a rule. */
function removals(factor: number): number {
  const nodes = 125 * factor;
  const appCount = 200;
  const random = sequence(3);
  const pods = podsOf(nodes * 40, appCount, (app) => {
    const index = Number(app.slice('app-'.length));
    if (index % 4 === 0) return { topologySpread: [spread('zone', app)] };
    return index % 4 === 1 && index < 40 ? { podAntiAffinity: [term(HOSTNAME_LABEL, app)] } : {};
  });
  return measure({
    name: `removal of each of ${n(nodes)} nodes with 40 pods tried`,
    count: nodes,
    unit: 'node',
    prepare: () => {
      const snapshot = createSnapshot();
      for (let i = 0; i < nodes; i++) {
        const own = pods.slice(i * 40, i * 40 + 40).map((pod) => ({ ...pod, nodeName: `n${i}` }));
        const cpuMilli = 450 + Math.floor(random() * 200);
        snapshot.addNode(buildNode(`n${i}`, { cpuMilli, labels: { zone: ZONES[i % 3]! } }), own);
      }
      return snapshot;
    },
    run: (snapshot) => {
      for (const name of snapshot.nodeNames()) {
        const own = snapshot.podsOn(name);
        snapshot.fork();
        snapshot.removeNode(name);
        if (own.every((pod) => snapshot.placeAnywhere({ ...pod, nodeName: '' }).fit)) snapshot.commit();
        else snapshot.revert();
      }
    },
  });
}

/** 5,000 nodes, 100,000 pending pods of 2,000 classes, 50 groups: a third of the classes has a rule. */
function wholeIteration(factor: number): number {
  const nodes = Math.floor(312.5 * factor);
  const classCount = 125 * factor;
  const pods = podsOf(6_250 * factor, classCount, (app) => {
    const index = Number(app.slice('app-'.length));
    if (index % 9 === 0) return { topologySpread: [spread('zone', app)] };
    if (index % 9 === 3) return { podAntiAffinity: [term(HOSTNAME_LABEL, app)] };
    return index % 9 === 6 ? { topologySpread: [spread(HOSTNAME_LABEL, app)] } : {};
  });
  const groups = Array.from({ length: 50 }, (_, i) =>
    buildTemplate(`g${i}`, {
      cpuMilli: 4_000 * (1 + (i % 8)),
      memoryBytes: (8 + 8 * (i % 5)) * GIB,
      labels: { zone: ZONES[i % 3]!, pool: `pool-${i % 10}` },
    }),
  );
  return measure({
    name: `${n(nodes)} full nodes, ${n(pods.length)} pods of ${n(classCount)} classes over 50 groups`,
    count: pods.length,
    unit: 'pod',
    prepare: () => {
      const snapshot = createSnapshot();
      for (let i = 0; i < nodes; i++) {
        const labels = { zone: ZONES[i % 3]! };
        snapshot.addNode(buildNode(`n${i}`, { pods: 0, labels }), pods.slice(i, i + 1));
      }
      return snapshot;
    },
    run: (snapshot) => {
      mustEqual(placeAll(snapshot, pods), 0);
      const { classes } = classifyPods(pods, relevantLabelKeys(pods, pods));
      mustEqual(classes.length, classCount);
      for (const template of groups) {
        const verdicts = matchClasses(snapshot, template, classes);
        const fitting = classes.filter((_, i) => verdicts[i] === null);
        estimateByRuns(snapshot, template, fitting, { maxNodes: 1_000 });
      }
    },
  });
}

grow(hostnameAntiAffinity);
grow(zoneSpread);
grow(affinityChains);
grow(onePodClasses);
grow(removals);
grow(wholeIteration);
