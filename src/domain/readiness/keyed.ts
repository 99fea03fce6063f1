/** Plain, JSON-able table by id. Ids come from users and clouds, so look-ups never see inherited properties. */
export type Keyed<Value> = Readonly<Record<string, Value>>;

export function entryOf<Value>(table: Keyed<Value>, key: string): Value | null {
  return Object.hasOwn(table, key) ? (table[key] as Value) : null;
}

/** A table with `key` set, or removed when the value is null; the same one where nothing changes. */
export function withEntry<Value>(table: Keyed<Value>, key: string, value: Value | null): Keyed<Value> {
  if (entryOf(table, key) === value) return table;
  const others = Object.entries(table).filter(([known]) => known !== key);
  return Object.fromEntries(value === null ? others : [...others, [key, value]]);
}

/** A copy with the entries that the rule keeps. */
export function keepEntries<Value>(
  table: Keyed<Value>,
  keep: (key: string, value: Value) => boolean,
): Keyed<Value> {
  return Object.fromEntries(Object.entries(table).filter(([key, value]) => keep(key, value)));
}
