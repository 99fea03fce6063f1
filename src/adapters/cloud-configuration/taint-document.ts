import { IsIn, IsOptional } from 'class-validator';
import type { Taint } from '../../domain/kubernetes/taint.js';
import { IsText } from './constraints.js';
import type { Findings } from './findings.js';
import type { JsonValue } from './json.js';
import { isJsonObject, withKnownKeys } from './known-keys.js';
import { isKubernetesKey, isLabelValue } from './label-syntax.js';

export class TaintDocument {
  @IsText(isKubernetesKey, 'must be a valid taint key')
  key!: string;

  @IsOptional()
  @IsText(isLabelValue, 'must be a valid taint value')
  value?: string;

  @IsIn(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
  effect!: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

const TAINT_KEYS = ['key', 'value', 'effect'];

/** The list with the known keys of each taint; what is no list of objects stays as it is, for the validation to find. */
export function withKnownTaintKeys(value: JsonValue, place: string, findings: Findings): JsonValue {
  if (!Array.isArray(value)) return value;
  return (value as readonly JsonValue[]).map((taint, index) =>
    isJsonObject(taint) ? withKnownKeys(taint, TAINT_KEYS, `${place}[${index}]`, findings) : taint,
  );
}

export function readTaints(documents: readonly TaintDocument[] | null | undefined): readonly Taint[] {
  return (documents ?? []).map(({ key, value, effect }) => ({ key, value: value ?? '', effect }));
}
