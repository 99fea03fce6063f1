/** One character of a text, by code point. */
export type CharacterTest = (character: number) => boolean;

export type Assertion = 'text-start' | 'text-end' | 'word-edge' | 'no-word-edge';

/** A parsed pattern. */
export type Expression =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly branches: readonly Expression[] }
  /** `max` null: without end. */
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number | null }
  | { readonly kind: 'assertion'; readonly what: Assertion };

/** A pattern that RE2 would refuse, too, or that is beyond what is supported here. */
export class PatternError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'PatternError';
  }
}
