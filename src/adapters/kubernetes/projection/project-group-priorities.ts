import { RE2JS, RE2JSException } from 're2js';
import { parse, YAMLError } from 'yaml';
import type { GroupPriorities, PriorityLevel } from '../../../domain/expansion/index.js';
import type { ConfigMapObject } from './api-objects.js';
import { identityOf } from './projection.js';

const KEY = 'priorities';
/** Steps of all expressions together, for memory and time: some 2,000 expressions as people write them. */
const PROGRAM_SIZE_MAX = 50_000;

/** What its owner did wrong. */
class PrioritiesError extends Error {}

/**
 * The ConfigMap of the priority expander. What can't be used is a record, too: its owner is told.
 *
 * Expressions are RE2's, as in the Go program: its engine takes linear time, where the language's own may backtrack for
 * ever on what a user writes.
 * @throws BrokenObjectError
 */
export function projectGroupPriorities({ metadata, data }: ConfigMapObject): GroupPriorities {
  const source = identityOf(metadata);
  try {
    return { kind: 'valid', source, levels: levelsOf(data?.[KEY]) };
  } catch (error) {
    if (!(error instanceof PrioritiesError)) throw error;
    return { kind: 'invalid', source, problem: error.message };
  }
}

function levelsOf(text: string | undefined): readonly PriorityLevel[] {
  if (text === undefined) throw new PrioritiesError(`the key ${KEY} is missing`);
  const value = parsed(text);
  if (!(value instanceof Map) || value.size === 0) {
    throw new PrioritiesError(`${KEY} is no map of priorities`);
  }
  let size = 0;
  return [...(value as Map<unknown, unknown>)].map(([priority, expressions]) => {
    if (!Number.isSafeInteger(priority))
      throw new PrioritiesError(`priority ${JSON.stringify(priority)} is no integer`);
    if (!isListOfScalars(expressions))
      throw new PrioritiesError(`priority ${String(priority)} has no list of expressions`);
    const matchers = expressions.map(String).map((expression) => {
      const program = compiled(expression, priority as number);
      size += program.programSize();
      if (size > PROGRAM_SIZE_MAX) throw new PrioritiesError('the expressions are too large together');
      return (groupId: string) => program.test(groupId);
    });
    return { priority: priority as number, matchers };
  });
}

function parsed(text: string): unknown {
  try {
    return parse(text, { mapAsMap: true, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // A reference error is an alias without anchor, which is what YAML sees in an expression that begins with a star.
    if (!(error instanceof YAMLError || error instanceof ReferenceError)) throw error;
    throw new PrioritiesError(`the YAML of ${KEY} can't be read: ${error.message}`);
  }
}

function compiled(expression: string, priority: number): RE2JS {
  try {
    return RE2JS.compile(expression);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const place = `expression ${JSON.stringify(expression)} of priority ${priority}`;
    throw new PrioritiesError(`${place}: ${error.message}`);
  }
}

function isListOfScalars(value: unknown): value is readonly (string | number | boolean)[] {
  return Array.isArray(value) && value.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
}
