/** Any JSON object of the API, as parsed. */
export type Json = Readonly<Record<string, unknown>>;

const MANAGED_FIELDS = Buffer.from(',"managedFields":[');
const END_OF_METADATA = Buffer.from(']},"spec":{');
const SPEC = Buffer.from('"spec":{');
/** From the end mark's start to the `"spec"` in it. */
const SPEC_OFFSET = END_OF_METADATA.indexOf(SPEC);

/**
 * Parses one JSON text that holds an API object, bare or under `object` (a watch event). `metadata.managedFields`,
 * a quarter of most objects and of no use here, is cut out before parsing where the API server's usual order of
 * fields shows where it ends. The rest of the object is the same with and without the cut.
 * @throws SyntaxError when the bytes are not one complete JSON value
 */
export function parseObject(bytes: Buffer): unknown {
  const trimmed = textWithoutManagedFields(bytes);
  if (trimmed !== null) {
    const value: unknown = JSON.parse(trimmed);
    if (isIdentified(value)) return value;
  }
  return JSON.parse(bytes.toString('utf8'));
}

/**
 * The text without managed fields, or null where they can't be cut safely. They can where the array is the last
 * field of `metadata` and `spec` follows: quotes inside strings are escaped, and keys of managed fields are written
 * `f:spec`, so the first `"spec":{` of the bytes is the object's own.
 */
export function textWithoutManagedFields(bytes: Buffer): string | null {
  const from = bytes.indexOf(MANAGED_FIELDS);
  if (from < 0) return null;
  const end = bytes.indexOf(END_OF_METADATA, from);
  if (end < 0 || bytes.indexOf(SPEC) !== end + SPEC_OFFSET) return null;
  return bytes.toString('utf8', 0, from) + bytes.toString('utf8', end + 1);
}

/** Guards the cut: whatever else went, name and uid must still be there. */
function isIdentified(value: unknown): boolean {
  const { object } = value as { readonly object?: unknown };
  const metadata = metadataOf(object ?? value);
  return typeof metadata?.['name'] === 'string' && typeof metadata['uid'] === 'string';
}

export function metadataOf(object: unknown): Json | null {
  if (object === null || typeof object !== 'object') return null;
  const { metadata } = object as { readonly metadata?: unknown };
  return metadata !== null && typeof metadata === 'object' ? (metadata as Json) : null;
}
