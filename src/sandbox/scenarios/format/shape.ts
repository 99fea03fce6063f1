import { isMap, isScalar, isSeq } from 'yaml';
import type { Complaint, Spot } from './reading.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Shapes that have a name of their own in the schema, by name. */
export type SchemaDefinitions = Map<string, JsonSchema>;

/** How a value looks in YAML: what is read, complained of, and written in the JSON schema comes from the one shape. */
export interface Shape<Value> {
  /** Noun phrase for messages: `a duration such as 10m30s`. */
  readonly noun: string;
  /** Reads the value; faults go to the spot, and the value then has no meaning. */
  read(spot: Spot): Value;
  schema(definitions: SchemaDefinitions): JsonSchema;
}

export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never;

/** Notes the fault; the value means nothing, and a document with faults is not used. */
function unusable(spot: Spot, problem: string, remedy: string): never {
  spot.complain(problem, remedy);
  return undefined as never;
}

function scalar(spot: Spot): unknown {
  return isScalar(spot.node) ? spot.node.value : undefined;
}

interface TextOptions {
  readonly pattern?: RegExp;
  readonly example?: string;
}

export function text({ pattern, example }: TextOptions = {}): Shape<string> {
  return parsedText({
    noun: 'a text',
    ...(pattern && { pattern }),
    ...(example && { example }),
    parse: (value) => value,
  });
}

interface ParsedTextOptions<Value> {
  readonly noun: string;
  /** What the schema can say of it; the parser may be stricter. */
  readonly pattern?: RegExp;
  readonly example?: string;
  /** Throws a RangeError whose message is the problem. */
  readonly parse: (value: string) => Value;
}

/** A text with a meaning. */
export function parsedText<Value>({ noun, pattern, example, parse }: ParsedTextOptions<Value>): Shape<Value> {
  const remedy = example === undefined ? `write ${noun}` : `write ${noun}, e.g. ${example}`;
  return {
    noun: example === undefined ? noun : `${noun} such as ${example}`,
    read: (spot) => {
      const value = scalar(spot);
      if (typeof value !== 'string') return unusable(spot, `it is not ${noun}`, remedy);
      if (pattern !== undefined && !pattern.test(value)) {
        return unusable(spot, `it does not look like ${noun}`, remedy);
      }
      try {
        return parse(value);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return unusable(spot, error.message, remedy);
      }
    },
    schema: () => ({ type: 'string', ...(pattern && { pattern: pattern.source }) }),
  };
}

export function oneOf<const Values extends readonly string[]>(...values: Values): Shape<Values[number]> {
  return {
    noun: `one of ${values.join(', ')}`,
    read: (spot) => {
      const value = scalar(spot);
      if (typeof value === 'string' && values.includes(value)) return value;
      return unusable(spot, 'it is none of the known values', `write one of ${values.join(', ')}`);
    },
    schema: () => ({ enum: values }),
  };
}

export function amount({
  min = 0,
  integer = false,
}: { min?: number; integer?: boolean } = {}): Shape<number> {
  const noun = `${integer ? 'a whole number' : 'a number'} of at least ${min}`;
  return {
    noun,
    read: (spot) => {
      const value = scalar(spot);
      const fits = typeof value === 'number' && Number.isFinite(value) && value >= min;
      if (fits && (!integer || Number.isSafeInteger(value))) return value;
      return unusable(spot, `it is not ${noun}`, `write ${noun}`);
    },
    schema: () => ({ type: integer ? 'integer' : 'number', minimum: min }),
  };
}

export const count = (min = 0): Shape<number> => amount({ min, integer: true });

/** Also a negative one: a priority. */
export const integer = (): Shape<number> => amount({ min: -(2 ** 31), integer: true });

export function flag(): Shape<boolean> {
  return {
    noun: 'true or false',
    read: (spot) => {
      const value = scalar(spot);
      if (typeof value === 'boolean') return value;
      return unusable(spot, 'it is neither true nor false', 'write true or false');
    },
    schema: () => ({ type: 'boolean' }),
  };
}

export function list<Value>(item: Shape<Value>): Shape<readonly Value[]> {
  return {
    noun: `a list, each ${item.noun}`,
    read: (spot) => {
      if (!isSeq(spot.node)) return unusable(spot, 'it is no list', 'write a list: [one, two]');
      return spot.node.items.map((node, index) => item.read(spot.item(index, node as never)));
    },
    schema: (definitions) => ({ type: 'array', items: item.schema(definitions) }),
  };
}

/** One value or several. */
export function oneOrMore<Value>(item: Shape<Value>): Shape<readonly Value[]> {
  const several = list(item);
  return {
    noun: `${item.noun}, or a list of such`,
    read: (spot) => (isSeq(spot.node) ? several.read(spot) : [item.read(spot)]),
    schema: (definitions) => ({ anyOf: [item.schema(definitions), several.schema(definitions)] }),
  };
}

/** Values by keys that the writer chooses. */
export function mapOf<Value>(value: Shape<Value>): Shape<ReadonlyMap<string, Value>> {
  return {
    noun: `a map to ${value.noun}`,
    read: (spot) => {
      if (!isMap(spot.node)) return unusable(spot, 'it is no map', 'write a map: {key: value}');
      return new Map(
        spot.node.items.map(({ key, value: node }): [string, Value] => {
          const name = keyText(key);
          return [name, value.read(spot.member(name, node as never))];
        }),
      );
    },
    schema: (definitions) => ({ type: 'object', additionalProperties: value.schema(definitions) }),
  };
}

/** Whatever YAML can say, as plain data. */
export function anything(): Shape<unknown> {
  return {
    noun: 'anything',
    read: (spot) => spot.node?.toJSON() as unknown,
    schema: () => ({}),
  };
}

/** The first shape that takes the value without complaint; the complaint names all of them. */
export function either<First, Second>(first: Shape<First>, second: Shape<Second>): Shape<First | Second> {
  const noun = `${first.noun}, or ${second.noun}`;
  return {
    noun,
    read: (spot) => {
      const { faults } = spot.reading;
      const before = faults.length;
      for (const shape of [first, second]) {
        const value = shape.read(spot);
        if (faults.length === before) return value;
        faults.length = before;
      }
      return unusable(spot, 'it does not fit', `write ${noun}`);
    },
    schema: (definitions) => ({ anyOf: [first.schema(definitions), second.schema(definitions)] }),
  };
}

/** The shape with a further rule that the schema can't say. */
export function checked<Value>(
  shape: Shape<Value>,
  complaintOf: (value: Value) => Complaint | null,
): Shape<Value> {
  return {
    ...shape,
    read: (spot) => {
      const before = spot.reading.faults.length;
      const value = shape.read(spot);
      if (spot.reading.faults.length > before) return value;
      const complaint = complaintOf(value);
      if (complaint !== null) spot.complain(complaint.problem, complaint.remedy);
      return value;
    },
  };
}

/** The shape under a name: the schema says it once. */
export function named<Value>(name: string, shape: Shape<Value>): Shape<Value> {
  return {
    ...shape,
    schema: (definitions) => {
      if (!definitions.has(name)) {
        // Before the shape's own parts: it may contain itself.
        definitions.set(name, {});
        definitions.set(name, shape.schema(definitions));
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
}

/** Keys of YAML need not be texts: `1: one`. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
