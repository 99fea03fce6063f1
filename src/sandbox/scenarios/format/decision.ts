import { parseDuration } from './duration.js';
import { expandText } from './ranges.js';
import { parsedText } from './shape.js';
import type { Shape } from './shape.js';

/** When something is expected, in milliseconds since the start of the story. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A decision as a story names it: `ADD dear+2 by 10s`. */
export type DecisionPattern = { readonly text: string; readonly window: TimeWindow } & (
  | {
      readonly kind: 'add';
      readonly group: string;
      /** Null: any number. */
      readonly count: number | null;
      /** The cloud does not grant it. */
      readonly refused: boolean;
    }
  /** Nodes by name; `*` stands for any characters. */
  | { readonly kind: 'remove'; readonly nodes: readonly string[] }
  | { readonly kind: 'remove-some'; readonly group: string; readonly count: number }
  | { readonly kind: 'none' }
);

const SHAPE =
  /^(?<deed>NONE|ADD [^\s+]+(\+\d+)?( refused)?|REMOVE (\d+ of )?\S+)(?<when> (by|after) \S+| between \S+ and \S+)?$/u;
const NOUN =
  'a decision: ADD group+count, REMOVE node, REMOVE count of group, or NONE, with by, after or between';

export function decision(): Shape<DecisionPattern> {
  return parsedText({ noun: NOUN, pattern: SHAPE, example: "'ADD dear+2 by 10s'", parse: parseDecision });
}

/** Throws a RangeError whose message is the problem. */
export function parseDecision(text: string): DecisionPattern {
  const { deed, when } = SHAPE.exec(text)!.groups!;
  const window = parseWindow(when?.trim());
  const [verb, ...rest] = deed!.split(' ');
  if (verb === 'NONE') return { text, window, kind: 'none' };
  if (verb === 'ADD') {
    const [group, count] = rest[0]!.split('+');
    const refused = rest[1] === 'refused';
    return {
      text,
      window,
      kind: 'add',
      group: group!,
      count: count === undefined ? null : Number(count),
      refused,
    };
  }
  if (rest[1] === 'of') return { text, window, kind: 'remove-some', group: rest[2]!, count: Number(rest[0]) };
  return { text, window, kind: 'remove', nodes: expandText(rest[0]!) };
}

function parseWindow(when: string | undefined): TimeWindow {
  if (when === undefined) return { fromMs: 0, toMs: Infinity };
  const [word, first, , second] = when.split(' ');
  const firstMs = momentOf(first!);
  if (word === 'by') return { fromMs: 0, toMs: firstMs };
  if (word === 'after') return { fromMs: firstMs, toMs: Infinity };
  const window = { fromMs: firstMs, toMs: momentOf(second!) };
  if (window.toMs < window.fromMs) throw new RangeError('the window ends before it begins');
  return window;
}

function momentOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new RangeError(`${text} is no duration`);
  return ms;
}
