const TWO_TO_32 = 2 ** 32;

/**
 * A repeatable stream of numbers: xoshiro128** (Blackman and Vigna, public domain), its 128 bits of state filled by
 * splitmix32 from a 32-bit seed; text seeds are hashed by FNV-1a. The same seed gives the same history.
 */
export class SeededRandom {
  private readonly state: Uint32Array;
  private readonly seed: number;

  constructor(seed: number | string) {
    this.seed = typeof seed === 'string' ? hashText(seed) : seed >>> 0;
    this.state = splitmix(this.seed);
  }

  /** Uniform in [0, 1), 32 bits fine. */
  next(): number {
    return this.bits() / TWO_TO_32;
  }

  /** Uniform whole number in [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** Uniform in [mean - spread, mean + spread]. */
  around(mean: number, spread: number): number {
    return mean + (this.next() * 2 - 1) * spread;
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[this.int(items.length)]!;
  }

  /** An independent stream that depends on the seed and the name only, not on what was drawn here before. */
  fork(name: string): SeededRandom {
    return new SeededRandom((this.seed ^ hashText(name)) >>> 0);
  }

  private bits(): number {
    const state = this.state;
    const result = Math.imul(rotateLeft(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = rotateLeft(state[3]!, 11);
    return result;
  }
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function splitmix(seed: number): Uint32Array {
  let counter = seed;
  return Uint32Array.from({ length: 4 }, () => {
    counter = (counter + 0x9e3779b9) | 0;
    let word = counter ^ (counter >>> 16);
    word = Math.imul(word, 0x21f0aaad);
    word ^= word >>> 15;
    word = Math.imul(word, 0x735a2d97);
    return word ^ (word >>> 15);
  });
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
