import { TinycloudError } from './tinycloud-error.js';

export interface Machine {
  readonly id: string;
  readonly name: string;
  /** The tag with which it was ordered; null on machines that are not the autoscaler's. */
  readonly pool: string | null;
  readonly status: 'booting' | 'running' | 'failed';
  readonly createdMs: number;
}

export interface Size {
  readonly name: string;
  readonly cpus: number;
  readonly memoryMib: number;
  readonly diskGib: number;
  readonly pricePerHour: number;
}

/** An answer that is not understood must never look like a short list: whoever is missing there counts as gone. */
export function listOf<Item>(
  key: string,
  answer: unknown,
  isItem: (item: unknown) => item is Item,
): readonly Item[] {
  const list = isRecord(answer) ? answer[key] : undefined;
  if (Array.isArray(list) && list.every(isItem)) return list;
  throw new TinycloudError('bad_answer', 'unknown', `the answer has no list of ${key}`);
}

export function isMachine(value: unknown): value is Machine {
  if (!isRecord(value)) return false;
  const { id, name, pool, status, createdMs } = value;
  const texts = [id, name, status].every((field) => typeof field === 'string' && field !== '');
  return texts && (pool === null || typeof pool === 'string') && typeof createdMs === 'number';
}

export function isSize(value: unknown): value is Size {
  if (!isRecord(value)) return false;
  const { name, cpus, memoryMib, diskGib, pricePerHour } = value;
  const amounts = [cpus, memoryMib, diskGib, pricePerHour];
  return typeof name === 'string' && amounts.every((amount) => typeof amount === 'number' && amount >= 0);
}

/** What an answer says of itself that is no success. One that a proxy wrote says nothing; its status has to do. */
export function readRefusal(text: string): { readonly code?: string; readonly message?: string } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return {};
  }
  const { code, message } = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {};
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
