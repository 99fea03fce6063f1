/**
 * Durations as Go writes them (`1h30m`, `1.5m`, `250ms`): the form of flags, annotations and messages. Values are
 * milliseconds and may have a fraction down to a nanosecond.
 */

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, micro sign
  μs: 1e-3, // U+03BC, Greek letter mu
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Go keeps durations as nanoseconds in 64 bits: about 292 years. */
const MS_MAX = 9_223_372_036_854;

const PAIR = /(\d+\.?\d*|\.\d+)([^\d.]+)/uy;

/** Milliseconds, or null where the text is not a Go duration. There is no day unit; only `0` needs no unit. */
export function parseGoDuration(text: string): number | null {
  const sign = text.startsWith('-') ? -1 : 1;
  const unsigned = /^[+-]/u.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  if (unsigned === '') return null;
  let totalMs = 0;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < unsigned.length) {
    const pair = PAIR.exec(unsigned);
    const unitMs = MS_PER_UNIT[pair?.[2] ?? ''];
    if (pair === null || unitMs === undefined) return null;
    totalMs += Number(pair[1]) * unitMs;
  }
  return totalMs > MS_MAX ? null : sign * totalMs;
}

/** Canonical form: `10m0s`, `1m30s`, `87600h0m0s`, `1.5s`, `250ms`, `0s`. */
export function renderGoDuration(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const wholeMs = Math.trunc(Math.abs(ms));
  const nanoseconds = BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((Math.abs(ms) - wholeMs) * 1e6));
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${sign}${nanoseconds.toString()}ns`;
  if (nanoseconds < 1_000_000n) return `${sign}${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${sign}${decimal(nanoseconds, 6)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = decimal(nanoseconds % 60_000_000_000n, 9);
  if (minutes === 0n) return `${sign}${seconds}s`;
  if (minutes < 60n) return `${sign}${minutes.toString()}m${seconds}s`;
  return `${sign}${(minutes / 60n).toString()}h${(minutes % 60n).toString()}m${seconds}s`;
}

/** `units` scaled down by 10^digits, without trailing zeros. */
function decimal(units: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const fraction = (units % scale).toString().padStart(digits, '0').replace(/0+$/u, '');
  const whole = (units / scale).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
