import { compare, comparePlacements, Tally } from './scheduling-oracle/compare.js';
import { generateScenario, withSearches } from './scheduling-oracle/generate.js';
import type { Disagreement } from './scheduling-oracle/compare.js';
import type { Scenario } from './scheduling-oracle/scenario.js';
import { Random } from './scheduling-oracle/random.js';
import { shrink } from './scheduling-oracle/shrink.js';

/**
 * Random clusters with random features of `scheduling` 3 switched on, and random changes of them: after each change
 * the program and the oracle judge every pod on every node. A disagreement is shrunk before it is printed.
 *
 * `ORACLE_SEED=… npx jest scheduling-oracle` repeats a run, `ORACLE_JUDGEMENTS=…` makes it longer.
 */
const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);
const JUDGEMENTS = Number(process.env['ORACLE_JUDGEMENTS'] ?? 40_000);
/** Judged where it matters which verdicts are reached; fixed, so that it is the same each time. */
const FIXED_SEED = 2;
const FIXED_JUDGEMENTS = 40_000;
/** Each places up to 20 pods. */
const SEARCHING_CLUSTERS = 250;
const TIME_MS_MAX = 120_000;
/** Far enough that runs of neighbouring seeds have no scenario in common. */
const ROUND_STRIDE = 1_000_003;

function compareScenarios(seed: number, judgements: number): Tally {
  const tally = new Tally();
  for (let round = 0; tally.judgements < judgements; round++) {
    const { scenario, features } = generateScenario(new Random(seed + round * ROUND_STRIDE));
    if (compare(scenario, tally) === null) continue;
    fail(
      scenario,
      compare,
      `round ${round.toString()} of seed ${seed.toString()}, with ${features.join(', ')}`,
    );
  }
  return tally;
}

function fail(scenario: Scenario, play: (scenario: Scenario) => Disagreement | null, where: string): never {
  const small = shrink(scenario, (candidate) => play(candidate) !== null);
  throw new Error(`${where}:\n${JSON.stringify(play(small), null, 1)}\nin ${JSON.stringify(small)}`);
}

/** Behind many other verdicts: proof that the scenarios get there. */
const REACHED = `
  fits
  NodeUnschedulable: node(s) were unschedulable
  NodeName: node(s) didn't match the requested node name
  TaintToleration: node(s) had untolerated taint(s)
  NodeAffinity: pod affinity terms conflict
  NodeAffinity: PreFilter filtered the Node out
  NodeAffinity: node(s) didn't match scheduler-enforced node affinity
  NodeAffinity: node(s) didn't match Pod's node affinity/selector
  NodePorts: node(s) didn't have free ports for the requested pod ports
  NodeResourcesFit: Too many pods
  NodeResourcesFit: Insufficient cpu
  NodeResourcesFit: Insufficient memory
  NodeResourcesFit: Insufficient ephemeral-storage
  NodeResourcesFit: Insufficient example.com/gpu
  VolumeRestrictions: persistentvolumeclaim "…" not found
  VolumeRestrictions: node(s) had no available disk
  VolumeRestrictions: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod
  NodeVolumeLimits: node(s) exceed max volume count
  VolumeBinding: waiting for ephemeral volume controller to create the persistentvolumeclaim "…"
  VolumeBinding: persistentvolumeclaim "…" bound to non-existent persistentvolume "…"
  VolumeBinding: persistentvolumeclaim "…" is being deleted
  VolumeBinding: PVC … (pod is not owner)
  VolumeBinding: VolumeBindingMode not set for StorageClass "…"
  VolumeBinding: pod has unbound immediate PersistentVolumeClaims
  VolumeBinding: node(s) didn't match PersistentVolume's node affinity
  VolumeBinding: node(s) didn't find available persistent volumes to bind
  VolumeBinding: node(s) did not have enough free storage
  VolumeBinding: node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)
  VolumeZone: persistentvolume "…" not found
  VolumeZone: node(s) had no available volume zone
  PodTopologySpread: malformed requirement on "…"
  PodTopologySpread: node(s) didn't match pod topology spread constraints
  PodTopologySpread: node(s) didn't match pod topology spread constraints (missing required label)
  InterPodAffinity: parsing pod
  InterPodAffinity: node(s) didn't match pod affinity rules
  InterPodAffinity: node(s) didn't match pod anti-affinity rules
  InterPodAffinity: node(s) didn't satisfy existing pods anti-affinity rules
  DynamicResources: object not found: dra manager is disabled
  NodeDeclaredFeatures: node(s) didn't match Pod's required features`
  .trim()
  .split(/\n\s*/);

describe('the snapshot and the oracle', () => {
  it(
    `agree on random clusters and after random changes, seed ${SEED.toString()}`,
    () => {
      expect(compareScenarios(SEED, JUDGEMENTS).judgements).toBeGreaterThanOrEqual(JUDGEMENTS);
    },
    TIME_MS_MAX,
  );

  it(
    `agree on where searches may place pods, seed ${SEED.toString()}`,
    () => {
      for (let round = 0; round < SEARCHING_CLUSTERS; round++) {
        const random = new Random(SEED + round * ROUND_STRIDE);
        const scenario = withSearches(generateScenario(random).scenario, random);
        if (comparePlacements(scenario) !== null)
          fail(scenario, comparePlacements, `round ${round.toString()}`);
      }
    },
    TIME_MS_MAX,
  );

  it(
    'agree on every verdict of every filter',
    () => {
      const { counts } = compareScenarios(FIXED_SEED, FIXED_JUDGEMENTS);
      expect(REACHED.filter((verdict) => !counts.has(verdict))).toEqual([]);
    },
    TIME_MS_MAX,
  );
});
