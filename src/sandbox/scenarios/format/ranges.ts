/** Objects that one entry may stand for, at most: more than any cluster that is simulated. */
const COPIES_MAX = 200_000;
const RANGE = /\{(\d+)\.\.(\d+)\}/gu;
const INDEX_NAMES = ['{i}', '{j}', '{k}'];

/** All texts that a pattern such as `a-{1..40}` stands for; several ranges give all combinations. */
export function expandText(pattern: string): readonly string[] {
  return combinations(pattern).map(({ text }) => text);
}

interface Copyable {
  readonly id: string;
  readonly x?: number;
}

/**
 * The objects that an entry stands for: `id: 'a-{1..40}'` is forty of them, `x: 3` three with `-1`, `-2`, `-3` behind
 * the id. In all other texts of the entry `{i}` is the number of the first range, `{j}` and `{k}` of further ones, and
 * `{n}` the number of the copy. Throws a RangeError for too many.
 */
export function expandCopies<Item extends Copyable>(item: Item): readonly Item[] {
  const { x } = item;
  const ids = combinations(item.id);
  if (ids.length * (x ?? 1) > COPIES_MAX)
    throw new RangeError(`it stands for more than ${COPIES_MAX} objects`);
  return ids.flatMap(({ text, indices }) => {
    const names = new Map(indices.map((index, place) => [INDEX_NAMES[place] ?? '', index]));
    if (x === undefined || x === 1) return [withIndices(item, text, names.set('{n}', '1'))];
    return Array.from({ length: x }, (_, copy) =>
      withIndices(item, `${text}-${copy + 1}`, new Map([...names, ['{n}', `${copy + 1}`]])),
    );
  });
}

interface Combination {
  readonly text: string;
  readonly indices: readonly string[];
}

function combinations(pattern: string): readonly Combination[] {
  let found: Combination[] = [{ text: pattern, indices: [] }];
  const ranges = [...pattern.matchAll(RANGE)];
  for (const [whole, first, last] of ranges) {
    const length = Number(last) - Number(first) + 1;
    if (length < 1) throw new RangeError(`the range ${whole} is empty`);
    if (found.length * length > COPIES_MAX)
      throw new RangeError(`it stands for more than ${COPIES_MAX} objects`);
    const numbers = Array.from({ length }, (_, offset) => `${Number(first) + offset}`);
    found = found.flatMap(({ text, indices }) =>
      numbers.map((number) => ({ text: text.replace(whole, number), indices: [...indices, number] })),
    );
  }
  return found;
}

function withIndices<Item extends Copyable>(
  item: Item,
  id: string,
  names: ReadonlyMap<string, string>,
): Item {
  const replaced = replaceIn(item, names) as Item;
  return { ...replaced, id };
}

function replaceIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replaceText(value, names);
  if (Array.isArray(value)) return value.map((part: unknown) => replaceIn(part, names));
  if (value instanceof Map) {
    return new Map([...value].map(([key, part]) => [replaceIn(key, names), replaceIn(part, names)]));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceIn(part, names)]));
}

function replaceText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes('{')) return text;
  return text.replace(/\{[ijkn]\}/gu, (name) => names.get(name) ?? name);
}
