import { readSeeds } from '../read-seeds.js';
import { MINUTE, UthoHistory } from './utho-history.js';

/** A few by default; `UTHO_SEEDS=1-1100 npx jest test/simulation/utho` for all. */
const seeds = readSeeds(process.env['UTHO_SEEDS'] ?? '1-60');

describe('a random history on Utho', () => {
  const sum = { histories: 0, writes: 0, races: 0, misfires: 0 };

  it.each(seeds)(
    'of seed %d costs no living worker that was not drained',
    async (seed) => {
      const history = new UthoHistory({ seed, turmoilMs: 20 * MINUTE, quietMs: 20 * MINUTE });
      const { problems, losses, writes } = await history.run();
      sum.histories++;
      sum.writes += writes;
      sum.races += losses.races;
      sum.misfires += losses.misfires;
      if (problems.length === 0) return;
      const story = [...history.diary, ...history.log].sort();
      throw new Error([...problems, `UTHO_SEEDS=${seed}`, ...story].join('\n'));
    },
    // Real time, on a machine that is busy with other things.
    120_000,
  );

  afterAll(() => process.stdout.write(`Utho histories: ${JSON.stringify(sum)}\n`));
});
