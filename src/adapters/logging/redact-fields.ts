import type { LogFields } from '../../application/ports/logger.js';

/** Names, without case and separators, whose values are never shown. */
const SECRET_NAMES =
  /(token|authorization|password|secret|userdata|cloudinit|apikey|privatekey|clientkeydata|credentials?)$/u;

/** Deeper parts of a field are cut: log lines are for decisions, not for object dumps. */
const DEPTH_MAX = 6;

/** A copy of the fields with secrets taken out by name and errors reduced to their messages. */
export function redactFields(fields: LogFields): LogFields {
  return redactRecord(fields, 0);
}

function redactRecord(record: LogFields, depth: number): LogFields {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    copy[name] = isSecret(name, value) ? '(secret)' : redactValue(value, depth + 1);
  }
  return copy;
}

function isSecret(name: string, value: unknown): boolean {
  // `hasToken: true` and `tokens: 3` say nothing secret.
  if (typeof value === 'boolean' || typeof value === 'number' || value === null) return false;
  return SECRET_NAMES.test(name.toLowerCase().replace(/[^a-z]/gu, ''));
}

function redactValue(value: unknown, depth: number): unknown {
  if (value instanceof Error) return value.message;
  if (typeof value === 'bigint' || typeof value === 'symbol') return value.toString();
  if (typeof value === 'function') return '(function)';
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return '(deeper)';
  if (value instanceof Date) return value;
  // What renders itself, such as a dump that is made only for a line that is written.
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redactValue((value.toJSON as () => unknown)(), depth + 1);
  }
  if (value instanceof Map) return redactRecord(Object.fromEntries(value) as LogFields, depth);
  const members: readonly unknown[] | null =
    value instanceof Set ? [...value] : Array.isArray(value) ? value : null;
  if (members !== null) return members.map((member) => redactValue(member, depth + 1));
  return redactRecord(value as LogFields, depth);
}
