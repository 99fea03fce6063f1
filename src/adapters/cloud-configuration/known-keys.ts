import type { Findings } from './findings.js';
import type { JsonObject, JsonValue } from './json.js';
import { nearestName } from './nearest-name.js';

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/**
 * The object with its known keys in their exact spelling. Another case is accepted with a warning, as the Go decoder
 * accepts it; what is left over is named in a warning with its likely meaning, so that a typing error does not pass
 * (U021).
 */
export function withKnownKeys(
  value: JsonObject,
  known: readonly string[],
  place: string,
  findings: Findings,
): JsonObject {
  const byLowerCase = new Map(known.map((key) => [key.toLowerCase(), key]));
  const result: Record<string, JsonValue> = {};
  const unknown: string[] = [];
  for (const [key, content] of Object.entries(value)) {
    const exact = byLowerCase.get(key.toLowerCase());
    if (exact === undefined) {
      unknown.push(key);
    } else if (key === exact) {
      result[exact] = content;
    } else if (!Object.hasOwn(value, exact)) {
      findings.warn(`${place}.${key}: the key is spelt ${exact}`);
      result[exact] = content;
    }
  }
  if (unknown.length > 0) {
    const named = unknown.map((key) => withSuggestion(key, known)).join(', ');
    findings.warn(`${place}: unknown keys ${named} are ignored; known are ${known.join(', ')}`);
  }
  return result;
}

function withSuggestion(key: string, known: readonly string[]): string {
  const name = nearestName(key, known);
  return name === undefined ? key : `${key} (meant: ${name}?)`;
}
