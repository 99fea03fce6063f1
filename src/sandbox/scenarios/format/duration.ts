import { parsedText } from './shape.js';
import type { Shape } from './shape.js';

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/u;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/gu;

/** Milliseconds of `1h30m`; null when it is none. */
export function parseDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let totalMs = 0;
  for (const [, number, unit] of text.matchAll(PART)) totalMs += Number(number) * UNITS_MS[unit!]!;
  return Math.round(totalMs);
}

/** `1h30m`, `10s`, `0s`. */
export function renderDuration(ms: number): string {
  if (ms === 0) return '0s';
  const parts: string[] = [];
  let left = ms;
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const whole = Math.floor(left / UNITS_MS[unit]!);
    if (whole > 0) parts.push(`${whole}${unit}`);
    left -= whole * UNITS_MS[unit]!;
  }
  return parts.join('');
}

/** A duration, in milliseconds. */
export function duration(): Shape<number> {
  return parsedText({
    noun: 'a duration',
    pattern: DURATION,
    example: '10m30s',
    parse: (value) => parseDuration(value)!,
  });
}
