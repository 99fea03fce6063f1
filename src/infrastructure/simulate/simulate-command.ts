import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readStories, renderScenarioFault, scenarioSchemaText } from '../../sandbox/scenarios/index.js';
import type { Story } from '../../sandbox/scenarios/index.js';
import { UnplayableStory, playStory } from './play-story.js';
import type { StoryOutcome } from './play-story.js';
import { endingOf, renderStory, storyDocument } from './render-story.js';
import { readSimulateArguments, SIMULATE_USAGE } from './simulate-arguments.js';
import type { SimulateArguments } from './simulate-arguments.js';

/** All expectations held; some did not; a scenario or an argument is faulty. */
export const SIMULATE_EXIT = { holds: 0, fails: 1, faulty: 2 } as const;

/** Where the command writes. */
export interface SimulateOutput {
  out(text: string): void;
  error(text: string): void;
}

/** `evenkeel simulate`: plays stories and says what came of them; gives the exit code. */
export async function simulateCommand(
  argv: readonly string[],
  output: SimulateOutput,
  stop: AbortSignal,
): Promise<number> {
  const read = readSimulateArguments(argv);
  if (read.kind === 'error') {
    output.error(`${read.problem}\n\n${SIMULATE_USAGE}`);
    return SIMULATE_EXIT.faulty;
  }
  if (read.kind === 'help') {
    output.out(SIMULATE_USAGE);
    return SIMULATE_EXIT.holds;
  }
  if (read.kind === 'schema') {
    output.out(scenarioSchemaText());
    return SIMULATE_EXIT.holds;
  }
  const stories = readAll(read.arguments.files, output);
  if (stories === null) return SIMULATE_EXIT.faulty;
  try {
    return await playAll(stories, read.arguments, output, stop);
  } catch (error) {
    if (!(error instanceof UnplayableStory)) throw error;
    output.error(`${error.message}\n`);
    return SIMULATE_EXIT.faulty;
  }
}

/** Null: some are faulty, which was said. */
function readAll(files: readonly string[], output: SimulateOutput): readonly Story[] | null {
  const results = files.map((file) => {
    try {
      return readStories(basename(file), readFileSync(file, 'utf8'));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === undefined) throw error;
      output.error(`${file}: it can't be read (${code}); name a scenario file\n`);
      return { ok: false, faults: [] } as const;
    }
  });
  for (const result of results) {
    if (result.ok) continue;
    for (const fault of result.faults) output.error(`${renderScenarioFault(fault)}\n`);
  }
  return results.every((result) => result.ok)
    ? results.flatMap((result) => (result.ok ? result.stories : []))
    : null;
}

async function playAll(
  stories: readonly Story[],
  { seed, asJson, verbose }: SimulateArguments,
  output: SimulateOutput,
  stop: AbortSignal,
): Promise<number> {
  const outcomes: StoryOutcome[] = [];
  for (const story of stories) {
    if (stop.aborted) break;
    const outcome = await playStory(story, seed === null ? {} : { seed });
    outcomes.push(outcome);
    if (!asJson) output.out(`${renderStory(outcome, verbose)}\n`);
  }
  if (asJson) output.out(`${JSON.stringify(outcomes.map(storyDocument), null, 2)}\n`);
  else if (outcomes.length > 1) output.out(summary(outcomes));
  return outcomes.every((outcome) => endingOf(outcome) !== 'FAILS')
    ? SIMULATE_EXIT.holds
    : SIMULATE_EXIT.fails;
}

function summary(outcomes: readonly StoryOutcome[]): string {
  const endings = outcomes.map((outcome) => `${endingOf(outcome).padEnd(8)}  ${outcome.story.name}`);
  return `${endings.join('\n')}\n`;
}
