import type { Entry } from './chronicle.js';
import type { StoryOutcome } from './play-story.js';

const ACTOR_WIDTH = 7;
const DAY_MS = 86_400_000;
/** Entries of one moment and kind that are shown one by one; of more, the others are counted. */
const ALIKE_SHOWN = 6;

/** How a story ended, in one word. */
export type Ending = 'HOLDS' | 'FAILS' | 'PENDING' | 'NO LONGER PENDING';

export function endingOf({ story, holds }: StoryOutcome): Ending {
  if (story.pending === undefined) return holds ? 'HOLDS' : 'FAILS';
  return holds ? 'NO LONGER PENDING' : 'PENDING';
}

/** The story for people: what happened and why, with virtual times, then what was expected of it. */
export function renderStory(outcome: StoryOutcome, withDetails: boolean): string {
  const { story, entries, verdicts } = outcome;
  const heading = `${story.name}${story.case === undefined ? '' : ` (${story.case})`}: ${endingOf(outcome)}`;
  const about = (story.about ?? '')
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  const shown = entries.filter((entry) => withDetails || !entry.isDetail);
  const lines = [
    heading,
    ...about.map((line) => `  ${line.trim()}`),
    ...(story.pending === undefined ? [] : [`  pending: ${story.pending}`]),
    '',
    ...(withDetails ? shown : withoutCrowds(shown)).map(renderEntry),
    '',
    ...verdicts.map(
      ({ holds, text, found }) =>
        `  ${holds ? 'yes' : 'NO '}  ${text}${holds || found === '' ? '' : `; found ${found}`}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function renderEntry({ atMs, actor, text }: Entry): string {
  return `  ${renderTime(atMs)}  ${actor.padEnd(ACTOR_WIDTH)}  ${text}`;
}

/** `00:11:10.5`, with days where there are any. */
function renderTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const clock = new Date(ms % DAY_MS).toISOString().slice(11, 21);
  return days === 0 ? clock : `${days}d ${clock}`;
}

/** Many alike at one moment are a crowd: the first ones speak for it. */
function withoutCrowds(entries: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  const keyOf = ({ atMs, actor, text }: Entry): string =>
    `${Math.floor(atMs / 1_000)} ${actor} ${actor === 'world' ? (text.split(' ').at(-1) ?? '') : ''}`;
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return entries.flatMap((entry) => {
    const key = keyOf(entry);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    if (nth <= ALIKE_SHOWN) return [entry];
    const more = counts.get(key)! - ALIKE_SHOWN;
    return nth === ALIKE_SHOWN + 1 ? [{ ...entry, text: `… and ${more} more like that` }] : [];
  });
}

/** The same as data. */
export function storyDocument(outcome: StoryOutcome): object {
  const { story, entries, decisions, verdicts, holds } = outcome;
  return {
    name: story.name,
    ...(story.case !== undefined && { case: story.case }),
    ...(story.pending !== undefined && { pending: story.pending }),
    holds,
    decisions,
    expectations: verdicts,
    happenings: entries
      .filter(({ isDetail }) => !isDetail)
      .map(({ atMs, actor, text }) => ({ atMs, actor, text })),
  };
}
