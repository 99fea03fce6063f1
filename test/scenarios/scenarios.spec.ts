import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { playStory } from '../../src/infrastructure/simulate/play-story.js';
import { renderStory } from '../../src/infrastructure/simulate/render-story.js';
import { readStories, renderScenarioFault } from '../../src/sandbox/scenarios/index.js';
import type { Story } from '../../src/sandbox/scenarios/index.js';

/**
 * Every scenario of this folder, played. A pending one must not hold: as soon as it does, its mark has to go. What is
 * pending is printed. `day-*` are for the bench: they take too long for here.
 */
const FILES = readdirSync(__dirname).filter((name) => name.endsWith('.yaml') && !name.startsWith('day-'));
const TIME_MS_MAX = 120_000;

function storiesOf(file: string): readonly Story[] {
  const result = readStories(file, readFileSync(join(__dirname, file), 'utf8'));
  if (!result.ok) throw new Error(result.faults.map(renderScenarioFault).join('\n'));
  return result.stories;
}

const STORIES = FILES.flatMap((file) =>
  storiesOf(file).map((story): [string, Story, string] => [story.name, story, file]),
);
const ACTIVE = STORIES.filter(([, { pending }]) => pending === undefined);
const PENDING = STORIES.filter(([, { pending }]) => pending !== undefined);

/** Cases of a provider that scenarios do not simulate: told by the composed program against its own sandbox. */
const TOLD_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'integration/utho-program': ['U053', 'U054', 'U055', 'U093', 'U094', 'U095', 'U109'],
};

/** Numbers of user cases in the titles of the specs in a folder. */
function casesInTitles(folder: string): readonly string[] {
  const path = join(__dirname, '..', folder);
  const specs = readdirSync(path).filter((name) => name.endsWith('.spec.ts'));
  const titles = specs.flatMap((name) =>
    [...readFileSync(join(path, name), 'utf8').matchAll(/\b(?:describe|it|test)\(\s*'([^']*)'/gu)].map(
      (match) => match[1]!,
    ),
  );
  return [...new Set(titles.flatMap((title) => title.match(/\bU\d{3}\b/gu) ?? []))].sort();
}

describe('scenarios', () => {
  it('tell at least 30 of the user cases', () => {
    expect(new Set(ACTIVE.map(([, story]) => story.case)).size).toBeGreaterThanOrEqual(30);
  });

  it('are named as their files, and say which case they tell', () => {
    for (const [name, story, file] of STORIES) {
      expect(`${name}.yaml`).toMatch(new RegExp(`^${file.replace(/\.yaml$/u, '')}`, 'u'));
      if (file.startsWith('u')) expect(story.case?.toLowerCase()).toBe(file.slice(0, 4));
    }
  });

  it.each(Object.entries(TOLD_ELSEWHERE))('leave to %s the cases %j', (folder, cases) => {
    expect(casesInTitles(folder)).toEqual(cases);
  });

  it.each(ACTIVE)(
    '%s',
    async (_, story) => {
      const outcome = await playStory(story);
      if (!outcome.holds) throw new Error(renderStory(outcome, false));
    },
    TIME_MS_MAX,
  );
});

describe('pending scenarios', () => {
  it.each(PENDING)(
    '%s',
    async (_, story) => {
      const outcome = await playStory(story);
      if (outcome.holds) throw new Error(`it holds now: take off 'pending: ${story.pending!}'`);
    },
    TIME_MS_MAX,
  );

  it('are few enough to be listed', () => {
    const lines = PENDING.map(
      ([name, { case: number = '', pending }]) => `  ${number}  ${name}: ${pending!}`,
    );
    process.stdout.write(`Pending scenarios:\n${lines.join('\n')}\n`);
    expect(PENDING.length).toBeLessThan(ACTIVE.length);
  });
});
