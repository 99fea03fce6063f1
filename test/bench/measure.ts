/** Timing for benchmarks: a few rounds after warm-up, a collection before each, the median counts. */

const isShort = process.argv.includes('--short');
const ROUNDS = isShort ? 3 : 11;
const WARM_UP_ROUNDS = isShort ? 1 : 3;

export interface Measurement<Input> {
  readonly name: string;
  /** What the time is divided by. */
  readonly count: number;
  readonly unit: string;
  /** Makes the input of a round; not timed. */
  readonly prepare: () => Input;
  readonly run: (input: Input) => unknown;
}

/** Prints one line and returns the median in milliseconds. */
export function measure<Input>({ name, count, unit, prepare, run }: Measurement<Input>): number {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const input = prepare();
    globalThis.gc?.();
    const startedMs = performance.now();
    run(input);
    const tookMs = performance.now() - startedMs;
    if (round >= WARM_UP_ROUNDS) times.push(tookMs);
  }
  times.sort((left, right) => left - right);
  const medianMs = times[Math.floor(times.length / 2)]!;
  const perUnitNs = (medianMs * 1_000_000) / count;
  print(`  ${name.padEnd(58)} ${ms(medianMs).padStart(10)}  ${nanoseconds(perUnitNs)} per ${unit}`);
  return medianMs;
}

/** Prints how much longer the larger case took. */
export function compare(what: string, smallerMs: number, largerMs: number): void {
  print(`    ${what}: ${(largerMs / smallerMs).toFixed(1)} times the time`);
}

/** Ends the benchmark where it measures something wrong. */
export function mustEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`);
}

/** Numbers in [0, 1) that are the same in each run. */
export function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

function nanoseconds(value: number): string {
  return value < 10_000 ? `${value.toFixed(0)} ns` : `${(value / 1_000).toFixed(0)} µs`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
