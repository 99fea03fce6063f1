/**
 * Values of the API, whose types drift: numbers come as text, text as numbers, and an empty list or object as the
 * other (`utho` 3.5). What can't be read is undefined or empty; whether that matters is for the caller to say.
 */

const WHOLE_NUMBER = /^\s*-?\d+\s*$/u;
const DECIMAL = /^\s*-?\d+(?:\.\d+)?\s*$/u;
const TRUE = new Set(['true', '1', 'on', 'yes']);

/** Text, number or boolean as trimmed text; anything else is empty. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** An integer below 2^53, from a number or from text. */
export function readInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

export function readDecimal(value: unknown): number | undefined {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Digits of an id, empty where it is none. Ids are text here: they may outgrow a number. */
export function readDigits(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : '';
  const text = readText(value);
  return /^\d+$/u.test(text) ? text : '';
}

export function readFlag(value: unknown): boolean {
  return TRUE.has(readText(value).toLowerCase());
}

export type Members = Readonly<Record<string, unknown>>;

/** An object, or undefined. */
export function readObject(value: unknown): Members | undefined {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isObject ? (value as Members) : undefined;
}

/** An object; nothing and an empty list read as an empty one. Undefined: it is something else. */
export function readMap(value: unknown): Members | undefined {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return readObject(value);
}

/**
 * A list; nothing reads as an empty one, and an object as the list of its members: that is how the API's language
 * writes a list with gaps. Undefined: it is something else.
 */
export function readList(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  const members = readObject(value);
  return members === undefined ? undefined : Object.values(members);
}
