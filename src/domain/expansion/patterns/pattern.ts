import { WORD } from './character-tests.js';
import { PatternError } from './expression.js';
import type { Assertion, CharacterTest, Expression } from './expression.js';
import { parsePattern } from './parse-pattern.js';

/** Bounds the work of one character; a pattern for names of groups has some dozen steps. */
const STEPS_MAX = 10_000;

type Step =
  | { readonly kind: 'take'; readonly test: CharacterTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  /** Goes on at all of these. */
  | { kind: 'go'; to: readonly number[] }
  | { readonly kind: 'done' };

/**
 * A regular expression in RE2's dialect. Like RE2 it follows all ways at once, so that no expression of a user, however
 * it is nested, can hold up the loop: the work is the length of the text times that of the pattern.
 */
export class Pattern {
  private constructor(
    readonly source: string,
    private readonly steps: readonly Step[],
  ) {}

  /** @throws PatternError */
  static of(source: string): Pattern {
    const steps: Step[] = [];
    compile(parsePattern(source), steps);
    steps.push({ kind: 'done' });
    return new Pattern(source, steps);
  }

  /** Whether some part of the text matches. */
  occursIn(text: string): boolean {
    const characters = Array.from(text, (character) => character.codePointAt(0)!);
    let reached = new Set<number>();
    for (let at = 0; at <= characters.length; at++) {
      const open = this.follow([...reached, 0], characters, at);
      if (open === null) return true;
      reached = new Set<number>();
      for (const index of open) {
        const step = this.steps[index]!;
        if (step.kind === 'take' && at < characters.length && step.test(characters[at]!))
          reached.add(index + 1);
      }
    }
    return false;
  }

  /** The steps that take the next character; null: the end was reached. */
  private follow(
    from: readonly number[],
    characters: readonly number[],
    at: number,
  ): readonly number[] | null {
    const seen = new Set<number>();
    const stack = [...from];
    const open: number[] = [];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.steps[index]!;
      if (step.kind === 'done') return null;
      if (step.kind === 'take') open.push(index);
      else if (step.kind === 'go') stack.push(...step.to);
      else if (holds(step.what, characters, at)) stack.push(index + 1);
    }
    return open;
  }
}

function compile(expression: Expression, steps: Step[]): void {
  if (steps.length > STEPS_MAX) throw new PatternError('it is too large');
  switch (expression.kind) {
    case 'character':
      steps.push({ kind: 'take', test: expression.test });
      return;
    case 'assertion':
      steps.push({ kind: 'assert', what: expression.what });
      return;
    case 'sequence':
      for (const part of expression.parts) compile(part, steps);
      return;
    case 'choice':
      compileChoice(expression.branches, steps);
      return;
    case 'repeat':
      compileRepeat(expression, steps);
  }
}

function compileChoice(branches: readonly Expression[], steps: Step[]): void {
  const fork = openFork(steps);
  const starts: number[] = [];
  const exits = branches.map((branch) => {
    starts.push(steps.length);
    compile(branch, steps);
    return openFork(steps);
  });
  fork.to = starts;
  for (const exit of exits) exit.to = [steps.length];
}

function compileRepeat({ part, min, max }: Expression & { readonly kind: 'repeat' }, steps: Step[]): void {
  for (let count = 0; count < min; count++) compile(part, steps);
  if (max === null) {
    const start = steps.length;
    const fork = openFork(steps);
    compile(part, steps);
    openFork(steps).to = [start];
    fork.to = [start + 1, steps.length];
    return;
  }
  const forks: { to: readonly number[] }[] = [];
  for (let count = min; count < max; count++) {
    const fork = openFork(steps);
    forks.push(fork);
    fork.to = [steps.length];
    compile(part, steps);
  }
  for (const fork of forks) fork.to = [...fork.to, steps.length];
}

/** A step whose aims are filled in once they are known. */
function openFork(steps: Step[]): { to: readonly number[] } {
  const step: Step = { kind: 'go', to: [] };
  steps.push(step);
  return step;
}

function holds(what: Assertion, characters: readonly number[], at: number): boolean {
  if (what === 'text-start') return at === 0;
  if (what === 'text-end') return at === characters.length;
  const isWord = (index: number): boolean => {
    const character = characters[index];
    return character !== undefined && WORD(character);
  };
  return (isWord(at - 1) !== isWord(at)) === (what === 'word-edge');
}
