import { parseGoDuration, renderGoDuration } from '../../domain/go-duration.js';
import { readCsvRecord } from './csv-record.js';

/** A value read from text, or what is wrong with the text. */
export type Reading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/** How one kind of flag reads and prints its value (`interface` 1.1). */
export interface FlagType<Value, Suffix extends string = string> {
  /** Shown behind the name in the usage text. */
  readonly label: string;
  /** Appended to the option's name: the unit. */
  readonly suffix: Suffix;
  /** What a bare `--flag` means; absent where a value is required. */
  readonly bareText?: string;
  /** `soFar` is the value of earlier occurrences on this command line. */
  read(text: string, soFar: Value | undefined): Reading<Value>;
  render(value: Value): string;
}

export function good<Value>(value: Value): Reading<Value> {
  return { ok: true, value };
}

export function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

export function readBoolean(text: string): Reading<boolean> {
  if (TRUE.has(text)) return good(true);
  return FALSE.has(text) ? good(false) : bad(`"${text}" is not a boolean, write true or false`);
}

export const boolean: FlagType<boolean, ''> = {
  label: '',
  suffix: '',
  bareText: 'true',
  read: readBoolean,
  render: (value) => value.toString(),
};

export const string: FlagType<string, ''> = {
  label: 'string',
  suffix: '',
  read: (text) => good(text),
  render: (value) => value,
};

const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|0|[1-9][0-9_]*)$/u;

/**
 * Go's integer with base prefix: `0x10`, `0b11`, `0o17`, `010`; underscores may separate digits.
 * differs from upstream: bounded to 2^53 instead of 2^63, the integers that JavaScript keeps exact.
 */
export function readInteger(text: string): Reading<number> {
  const match = INTEGER.exec(text);
  const digits = match?.[2] ?? '';
  if (match === null || digits.endsWith('_') || digits.includes('__')) {
    return bad(`"${text}" is not an integer`);
  }
  const plain = digits.replaceAll('_', '');
  const isBareOctal = /^0[0-7]+$/u.test(plain);
  const magnitude = Number(isBareOctal ? `0o${plain.slice(1)}` : plain);
  if (!Number.isSafeInteger(magnitude)) return bad(`"${text}" is out of range`);
  return good(match[1] === '-' && magnitude !== 0 ? -magnitude : magnitude);
}

export const integer: FlagType<number, ''> = {
  label: 'int',
  suffix: '',
  read: readInteger,
  render: (value) => value.toString(),
};

export const unsignedInteger: FlagType<number, ''> = {
  label: 'uint',
  suffix: '',
  read: (text) => (/^[+-]/u.test(text) ? bad(`"${text}" must be an unsigned integer`) : readInteger(text)),
  render: (value) => value.toString(),
};

const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/u;

/** differs from upstream: `inf`, `nan` and hexadecimal fractions are refused; as a threshold they hide a mistake. */
export const float: FlagType<number, ''> = {
  label: 'float',
  suffix: '',
  read: (text) =>
    FLOAT.test(text) && Number.isFinite(Number(text)) ? good(Number(text)) : bad(`"${text}" is not a number`),
  render: (value) => value.toString(),
};

export const duration: FlagType<number, 'Ms'> = {
  label: 'duration',
  suffix: 'Ms',
  read: (text) => {
    const ms = parseGoDuration(text);
    return ms === null ? bad(`"${text}" is not a duration, write for example 90s, 1m30s or 1.5h`) : good(ms);
  },
  render: renderGoDuration,
};

/** Each occurrence appends one element; commas stay. */
export const stringArray: FlagType<readonly string[], ''> = {
  label: 'stringArray',
  suffix: '',
  read: (text, soFar) => good([...(soFar ?? []), text]),
  render: renderList,
};

/** Each occurrence is split as one CSV record and appended. */
export const stringSlice: FlagType<readonly string[], ''> = {
  label: 'strings',
  suffix: '',
  read: (text, soFar) => {
    const fields = readCsvRecord(text);
    return fields === null
      ? bad(`"${text}" has a stray or unclosed quote`)
      : good([...(soFar ?? []), ...fields]);
  },
  render: renderList,
};

function renderList(values: readonly string[]): string {
  const fields = values.map((value) =>
    /[",\r\n]|^\s/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
  );
  return `[${fields.join(',')}]`;
}
