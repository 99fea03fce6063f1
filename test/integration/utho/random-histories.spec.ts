import type { MachineReference } from '../../../src/application/ports/cloud-provider.js';
import type { Instance } from '../../../src/domain/node-group/node-group.js';
import { DEFAULT_CLUSTER, LIFELIKE_TIMINGS } from '../../../src/sandbox/utho/index.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { buildNode } from '../../support/builders.js';
import type { Harness } from './utho-harness.js';
import { startHarness } from './utho-harness.js';

const POOLS = ['pool-a', 'pool-b'];
const STEPS = 60;
/** An answer that leaves something out by mistake. */
const WITHOUT_POOLS = { info: { cluster: { id: DEFAULT_CLUSTER } }, nodepools: {} };

/**
 * Aim: whatever the engine asks and whatever goes wrong on the way, no request costs a worker that runs and was not named,
 * and no count of 0 is ever sent. Method: random requests, faults and hands at the console, from a seed that is in the
 * test's name.
 */
describe('random histories of Utho pools', () => {
  it.each(Array.from({ length: 15 }, (_, index) => `seed-${index}`))('harms nobody with %s', async (seed) => {
    const random = new SeededRandom(seed);
    const harness = await startHarness({
      seed,
      pools: POOLS.map((id) => ({ id, min: 1, max: 8, workers: 3 })),
      settings: {
        timings: {
          ...LIFELIKE_TIMINGS,
          deleteTakesMs: random.pick([500, 15_000]),
          recreateAfterMs: random.pick([8_000, 45_000]),
        },
        deleteDecrements: random.next() < 0.7,
        readLagReads: random.int(3),
        readLagMs: random.pick([0, 0, 45_000]),
      },
    });
    for (let step = 0; step < STEPS; step++) {
      await takeStep(harness, random);
      harness.nodes.nodes = joinedNodes(harness);
      await harness.loops(1, 1_000 + random.int(30_000));
      expect(harness.writtenCounts()).not.toContain('0');
      for (const { targetSize, instances } of harness.provider.nodeGroups()) {
        const existing = instances.filter(({ state }) => state !== 'deleting').length;
        expect(existing).toBeGreaterThanOrEqual(targetSize);
      }
    }
    expect(harness.cloud.invariants()).toEqual([]);
    harness.cloud.clearFaults();
    harness.cloud.configure({ capacity: 'none', readLagReads: 0, readLagMs: 0 });
    await harness.loops(30);
    for (const { id, targetSize } of harness.provider.nodeGroups()) {
      expect(targetSize).toBe(harness.cloud.pool(id).count);
    }
  });
});

async function takeStep(harness: Harness, random: SeededRandom): Promise<void> {
  const pool = random.pick(POOLS);
  const workers = harness.cloud
    .workers(pool)
    .filter(({ cloudId, state }) => cloudId !== null && state !== 'deleting');
  const { cloud } = harness;
  const steps: (() => unknown)[] = [
    () => harness.grow(pool, 1 + random.int(3)),
    () => harness.grow(pool, 1 + random.int(3)),
    () => harness.shrink(pool, 1 + random.int(2)),
    () => harness.release(pool, references(harness, pool, random), random.next() < 0.2),
    () => harness.release(pool, references(harness, pool, random)),
    // Somebody else grows the pool, and the engine does not know it yet.
    () => {
      if (cloud.settings.readLagReads > 0 || cloud.settings.readLagMs > 0) return;
      cloud.resizePool(pool, Math.min(8, cloud.pool(pool).count + 1 + random.int(3)));
      return harness.grow(pool, 1);
    },
    () => workers.length > 1 && cloud.destroyWorker(random.pick(workers).cloudId!),
    () => cloud.failNextWorkers(1),
    () => cloud.stallNextWorkers(1),
    () => cloud.stickNextOrders(1),
    () => cloud.setCapacity(random.pick(['none', 'reject', 'clip', 'none'])),
    () => cloud.loseNextReply(random.pick(['POST', 'DELETE']), /./),
    () => cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-before' } }),
    () => cloud.answerNext('GET', /./, { status: 502, body: 'bad gateway', times: 1 + random.int(6) }),
    () => cloud.answerNext('GET', /./, { status: 200, body: WITHOUT_POOLS }),
    () => cloud.slowNextBody('GET', /./, 1_000 + random.int(40_000)),
  ];
  try {
    await random.pick(steps)();
  } catch (error) {
    expect(error).toMatchObject({ name: 'CloudError' });
  }
}

/** One or two machines of the pool, for the reason that the engine would have. */
function references(harness: Harness, pool: string, random: SeededRandom): readonly MachineReference[] {
  const instances = harness.provider.nodeGroups().find(({ id }) => id === pool)?.instances ?? [];
  if (instances.length === 0) return [];
  return Array.from({ length: 1 + random.int(2) }, () => referenceTo(random.pick(instances)));
}

function referenceTo({ id, name, state, failure }: Instance): MachineReference {
  const cause = failure !== null ? 'create-error' : state === 'creating' ? 'unregistered' : 'scale-down';
  return { instanceId: id, name, cause };
}

function joinedNodes({ cloud }: Harness) {
  const active = POOLS.flatMap((id) => cloud.workers(id)).filter(({ state }) => state === 'active');
  return active.map(({ cloudId, hostname }) => buildNode(hostname, { providerId: `utho://${cloudId}` }));
}
