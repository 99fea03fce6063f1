import { generateEstimate } from './scheduling-oracle/estimate-scenario.js';
import { Random } from './scheduling-oracle/random.js';
import { replayEstimate } from './scheduling-oracle/replay-estimate.js';
import { shrink } from './scheduling-oracle/shrink.js';

/**
 * The way to place the pods is searched for, and where the order of classes matters much, a search may miss it: the
 * seed is fixed, so that a failure is news. `ORACLE_SEED=… ORACLE_ESTIMATES=… npx jest estimate-oracle` tries others.
 */
const SEED = Number(process.env['ORACLE_SEED'] ?? 1);
const ESTIMATES = Number(process.env['ORACLE_ESTIMATES'] ?? 600);
const ROUND_STRIDE = 1_000_003;

it(`what is planned for new nodes can be placed there pod by pod, as the oracle sees it, seed ${SEED.toString()}`, () => {
  let placed = 0;
  for (let round = 0; round < ESTIMATES; round++) {
    const scenario = generateEstimate(new Random(SEED + round * ROUND_STRIDE));
    const replay = replayEstimate(scenario);
    placed += replay?.estimate.placed.reduce((sum, count) => sum + count, 0) ?? 0;
    if (replay === null || replay.fault === null) continue;
    const small = shrink(scenario, (candidate) => (replayEstimate(candidate)?.fault ?? null) !== null);
    throw new Error(
      `round ${round.toString()} of seed ${SEED.toString()}:\n${JSON.stringify(replayEstimate(small), null, 1)}\n` +
        `in ${JSON.stringify(small)}`,
    );
  }
  expect(placed).toBeGreaterThan(ESTIMATES);
}, 60_000);
