import type { HetznerSandbox } from '../../../sandbox/hetzner-sandbox.js';
import type { HowOften, TimeWindow } from '../../../sandbox/scenarios/index.js';
import type { Call } from '../call-log.js';
import type { Chronicle } from '../chronicle.js';

/** Whether one expectation holds. */
export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  /** What was found instead; empty where that says nothing more. */
  readonly found: string;
}

/** What expectations are judged on. */
export interface Evidence {
  readonly span: TimeWindow;
  readonly chronicle: Chronicle;
  readonly sandbox: HetznerSandbox;
  readonly cloudCalls: readonly Call[];
  readonly apiCalls: readonly Call[];
}

export function isWithin(atMs: number, { fromMs, toMs }: TimeWindow): boolean {
  return atMs >= fromMs && atMs <= toMs;
}

/** `*` stands for any characters. */
export function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 'u').test(name);
}

/** Judges a number against `times`, `atLeast` and `atMost`. */
export function judgeCount(what: string, found: number, { times, atLeast, atMost }: HowOften): Verdict {
  const atLeastOnce = times === undefined && atMost === undefined ? 1 : 0;
  const min = times ?? atLeast ?? atLeastOnce;
  const max = times ?? atMost ?? Infinity;
  const wanted = min === max ? `${min}` : max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  return { text: `${what}: ${wanted}`, holds: found >= min && found <= max, found: `${found}` };
}
