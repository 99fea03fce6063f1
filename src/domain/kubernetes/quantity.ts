/**
 * Kubernetes quantities, exactly (`scheduling` 2): a count of nano units and the format that the suffix showed.
 * Parsing happens where objects are read; decisions work on plain numbers.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  /** 10^-9 units, rounded away from zero. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export const ZERO_QUANTITY: Quantity = { nano: 0n, format: 'DecimalSI' };

/** A text that is no quantity, or an amount that can't be. Codes are stable, messages are the field's wording. */
export class QuantityError extends Error {
  constructor(
    readonly code: 'format' | 'suffix' | 'number' | 'negative',
    message: string,
    readonly text: string,
  ) {
    super(message);
    this.name = 'QuantityError';
  }
}

const NANO_PER_UNIT = 1_000_000_000n;
const NANO_PER_MILLI = 1_000_000n;
/** Longest text that is looked at: 2^63 in nano units has 28 digits. */
const TEXT_LENGTH_MAX = 128;
/** Largest power of ten in an exponent; keeps `1e999999999` from filling the memory. */
const EXPONENT_MAX = 128;
/** Binary values stop here (`scheduling` 2.2). */
const BINARY_NANO_MAX = (2n ** 63n - 1n) * NANO_PER_UNIT;
const MEMO_ENTRIES_MAX = 4_096; // A cluster has a few hundred distinct texts.

const SHAPE = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;
const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const memo = new Map<string, Quantity>();

/**
 * Parses the text of a quantity.
 * @throws QuantityError
 */
export function parseQuantity(text: string): Quantity {
  const known = memo.get(text);
  if (known !== undefined) return known;
  const quantity = parse(text);
  if (memo.size >= MEMO_ENTRIES_MAX) memo.clear();
  memo.set(text, quantity);
  return quantity;
}

/**
 * Reads a JSON value as the API's decoder does: white space around a text is dropped, numbers count, null is 0.
 * @throws QuantityError
 */
export function readQuantity(value: unknown): Quantity {
  if (typeof value === 'string') return parseQuantity(value.trim());
  if (typeof value === 'number') return parseQuantity(String(value));
  if (value === null || value === undefined) return ZERO_QUANTITY;
  throw wrongShape(typeof value);
}

function parse(text: string): Quantity {
  const match = text.length > TEXT_LENGTH_MAX || text === '' ? null : SHAPE.exec(text);
  if (match === null) throw wrongShape(text);
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') {
    throw new QuantityError('number', 'unable to parse numeric part of quantity', text);
  }
  const digits = BigInt(whole + fraction);
  const { nano, format } = scale(digits, fraction.length, suffix, text);
  return { nano: sign === '-' ? -nano : nano, format };
}

function wrongShape(text: string): QuantityError {
  return new QuantityError(
    'format',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    text,
  );
}

function scale(digits: bigint, fractionLength: number, suffix: string, text: string): Quantity {
  const binary = suffix === '' ? -1 : BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) {
    const exact = digits * 1024n ** BigInt(binary) * NANO_PER_UNIT;
    const nano = divideUp(exact, 10n ** BigInt(fractionLength));
    if (nano > BINARY_NANO_MAX) return { nano: BINARY_NANO_MAX, format: 'BinarySI' };
    return { nano, format: nano > 0n && nano < NANO_PER_UNIT ? 'DecimalSI' : 'BinarySI' };
  }
  const { power, format } = decimalPower(suffix, text);
  const shift = power + 9 - fractionLength;
  const nano = shift >= 0 ? digits * 10n ** BigInt(shift) : divideUp(digits, 10n ** BigInt(-shift));
  return { nano, format };
}

function decimalPower(suffix: string, text: string): { power: number; format: QuantityFormat } {
  const power = DECIMAL_SUFFIXES.get(suffix);
  if (power !== undefined) return { power, format: 'DecimalSI' };
  const exponent = Number(EXPONENT.exec(suffix)?.[1] ?? Number.NaN);
  if (!(Math.abs(exponent) <= EXPONENT_MAX)) {
    throw new QuantityError('suffix', "unable to parse quantity's suffix", text);
  }
  return { power: exponent, format: 'DecimalExponent' };
}

/** Division of non-negative numbers, rounded up. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Negative, zero or positive as `left` is smaller, equal or larger. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return left.nano < right.nano ? -1 : left.nano > right.nano ? 1 : 0;
}

/** Sum in the format of the first operand, or of the second if the first is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format };
}

/** Thousandths, rounded away from zero, saturated at 2^53 - 1. */
export function toMilli(nano: bigint): number {
  return roundedAway(nano, NANO_PER_MILLI);
}

/** Whole units, rounded away from zero, saturated at 2^53 - 1. */
export function toUnits(nano: bigint): number {
  return roundedAway(nano, NANO_PER_UNIT);
}

function roundedAway(nano: bigint, divisor: bigint): number {
  // No real object reaches 2^53; upstream would overflow to 0 there, which would make a huge request free.
  const magnitude = divideUp(nano < 0n ? -nano : nano, divisor);
  const bounded = magnitude > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(magnitude);
  return nano < 0n ? -bounded : bounded;
}

/** A quantity rounded up to milli precision, as the API server stores resource lists. */
export function roundToMilli(quantity: Quantity): Quantity {
  const magnitude = quantity.nano < 0n ? -quantity.nano : quantity.nano;
  const rounded = divideUp(magnitude, NANO_PER_MILLI) * NANO_PER_MILLI;
  return { nano: quantity.nano < 0n ? -rounded : rounded, format: quantity.format };
}

/** Canonical text (`scheduling` 2.3). */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const magnitude = nano < 0n ? -nano : nano;
  const isInteger = magnitude % NANO_PER_UNIT === 0n;
  if (format === 'BinarySI' && isInteger && magnitude >= 1024n * NANO_PER_UNIT) {
    return sign + formatBinary(magnitude / NANO_PER_UNIT);
  }
  return sign + formatDecimal(magnitude, format === 'DecimalExponent');
}

function formatBinary(units: bigint): string {
  let divisions = 0;
  let mantissa = units;
  while (mantissa % 1024n === 0n && divisions < BINARY_SUFFIXES.length - 1) {
    mantissa /= 1024n;
    divisions++;
  }
  return mantissa.toString() + (BINARY_SUFFIXES[divisions] ?? '');
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  let mantissa = nano;
  let power = -9;
  while (mantissa % 1000n === 0n && (asExponent || power < 18)) {
    mantissa /= 1000n;
    power += 3;
  }
  if (asExponent) return power === 0 ? mantissa.toString() : `${mantissa.toString()}e${power}`;
  const suffix = [...DECIMAL_SUFFIXES].find(([, candidate]) => candidate === power)?.[0] ?? '';
  return mantissa.toString() + suffix;
}
