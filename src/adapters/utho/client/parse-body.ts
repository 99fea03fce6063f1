/**
 * The JSON object of an answer, or null where there is none. The API puts bytes before it now and then: a line break,
 * a byte order mark, a warning of its run time (`utho` 3.3 E7).
 */
export function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  const start = text.search(/[{[]/u);
  if (start < 0) return null;
  // What stands before may hold a bracket itself.
  return parseObject(text.slice(start)) ?? parseObject(text.slice(text.indexOf('{')));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
