import { History, MINUTE } from './history.js';
import { readSeeds } from './read-seeds.js';

/** A few by default; `SIMULATION_SEEDS=1-200 npx jest test/simulation` for a long night. */
const seeds = readSeeds(process.env['SIMULATION_SEEDS'] ?? '1-4');

describe('a random history', () => {
  it.each(seeds)(
    'of seed %d ends well',
    async (seed) => {
      const history = new History({ seed, turmoilMs: 75 * MINUTE, quietMs: 80 * MINUTE });
      const problems = await history.run();
      if (problems.length === 0) return;
      const whole = [...problems, `SIMULATION_SEEDS=${seed}`, history.flags.join(' '), ...history.diary];
      throw new Error(whole.join('\n'));
    },
    // Real time, on a machine that is busy with other things.
    300_000,
  );
});
