import { parseDocument } from 'yaml';
import { groupPriorities } from '../../../domain/expansion/index.js';
import type { GroupPriorities } from '../../../domain/expansion/index.js';
import type { ConfigMapObject } from './api-objects.js';
import { identityOf } from './projection.js';

const KEY = 'priorities';

/**
 * The ConfigMap of the priority expander. What can't be used is a record, too: its owner is told.
 * @throws BrokenObjectError
 */
export function projectGroupPriorities({ metadata, data }: ConfigMapObject): GroupPriorities {
  const source = identityOf(metadata);
  const invalid = (problem: string): GroupPriorities => ({ kind: 'invalid', source, problem });
  const text = data?.[KEY];
  if (text === undefined) return invalid(`the key ${KEY} is missing`);
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) return invalid(`the YAML of ${KEY} can't be read: ${fault.message}`);
  const entries = entriesOf(document.toJS({ mapAsMap: true }));
  return entries instanceof Map ? groupPriorities(source, [...entries]) : invalid(entries);
}

/** Expressions by priority, or what is wrong. */
function entriesOf(value: unknown): Map<number, readonly string[]> | string {
  if (!(value instanceof Map) || value.size === 0) return `${KEY} is no map of priorities`;
  const entries = new Map<number, readonly string[]>();
  for (const [priority, expressions] of value as Map<unknown, unknown>) {
    if (!Number.isSafeInteger(priority)) return `priority ${JSON.stringify(priority)} is no integer`;
    if (!isListOfScalars(expressions)) return `priority ${String(priority)} has no list of expressions`;
    entries.set(priority as number, expressions.map(String));
  }
  return entries;
}

function isListOfScalars(value: unknown): value is readonly (string | number | boolean)[] {
  return Array.isArray(value) && value.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
}
