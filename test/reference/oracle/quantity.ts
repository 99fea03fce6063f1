/** Quantities (`scheduling` 2): exact counts of 10^-9. */
const NANO = 10n ** 9n;
const INT64_MAX = 2n ** 63n - 1n;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
/** Exponents beyond this are as good as infinite: 10^400 is far past every bound of this module. */
const EXPONENT_MAX = 400;

const SHAPE = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;

const DECIMAL: Record<string, number> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Record<string, bigint> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};

/** The amount in nano units, or null when this is no quantity. Null itself is 0, a bare JSON number is accepted. */
export function parseQuantity(written: unknown): bigint | null {
  if (written === null) return 0n;
  if (typeof written === 'number') return parseText(String(written));
  return typeof written === 'string' ? parseText(written.trim()) : null;
}

function parseText(text: string): bigint | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const [, sign = '', number = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(`${whole}${fraction}` || '0');
  const magnitude = scale(digits, fraction.length, suffix);
  return sign === '-' ? -magnitude : magnitude;
}

function scale(digits: bigint, fractionDigits: number, suffix: string): bigint {
  const factor = BINARY[suffix];
  if (factor !== undefined) {
    const nano = divideUp(digits * factor * NANO, 10n ** BigInt(fractionDigits));
    return nano > INT64_MAX * NANO ? INT64_MAX * NANO : nano;
  }
  const exponent = DECIMAL[suffix] ?? (suffix === '' ? 0 : Number(suffix.slice(1)));
  const power = Math.max(-EXPONENT_MAX, Math.min(EXPONENT_MAX, exponent)) + 9 - fractionDigits;
  return power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
}

/** Quotient away from zero. */
function divideUp(amount: bigint, by: bigint): bigint {
  if (amount < 0n) return -divideUp(-amount, by);
  return (amount + by - 1n) / by;
}

/** `value()`: whole units, rounded up, saturated at int64. */
export function toUnits(nano: bigint): bigint {
  return saturate(divideUp(nano, NANO), INT64_MAX);
}

/** `milliValue()`: thousandths, rounded up, saturated at int64. */
export function toMilli(nano: bigint): bigint {
  return saturate(divideUp(nano, NANO / 1000n), INT64_MAX);
}

/** Amount that a simulator holds for a resource: cpu in milli, the rest in units, at most 2^53 - 1 (2.4). */
export function toAmount(name: string, nano: bigint): bigint {
  return saturate(name === 'cpu' ? toMilli(nano) : toUnits(nano), SAFE_MAX);
}

function saturate(amount: bigint, bound: bigint): bigint {
  if (amount > bound) return bound;
  return amount < -bound ? -bound : amount;
}
