import { expandText } from './ranges.js';
import { list, mapOf, parsedText, text } from './shape.js';
import type { Shape } from './shape.js';

const NAME = /^[a-zA-Z0-9]([a-zA-Z0-9_.{}-]*[a-zA-Z0-9}])?$|^\{.*\}$/u;

/** A name, which may stand for several: `a-{1..40}`. */
export function names(): Shape<string> {
  return parsedText({
    noun: 'a name',
    pattern: NAME,
    example: "'a-{1..40}'",
    parse: (value) => {
      expandText(value);
      return value;
    },
  });
}

export interface TaintText {
  readonly key: string;
  readonly value: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

const TAINT = /^(?<key>[^=:\s]+)(=(?<value>[^:]*))?:(?<effect>NoSchedule|PreferNoSchedule|NoExecute)$/u;

export function taints(): Shape<readonly TaintText[]> {
  return list(
    parsedText({
      noun: 'a taint',
      pattern: TAINT,
      example: "'use=batch:NoSchedule'",
      parse: (value) => {
        const { key, value: content = '', effect } = TAINT.exec(value)!.groups!;
        return { key: key!, value: content, effect: effect as TaintText['effect'] };
      },
    }),
  );
}

export const labels = (): Shape<ReadonlyMap<string, string>> => mapOf(text());
