/** Deep copy of parsed JSON; fields that are undefined are dropped, as on the wire. */
export function copyJson<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as unknown[]).map(copyJson) as T;
  const copy: Record<string, unknown> = {};
  for (const [field, part] of Object.entries(value))
    if (part !== undefined) copy[field] = copyJson<unknown>(part);
  return copy as T;
}

/** Whether both are the same JSON, whatever the order of fields. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameJson(item, right[index]));
  }
  const fields = Object.keys(left).filter((field) => (left as Record<string, unknown>)[field] !== undefined);
  const others = Object.values(right).filter((part) => part !== undefined);
  return (
    fields.length === others.length &&
    fields.every((field) =>
      sameJson((left as Record<string, unknown>)[field], (right as Record<string, unknown>)[field]),
    )
  );
}
