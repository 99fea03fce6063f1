import type { Checked } from './start-fault.js';
import { fatal } from './start-fault.js';

export interface ResourceRange {
  readonly min: number;
  readonly max: number;
}

export interface GpuRange extends ResourceRange {
  /** Value of the provider's GPU label. */
  readonly type: string;
}

const GIB = 1024 ** 3;

/** `--cores-total`: `min:max` in cores. */
export function readCoresTotal(text: string): Checked<ResourceRange> {
  return readRange('cores-total', text);
}

/** `--memory-total`: `min:max` in GiB; the result is in bytes. */
export function readMemoryTotal(text: string): Checked<ResourceRange> {
  const checked = readRange('memory-total', text);
  if ('fault' in checked) return checked;
  return { value: { min: checked.value.min * GIB, max: checked.value.max * GIB } };
}

/** One `--gpu-total`: `type:min:max`. */
export function readGpuTotal(text: string): Checked<GpuRange> {
  const parts = text.split(':');
  const [type = '', min = '', max = ''] = parts;
  const range = parts.length === 3 ? orderedRange(min, max) : null;
  if (range !== null) return { value: { type, ...range } };
  return {
    fault: fatal(
      'gpu-total',
      text,
      'not of the form type:min:max with 0 <= min <= max',
      'write for example nvidia-l4:0:4',
    ),
  };
}

function readRange(flagName: string, text: string): Checked<ResourceRange> {
  const colon = text.indexOf(':');
  const range = colon === -1 ? null : orderedRange(text.slice(0, colon), text.slice(colon + 1));
  if (range !== null) return { value: range };
  return {
    fault: fatal(
      flagName,
      text,
      'not of the form min:max with integers 0 <= min <= max',
      'write for example 0:320000',
    ),
  };
}

function orderedRange(minText: string, maxText: string): ResourceRange | null {
  const min = readDecimal(minText);
  const max = readDecimal(maxText);
  return min !== null && max !== null && min >= 0 && max >= min ? { min, max } : null;
}

/** Go's `ParseInt(text, 10, 64)`: decimal with an optional sign, nothing around it. */
function readDecimal(text: string): number | null {
  const value = /^[+-]?\d+$/u.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}
