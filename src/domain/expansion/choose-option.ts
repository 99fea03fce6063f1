import type { Expander, ExpanderName } from './expander.js';
import type { ExpansionContext } from './expansion-context.js';
import type { ExpansionOption } from './expansion-option.js';

/** What settles a tie that the chain leaves, in this order. */
export type TieBreaker = 'price' | 'fewer-nodes' | 'group-order';

export interface OptionVerdict {
  readonly option: ExpansionOption;
  /** Scores in the order of the chain, as far as it was looked at. Lower is better. */
  readonly scores: readonly { readonly expander: ExpanderName; readonly score: number }[];
  /** Who dropped it; null for the chosen one. */
  readonly droppedBy: ExpanderName | TieBreaker | null;
}

export interface Choice {
  readonly best: ExpansionOption;
  /** In the order of the options. */
  readonly verdicts: readonly OptionVerdict[];
}

/** A number in [0, 1), from the seed of the iteration. */
export type Chance = () => number;

/**
 * Runs the chain until one option is left; null when there is none.
 *
 * differs from upstream: a tie that the chain leaves is settled by price, number of nodes and order of the groups, not
 * by chance: the same cluster gets the same answer each time (case U066). Who wants chance ends the chain in `random`.
 */
export function chooseOption(
  options: readonly ExpansionOption[],
  chain: readonly Expander[],
  context: ExpansionContext,
  chance: Chance,
): Choice | null {
  const scores = new Map(
    options.map((option) => [option, [] as { expander: ExpanderName; score: number }[]]),
  );
  const droppedBy = new Map<ExpansionOption, ExpanderName | TieBreaker>();
  let left = options;
  const keep = (name: ExpanderName | TieBreaker, kept: readonly ExpansionOption[]): void => {
    for (const option of left) if (!kept.includes(option)) droppedBy.set(option, name);
    left = kept;
  };
  for (const expander of chain) {
    if (left.length <= 1) break;
    if ('draw' in expander) {
      keep(expander.name, [left[Math.floor(chance() * left.length)]!]);
      continue;
    }
    const scored = left.map((option) => expander.score(option, context));
    left.forEach((option, index) =>
      scores.get(option)!.push({ expander: expander.name, score: scored[index]! }),
    );
    keep(expander.name, lowest(left, scored));
  }
  if (left.every((option) => option.pricePerHour !== null)) {
    const costs = left.map((option) => option.pricePerHour! * option.nodeCount);
    keep('price', lowest(left, costs));
  }
  const counts = left.map((option) => option.nodeCount);
  keep('fewer-nodes', lowest(left, counts));
  keep('group-order', left.slice(0, 1));
  const best = left[0];
  if (best === undefined) return null;
  const verdicts = options.map((option) => ({
    option,
    scores: scores.get(option)!,
    droppedBy: droppedBy.get(option) ?? null,
  }));
  return { best, verdicts };
}

/** `scores`: of the options, in their order. */
function lowest(options: readonly ExpansionOption[], scores: readonly number[]): readonly ExpansionOption[] {
  const minimum = Math.min(...scores);
  return options.filter((_, index) => scores[index] === minimum);
}
