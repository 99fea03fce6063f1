/** Randomness, so that tests can seed it. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Lower-case hexadecimal digits, unguessable in production. */
  hex(digits: number): string;
}

export const Random = Symbol('Random');
