import {
  DEFAULT_SCALE_UP_POLICY,
  planSalvo,
  planScaleUp,
  runToEnd,
} from '../../../src/domain/scale-up/index.js';
import type { ScaleUpPlan } from '../../../src/domain/scale-up/index.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../../src/domain/kubernetes/pod.js';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../../src/domain/kubernetes/labels.js';
import { buildNode, buildPod } from '../../support/builders.js';
import { fates, pending, planInput, prepare, sizes } from './scale-up-world.js';
import type { Cluster, Pool } from './scale-up-world.js';

function zone(name: string, fields: Partial<Pool> = {}): Pool {
  return { maxSize: 20, node: { cpuMilli: 2_000, labels: { [ZONE_LABEL]: name } }, ...fields };
}

function spread(
  topologyKey: string,
  fields: Partial<TopologySpreadConstraint> = {},
): TopologySpreadConstraint {
  return {
    topologyKey,
    maxSkew: 1,
    minDomains: null,
    selector: { matchLabels: new Map([['app', 's']]), matchExpressions: [] },
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Ignore',
    ...fields,
  };
}

function spreadPods(count: number, cpuMilli: number, topologySpread = [spread(ZONE_LABEL)]): Pod[] {
  return pending(count, cpuMilli, { labels: { app: 's' }, shape: { topologySpread } });
}

function salvo(cluster: Cluster): ScaleUpPlan {
  const input = planInput(cluster, prepare(cluster));
  const policy = { ...DEFAULT_SCALE_UP_POLICY, salvo: true, ...cluster.policy };
  const before = input.snapshot.nodeNames();
  const plan = runToEnd(planSalvo(input, policy));
  expect(input.snapshot.nodeNames()).toEqual(before);
  return plan;
}

describe('growth of several zones in one plan', () => {
  // case U045
  it('gives each zone its share, whatever node comes first', () => {
    const plan = salvo({ pools: { z1: zone('z1'), z2: zone('z2') }, pods: spreadPods(10, 1_500) });
    expect(sizes(plan)).toEqual(['z1 0->5', 'z2 0->5']);
    expect(fates(plan.reports).triggered).toHaveLength(10);
  });

  it('uses the room that is left on nodes of earlier rounds', () => {
    const plan = salvo({ pools: { z1: zone('z1'), z2: zone('z2') }, pods: spreadPods(12, 500) });
    // Four pods a node, and six pods a zone.
    expect(sizes(plan)).toEqual(['z1 0->2', 'z2 0->2']);
    expect(fates(plan.reports).triggered).toHaveLength(12);
  });

  it('minds hosts beside zones', () => {
    const rules = [spread(ZONE_LABEL), spread(HOSTNAME_LABEL)];
    const plan = salvo({ pools: { z1: zone('z1'), z2: zone('z2') }, pods: spreadPods(6, 100, rules) });
    expect(fates(plan.reports).triggered).toHaveLength(6);
    expect(plan.increases.map(({ newSize }) => newSize)).toEqual([1, 1]);
  });

  it('begins from what runs in the zones already', () => {
    const cluster = {
      pools: { z1: zone('z1', { size: 1, busyMilli: 2_000 }), z2: zone('z2'), z3: zone('z3') },
      pods: spreadPods(9, 1_500),
    };
    expect([...sizes(salvo(cluster))].sort()).toEqual(['z1 1->4', 'z2 0->3', 'z3 0->3']);
  });

  it('does not wait for a zone whose group can not grow', () => {
    const full = zone('z2', { maxSize: 0 });
    expect(sizes(salvo({ pools: { z1: zone('z1'), z2: full }, pods: spreadPods(4, 1_500) }))).toEqual([
      'z1 0->4',
    ]);
  });

  it('does not wait for a zone whose nodes would not take the pods', () => {
    const small = zone('z2', { node: { cpuMilli: 1_000, labels: { [ZONE_LABEL]: 'z2' } } });
    expect(sizes(salvo({ pools: { z1: zone('z1'), z2: small }, pods: spreadPods(4, 1_500) }))).toEqual([
      'z1 0->4',
    ]);
  });

  it('stops at the limit of the cluster', () => {
    const cluster = {
      pools: { z1: zone('z1'), z2: zone('z2') },
      pods: spreadPods(10, 1_500),
      foreign: [buildNode('foreign', { unschedulable: true })],
      policy: { maxNodesTotal: 5 },
    };
    const plan = salvo(cluster);
    expect(sizes(plan)).toEqual(['z1 0->2', 'z2 0->2']);
    expect(fates(plan.reports).triggered).toHaveLength(4);
  });

  it('stops at a quota of the cluster, whichever group uses it up', () => {
    const cores = { id: 'cluster-wide', selector: null, limits: new Map([['cpu', 8]]) };
    const pools = { z1: zone('z1'), z2: zone('z2') };
    const plan = salvo({ pools, pods: spreadPods(10, 1_500), quotas: [cores] });
    expect(sizes(plan)).toEqual(['z1 0->2', 'z2 0->2']);
  });

  it('does not wait for a zone whose nodes would take only some of the pods', () => {
    const small = zone('z2', { node: { cpuMilli: 1_000, labels: { [ZONE_LABEL]: 'z2' } } });
    const pods = [...spreadPods(4, 1_500), ...spreadPods(1, 400)];
    expect(sizes(salvo({ pools: { z1: zone('z1'), z2: small }, pods }))).toEqual(['z1 0->4']);
  });

  it('expects no zone any more when it is done', () => {
    const cluster = { pools: { z1: zone('z1'), z2: zone('z2') }, pods: spreadPods(2, 100) };
    const input = planInput(cluster, prepare(cluster));
    runToEnd(planSalvo(input, { ...DEFAULT_SCALE_UP_POLICY, salvo: true }));
    input.snapshot.addNode(buildNode('n', { labels: { [ZONE_LABEL]: 'z1' } }));
    const verdicts = cluster.pods.map((pod) => input.snapshot.place(pod, 'n').fit);
    expect(verdicts).toEqual([true, true]);
  });
});

