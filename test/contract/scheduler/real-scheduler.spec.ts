import { generateScenario } from '../../simulation/scheduling-oracle/generate.js';
import { Random } from '../../simulation/scheduling-oracle/random.js';
import { startRealApiServer } from '../kubernetes/real-api-server.js';
import type { RunningApiServer } from '../kubernetes/real-api-server.js';
import { ApiClient } from './api-client.js';
import { FEASIBLE, FeasibilityExtender } from './feasibility-extender.js';
import { LiveCluster } from './live-cluster.js';
import { PodConditions } from './pod-conditions.js';
import { TolerantWriter } from './refusals.js';
import { playScenario } from './scenario-player.js';
import { hasScheduler, startScheduler } from './scheduler-process.js';
import type { RunningScheduler } from './scheduler-process.js';
import { Score } from './score.js';

/**
 * Random clusters on a real API server, and a real kube-scheduler as the judge of their pods. For each pod the nodes
 * that pass all its filters and the counted reasons against the others must be what the program says of the objects
 * that the server holds, and what the oracle says.
 *
 * `KUBEBUILDER_ASSETS` names a folder with `etcd`, `kube-apiserver` and `kube-scheduler` (1.34).
 * `REAL_SCHEDULER_SCENARIOS=… REAL_SCHEDULER_SEED=… npx jest real-scheduler` makes it longer or repeats it.
 */
const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
const SEED = Number(process.env['REAL_SCHEDULER_SEED'] ?? Date.now() % 1_000_000);
const SCENARIOS = Number(process.env['REAL_SCHEDULER_SCENARIOS'] ?? 60);
/** Run where it matters which reasons are reached; fixed, so that it is the same each time. */
const FIXED_SEED = 14;
const FIXED_SCENARIOS = 150;
const ROUND_STRIDE = 1_000_003;
const TIME_MS_MAX = 7_200_000;

/** Behind many other verdicts: proof that the scenarios get there. */
const REACHED = `
  ${FEASIBLE}
  node(s) were unschedulable
  node(s) had untolerated taint(s)
  pod affinity terms conflict
  node(s) didn't satisfy plugin(s) [NodeAffinity]
  node(s) didn't match scheduler-enforced node affinity
  node(s) didn't match Pod's node affinity/selector
  node(s) didn't have free ports for the requested pod ports
  Too many pods
  Insufficient cpu
  Insufficient memory
  Insufficient ephemeral-storage
  Insufficient hugepages-2Mi
  Insufficient example.com/gpu
  persistentvolumeclaim "…" not found
  node(s) had no available disk
  node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod
  node(s) exceed max volume count
  waiting for ephemeral volume controller to create the persistentvolumeclaim "…"
  persistentvolumeclaim "…" bound to non-existent persistentvolume "…"
  persistentvolumeclaim "…" is being deleted
  PVC … (pod is not owner)
  pod has unbound immediate PersistentVolumeClaims
  node(s) didn't match PersistentVolume's node affinity
  node(s) didn't find available persistent volumes to bind
  node(s) did not have enough free storage
  node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)
  persistentvolume "…" not found
  node(s) had no available volume zone
  node(s) didn't match pod topology spread constraints
  node(s) didn't match pod topology spread constraints (missing required label)
  node(s) didn't match pod affinity rules
  node(s) didn't match pod anti-affinity rules
  node(s) didn't satisfy existing pods anti-affinity rules`
  .trim()
  .split(/\n\s*/);

const whenPresent = hasScheduler(assets) ? describe : describe.skip;

whenPresent('the program and a real kube-scheduler (KUBEBUILDER_ASSETS names its folder)', () => {
  let server: RunningApiServer;
  let extender: FeasibilityExtender;
  let scheduler: RunningScheduler;
  let conditions: PodConditions;
  let client: ApiClient;
  let serial = 0;

  beforeAll(async () => {
    server = await startRealApiServer(assets);
    client = new ApiClient(server);
    await LiveCluster.prepare(client);
    extender = await FeasibilityExtender.listen();
    scheduler = startScheduler(assets, server, extender.url);
    conditions = await PodConditions.follow(client);
  }, 120_000);

  afterAll(async () => {
    conditions.stop();
    await scheduler.stop();
    await extender.close();
    await server.stop();
  }, 60_000);

  /** The first disagreement is thrown, with all that is needed to see it. */
  async function play(seed: number, scenarios: number): Promise<Score> {
    const score = new Score();
    const writer = new TolerantWriter(client);
    for (let round = 0; round < scenarios; round++) {
      const random = new Random(seed + round * ROUND_STRIDE);
      const { scenario, features } = generateScenario(random);
      const court = { client, writer, extender, conditions, score };
      const found = await playScenario(court, scenario, serial++, random);
      if (found === null) continue;
      const where = `round ${round} of seed ${seed}, with ${features.join(', ')}`;
      throw new Error(`${where}:\n${JSON.stringify(found, null, 1)}`);
    }
    process.stdout.write(`seed ${seed}: ${score.report(writer)}\n`);
    return score;
  }

  it(
    `agree on random clusters, seed ${SEED}`,
    async () => {
      expect((await play(SEED, SCENARIOS)).judgements).toBeGreaterThan(SCENARIOS);
    },
    TIME_MS_MAX,
  );

  it(
    'agree on every reason of every filter',
    async () => {
      const { reasons } = await play(FIXED_SEED, FIXED_SCENARIOS);
      expect(REACHED.filter((reason) => !reasons.has(reason))).toEqual([]);
    },
    TIME_MS_MAX,
  );
});
