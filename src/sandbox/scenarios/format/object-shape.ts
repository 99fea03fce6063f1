import { isMap } from 'yaml';
import type { Node } from 'yaml';
import type { Spot } from './reading.js';
import { keyText } from './shape.js';
import type { JsonSchema, Shape } from './shape.js';

/** One key of an object: its shape, a sentence for editors, and whether it may be left out. */
export interface Field<Value, Required extends boolean> {
  readonly shape: Shape<Value>;
  readonly about: string;
  readonly required: Required;
}

export function required<Value>(shape: Shape<Value>, about: string): Field<Value, true> {
  return { shape, about, required: true };
}

export function optional<Value>(shape: Shape<Value>, about: string): Field<Value, false> {
  return { shape, about, required: false };
}

type AnyField = Field<unknown, boolean>;
export type Fields = Readonly<Record<string, AnyField>>;

type KeysThatAre<Of extends Fields, Needed extends boolean> = {
  [Key in keyof Of]: Of[Key]['required'] extends Needed ? Key : never;
}[keyof Of];

type FieldValue<Of> = Of extends Field<infer Value, boolean> ? Value : never;

export type ObjectOf<Of extends Fields> = { readonly [Key in KeysThatAre<Of, true>]: FieldValue<Of[Key]> } & {
  readonly [Key in KeysThatAre<Of, false>]?: FieldValue<Of[Key]>;
};

/** Spellings that people try, and the right one: short forms of the case notation, and synonyms. */
export type Spellings = Readonly<Record<string, string>>;

/** An object with known keys. Unknown ones are faults, with the nearest known key as remedy. */
export function object<const Of extends Fields>(
  noun: string,
  fields: Of,
  spellings: Spellings = {},
): Shape<ObjectOf<Of>> {
  const names = Object.keys(fields);
  return {
    noun,
    read: (spot) => {
      const value: Record<string, unknown> = {};
      const pairs = membersOf(spot, noun);
      if (pairs === null) return value as ObjectOf<Of>;
      for (const [key, keyNode, node] of pairs) {
        if (Object.hasOwn(fields, key)) value[key] = fields[key]!.shape.read(spot.member(key, node));
        else complainOfKey(spot, { key, keyNode, noun, names, spellings });
      }
      for (const name of names) {
        if (!fields[name]!.required || pairs.some(([key]) => key === name)) continue;
        spot.complain(`${noun} needs ${name}`, `add ${name}: ${fields[name]!.shape.noun}`);
      }
      return value as ObjectOf<Of>;
    },
    schema: (definitions) => {
      const properties = Object.fromEntries(
        names.map((name): [string, JsonSchema] => [
          name,
          { description: fields[name]!.about, ...fields[name]!.shape.schema(definitions) },
        ]),
      );
      const needed = names.filter((name) => fields[name]!.required);
      return {
        type: 'object',
        properties,
        additionalProperties: false,
        ...(needed.length > 0 && { required: needed }),
      };
    },
  };
}

type Member = readonly [key: string, keyNode: Node | null, value: Node | null];

function membersOf(spot: Spot, noun: string): readonly Member[] | null {
  if (!isMap(spot.node)) {
    spot.complain(`${noun} is a map`, 'write its keys: {key: value}');
    return null;
  }
  return spot.node.items.map(({ key, value }) => [keyText(key), key as Node | null, value as Node | null]);
}

interface UnknownKey {
  readonly key: string;
  readonly keyNode: Node | null;
  readonly noun: string;
  readonly names: readonly string[];
  readonly spellings: Spellings;
}

function complainOfKey(spot: Spot, { key, keyNode, noun, names, spellings }: UnknownKey): void {
  const right = Object.hasOwn(spellings, key) ? spellings[key] : nearest(key, names);
  const remedy = right === undefined ? `write one of ${names.join(', ')}` : `write ${right}`;
  const field = spot.field === '' ? key : `${spot.field}.${key}`;
  spot.reading.addAtKey(field, keyNode, { problem: `${noun} has no key ${key}`, remedy });
}

/** A known key that differs by at most two letters. */
function nearest(key: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(key.toLowerCase(), name.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= 2 && best.distance < key.length ? best.name : undefined;
}

/** Levenshtein. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(left).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(right).entries()) {
      const replaced = row[column]! + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
