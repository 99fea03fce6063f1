import { copyJson } from '../objects/json.js';
import { isRecord } from '../objects/object.js';

/** JSON merge patch (RFC 7386): null deletes, lists are replaced. Changes neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return copyJson(patch);
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, field);
    else result[field] = mergePatch(result[field], value);
  }
  return result;
}
