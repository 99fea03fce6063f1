import fc from 'fast-check';
import { buildNode } from '../../support/builders.js';
import { runningPod } from '../scale-down/world.js';
import { actuation, buckets, place } from './actuation-world.js';

interface Fate {
  readonly hasPod: boolean;
  /** Writes to the node that fail, from this one on. */
  readonly failingPatches: number;
  readonly failsAfterMarking: boolean;
  readonly eviction: 'accepted' | 'blocked' | 'stubborn';
  readonly cloud: 'accepted' | 'refused';
  readonly atomic: boolean;
}

const FATE: fc.Arbitrary<Fate> = fc.record({
  hasPod: fc.boolean(),
  failingPatches: fc.nat({ max: 3 }),
  failsAfterMarking: fc.boolean(),
  eviction: fc.constantFrom('accepted', 'blocked', 'stubborn'),
  cloud: fc.constantFrom('accepted', 'refused'),
  atomic: fc.boolean(),
});

/** Runs the deletions with the faults, and some iterations afterwards. */
async function outcomes(fates: readonly Fate[]) {
  const world = actuation();
  const removals = fates.flatMap((fate, index) => {
    const name = `n${index}`;
    const pod = runningPod(`p${index}`, name);
    if (fate.eviction === 'stubborn') world.cluster.stubborn.add(pod.name);
    if (fate.cloud === 'refused')
      world.cloud.failures.set(name, { kind: 'transient', code: 'busy', message: 'later' });
    if (!fate.failsAfterMarking) world.cluster.failingPatches.set(name, fate.failingPatches);
    return place(world, fate.atomic ? 'atomic' : 'ng', [[buildNode(name), ...(fate.hasPod ? [pod] : [])]]);
  });
  world.cluster.onEvict = ({ name }) =>
    fates[Number(name.slice(1))]?.eviction === 'blocked'
      ? { kind: 'failed', message: 'no' }
      : { kind: 'accepted' };
  const atomic = buckets(
    removals.filter(({ groupId }) => groupId === 'atomic'),
    true,
  );
  const others = buckets(removals.filter(({ groupId }) => groupId !== 'atomic'));
  const { signal } = world.leadership;
  await world.actuator.startDeletion([...atomic, ...others], signal);
  fates.forEach((fate, index) => {
    if (fate.failsAfterMarking) world.cluster.failingPatches.set(`n${index}`, fate.failingPatches);
  });
  await world.clock.complete(world.actuator.settled());
  for (let iteration = 0; iteration < 4; iteration++) await world.actuator.retryRollbacks(signal);
  const accepted = world.tracker
    .collect()
    .filter(({ failure }) => failure === null)
    .map(({ removal }) => removal.node.name);
  return {
    world,
    accepted: accepted.sort(),
    marked: [...world.cluster.nodes.keys()].filter((name) => world.cluster.isMarked(name)).sort(),
  };
}

describe('whatever fails', () => {
  it('leaves marks only on nodes whose deletion the cloud has accepted', async () => {
    // scale-down 13.13/169
    await fc.assert(
      fc.asyncProperty(fc.array(FATE, { minLength: 1, maxLength: 5 }), async (fates) => {
        const { world, accepted, marked } = await outcomes(fates);
        expect(marked).toEqual(accepted);
        expect(world.tracker.inProgress()).toMatchObject({ empty: [], drained: [] });
      }),
      { numRuns: 60 },
    );
  });

  it('hands an atomic group to the cloud as a whole or not at all', async () => {
    // scale-down 13.13/172
    await fc.assert(
      fc.asyncProperty(fc.array(FATE, { minLength: 2, maxLength: 5 }), async (fates) => {
        const whole = fates.map((fate) => ({ ...fate, atomic: true, cloud: 'accepted' as const }));
        const { world } = await outcomes(whole);
        const asked = world.cloud.calls.map((call) => call.split(': ')[1]?.split(' ').length);
        expect([[], [fates.length]]).toContainEqual(asked);
      }),
      { numRuns: 60 },
    );
  });
});
