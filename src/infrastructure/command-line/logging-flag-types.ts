import { bad, good, readInteger } from './flag-types.js';
import type { FlagType, Reading } from './flag-types.js';

const LEVEL_MAX = 2 ** 31 - 1;

/** klog verbosity, decimal. */
export const level: FlagType<number, ''> = {
  label: 'Level',
  suffix: '',
  read: readLevel,
  render: (value) => value.toString(),
};

function readLevel(text: string): Reading<number> {
  const value = /^\+?\d+$/u.test(text) ? Number(text) : Number.NaN;
  return value <= LEVEL_MAX ? good(value) : bad(`"${text}" is not a verbosity from 0 to ${LEVEL_MAX}`);
}

const SEVERITIES = ['INFO', 'WARNING', 'ERROR', 'FATAL'];

/** A severity by name in any case, or a number. Printed as its number, as klog does. */
export const severity: FlagType<number, ''> = {
  label: 'severity',
  suffix: '',
  read: (text) => {
    const index = SEVERITIES.indexOf(text.toUpperCase());
    if (index >= 0) return good(index);
    const reading = readInteger(text);
    return reading.ok ? reading : bad(`"${text}" is none of ${SEVERITIES.join(', ')}, and no number`);
  },
  render: (value) => value.toString(),
};

export interface VerbosityPattern {
  /** Glob with `*` and `?` over the event id of a message. */
  readonly pattern: string;
  readonly level: number;
}

/** `pattern=N,…`. */
export const verbosityPatterns: FlagType<readonly VerbosityPattern[], ''> = {
  label: 'pattern=N,...',
  suffix: '',
  read: (text) => {
    const patterns: VerbosityPattern[] = [];
    for (const part of text.split(',').filter((entry) => entry !== '')) {
      const match = /^([^=]+)=(.+)$/u.exec(part);
      const reading = readLevel(match?.[2] ?? '');
      if (match === null || !reading.ok) return bad(`"${part}" is not of the form pattern=N`);
      patterns.push({ pattern: match[1]!, level: reading.value });
    }
    return good(patterns);
  },
  render: (patterns) => patterns.map(({ pattern, level: value }) => `${pattern}=${value}`).join(','),
};

/** A resource quantity, kept as written. */
export const quantity: FlagType<string, ''> = {
  label: 'quantity',
  suffix: '',
  read: (text) =>
    /^[+-]?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/u.test(text)
      ? good(text)
      : bad(`"${text}" is not a quantity, write for example 512Ki`),
  render: (value) => value,
};
