import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { deployment } from './deployment.js';
import { Program, createWorld, runningPods } from './program.js';
import type { World } from './program.js';

const MINUTE = 60_000;
const REGION = 'topology.kubernetes.io/region';
const HOSTNAME = 'kubernetes.io/hostname';
const POOLS = ['--nodes=0:10:cx33:fsn1:first', '--nodes=0:10:cx33:nbg1:second'];

type Rules = Readonly<Record<string, unknown>>;

/** A deployment whose pods have rules about other pods. */
function ruled(name: string, replicas: number, cpu: string, rules: Rules): Manifest {
  const plain = deployment(name, replicas, cpu);
  const spec = plain['spec'] as { readonly template: { readonly spec: object } };
  const template = { ...spec.template, spec: { ...spec.template.spec, ...rules } };
  return { ...plain, spec: { ...spec, template } };
}

function selecting(app: string) {
  return { labelSelector: { matchLabels: { app } } };
}

/** Evenly over so many domains at least: without that, a single one would do as long as there is no other. */
function spreadOver(topologyKey: string, app: string, minDomains: number): Rules {
  const hard = { maxSkew: 1, minDomains, whenUnsatisfiable: 'DoNotSchedule' };
  const constraint = { topologyKey, ...hard, ...selecting(app) };
  return { topologySpreadConstraints: [constraint] };
}

function affinity(kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, more: Rules): Rules {
  const term = { topologyKey, ...more };
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

function serversOf({ sandbox }: World): readonly [first: number, second: number] {
  return [sandbox.poolServers('first').length, sandbox.poolServers('second').length];
}

/** The program with two empty pools in two regions; runs until as many pods of the apps run. */
async function grow(world: World, apps: Readonly<Record<string, number>>): Promise<void> {
  const program = await Program.start(world, POOLS);
  const isDone = (): boolean => Object.entries(apps).every(([app, pods]) => runningPods(world, app) === pods);
  await world.clock.runUntil(isDone, 20 * MINUTE);
  // Nothing is bought in vain afterwards.
  await world.clock.advance(3 * MINUTE);
  await program.stop();
}

jest.setTimeout(60_000);

describe('the composed program, for pods with rules about each other,', () => {
  it('buys a node for each pod that wants one without its like', async () => {
    const world = createWorld();
    world.sandbox.cluster.apply(
      ruled('web', 4, '100m', affinity('podAntiAffinity', HOSTNAME, selecting('web'))),
    );
    await grow(world, { web: 4 });
    const [first, second] = serversOf(world);
    expect(first + second).toBe(4);
  });

  it('grows both regions where pods are spread over regions', async () => {
    const world = createWorld();
    world.sandbox.cluster.apply(ruled('web', 8, '3', spreadOver(REGION, 'web', 2)));
    await grow(world, { web: 8 });
    expect(serversOf(world)).toEqual([4, 4]);
  });

  it('buys a node for each pod that is spread over nodes, and no more', async () => {
    const world = createWorld();
    world.sandbox.cluster.apply(ruled('web', 3, '100m', spreadOver(HOSTNAME, 'web', 3)));
    world.sandbox.cluster.apply(deployment('other', 1, '3500m'));
    await grow(world, { web: 3, other: 1 });
    const [first, second] = serversOf(world);
    expect(first + second).toBe(3);
  });

  it('grows the region for a whole chain of apps of which each wants to be near the one before', async () => {
    const world = createWorld();
    const near = (app: string): Rules => affinity('podAffinity', REGION, selecting(app));
    const { cluster } = world.sandbox;
    // The last link comes first: when it is looked at, nothing that it wants near is anywhere.
    cluster.apply(ruled('web', 3, '1500m', near('api')));
    cluster.apply(ruled('api', 3, '1500m', near('db')));
    cluster.apply(ruled('db', 1, '500m', { nodeSelector: { [REGION]: 'nbg1' } }));
    await grow(world, { web: 3, api: 3, db: 1 });
    const [first, second] = serversOf(world);
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(3);
  });

  it('keeps away from pods of namespaces that a selector means', async () => {
    const world = createWorld();
    const { cluster } = world.sandbox;
    cluster.apply({ kind: 'Namespace', metadata: { name: 'noisy', labels: { noise: 'loud' } } });
    const loud = deployment('loud', 1, '100m');
    cluster.apply({ ...loud, metadata: { ...loud.metadata, namespace: 'noisy' } });
    const namespaceSelector = { matchLabels: { noise: 'loud' } };
    const term = { labelSelector: {}, namespaceSelector };
    cluster.apply(ruled('quiet', 1, '100m', affinity('podAntiAffinity', HOSTNAME, term)));
    await grow(world, { quiet: 1 });
    const [first, second] = serversOf(world);
    expect(first + second).toBe(2);
  });

  it('does not take a node away that the spread of its pods needs', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    sandbox.cluster.apply(ruled('web', 2, '100m', spreadOver(REGION, 'web', 2)));
    const program = await Program.start(world, POOLS);
    await clock.runUntil(() => runningPods(world, 'web') === 2, 20 * MINUTE);
    await clock.advance(30 * MINUTE);
    expect(serversOf(world)).toEqual([1, 1]);
    expect(sandbox.cluster.events('ScaleDown')).toEqual([]);
    await program.stop();
  });
});