describe('pods that go where others are', () => {
  const near = (app: string): PodAffinityTerm => ({
    topologyKey: ZONE_LABEL,
    selector: { matchLabels: new Map([['app', app]]), matchExpressions: [] },
    namespaces: [],
    namespaceSelector: null,
  });
  const follower = (name: string, cpuMilli: number) =>
    buildPod(name, { cpuMilli, labels: { app: 'web' }, shape: { podAffinity: [near('db')] } });
  const leader = (cpuMilli: number) => buildPod('db', { cpuMilli, labels: { app: 'db' } });

  it('share the node that these are the reason for, and need no other', () => {
    const plan = salvo({ pools: { a: zone('z1') }, pods: [follower('web', 1_500), leader(300)] });
    expect(sizes(plan)).toEqual(['a 0->1']);
    expect(fates(plan.reports).triggered).toEqual(['web', 'db']);
  });

  it('keep the place that the estimation gave them before smaller pods', () => {
    const pods = [follower('web', 1_500), leader(300), ...pending(5, 200)];
    const plan = salvo({ pools: { a: zone('z1') }, pods });
    expect(sizes(plan)).toEqual(['a 0->2']);
    expect(fates(plan.reports).triggered).toHaveLength(7);
  });
});

describe('one round', () => {
  it('is as good as no salvo where nothing is left over', () => {
    const cluster: Cluster = { pools: { a: {}, b: {} }, pods: pending(3, 1_000) };
    const single = runToEnd(planScaleUp(planInput(cluster, prepare(cluster)), DEFAULT_SCALE_UP_POLICY));
    const plan = salvo(cluster);
    expect(sizes(plan)).toEqual(sizes(single));
    expect(fates(plan.reports)).toEqual(fates(single.reports));
  });

  it('tells what nobody can help', () => {
    const plan = salvo({ pools: { a: {} }, pods: pending(1, 64_000) });
    expect(plan.result).toBe('ScaleUpNoOptionsAvailable');
    expect(fates(plan.reports)).toEqual({ triggered: [], awaiting: [], remaining: ['p64000-0'] });
  });
});
