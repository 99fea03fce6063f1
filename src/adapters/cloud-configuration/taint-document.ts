import { IsIn, IsOptional } from 'class-validator';
import type { Taint } from '../../domain/kubernetes/taint.js';
import { IsText } from './constraints.js';
import { documentOf } from './document.js';
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

/** What is no list stays as it is, and what is no object becomes a taint without key, both for the validation to find. */
export function taintDocuments(value: JsonValue, place: string, findings: Findings): unknown {
  if (!Array.isArray(value)) return value;
  return (value as readonly JsonValue[]).map((taint, index) => {
    const known = isJsonObject(taint) ? withKnownKeys(taint, TAINT_KEYS, `${place}[${index}]`, findings) : {};
    return documentOf(TaintDocument, known);
  });
}

export function readTaints(documents: readonly TaintDocument[] | null | undefined): readonly Taint[] {
  return (documents ?? []).map(({ key, value, effect }) => ({ key, value: value ?? '', effect }));
}
