import { invalidInput } from './api-error.js';
import { parseSelector } from './labels.js';
import type { Labels } from './labels.js';
import type { Answer, Call } from './router.js';

const PAGE_SIZE = 25;
const PAGE_SIZE_MAX = 50;

type SortValue = number | string;

export interface Listing<T> {
  /** Key of the list in the answer. */
  readonly plural: string;
  readonly items: readonly T[];
  readonly render: (item: T) => unknown;
  /** Fields that `sort` may name. */
  readonly sortable: Readonly<Record<string, (item: T) => SortValue>>;
}

export interface ListingRules {
  readonly strictPageSize: boolean;
  /** Present: lists without `sort` come in the order that this draws. */
  readonly shuffle?: <T>(items: readonly T[]) => readonly T[];
}

/** One page of a list, with `meta.pagination` and `Link` (`hetzner` 2.3). */
export function answerPage<T>(call: Call, listing: Listing<T>, rules: ListingRules): Answer {
  const page = positive(call.query, 'page', 1);
  const asked = positive(call.query, 'per_page', PAGE_SIZE);
  if (asked > PAGE_SIZE_MAX && rules.strictPageSize)
    throw invalidInput('per_page', `at most ${PAGE_SIZE_MAX}`);
  const perPage = Math.min(asked, PAGE_SIZE_MAX);
  const sorted = sortItems(call.query.getAll('sort'), listing, rules);
  const lastPage = Math.max(1, Math.ceil(sorted.length / perPage));
  const pagination = {
    page,
    per_page: perPage,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < lastPage ? page + 1 : null,
    last_page: lastPage,
    total_entries: sorted.length,
  };
  const items = sorted.slice((page - 1) * perPage, page * perPage).map((item) => listing.render(item));
  return {
    status: 200,
    body: { [listing.plural]: items, meta: { pagination } },
    headers: linkHeader(call, pagination),
  };
}

/** Keeps items with exactly this name, if the query asks for one. */
export function filterByName<T extends { readonly name: string | null }>(
  call: Call,
  items: readonly T[],
): readonly T[] {
  const name = call.query.get('name');
  return name === null || name === '' ? items : items.filter((item) => item.name === name);
}

export function filterByLabels<T extends { readonly labels: Labels }>(
  call: Call,
  items: readonly T[],
): readonly T[] {
  const matches = parseSelector(call.query.get('label_selector') ?? '');
  return items.filter((item) => matches(item.labels));
}

/** Keeps items whose value is one of those that the query names, if it names any. */
export function filterByValues<T>(
  call: Call,
  parameter: string,
  items: readonly T[],
  valueOf: (item: T) => string,
): readonly T[] {
  const wanted = new Set(call.query.getAll(parameter).filter((value) => value !== ''));
  return wanted.size === 0 ? items : items.filter((item) => wanted.has(valueOf(item)));
}

function positive(query: URLSearchParams, name: string, byDefault: number): number {
  const text = query.get(name);
  if (text === null || text === '') return byDefault;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw invalidInput(name, 'must be a positive integer');
  return value;
}

function sortItems<T>(orders: readonly string[], listing: Listing<T>, rules: ListingRules): readonly T[] {
  const comparisons = orders.filter((order) => order !== '').map((order) => comparison(order, listing));
  if (comparisons.length === 0)
    return rules.shuffle === undefined ? byId(listing) : rules.shuffle(listing.items);
  return [...listing.items].sort((a, b) => {
    for (const compare of comparisons) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  });
}

function byId<T>(listing: Listing<T>): readonly T[] {
  const id = listing.sortable['id'];
  return id === undefined ? listing.items : [...listing.items].sort((a, b) => Number(id(a)) - Number(id(b)));
}

function comparison<T>(order: string, listing: Listing<T>): (a: T, b: T) => number {
  const [field = '', direction = 'asc'] = order.split(':');
  const valueOf = Object.hasOwn(listing.sortable, field) ? listing.sortable[field] : undefined;
  if (valueOf === undefined || !['asc', 'desc'].includes(direction)) {
    throw invalidInput('sort', `can't sort by '${order}'`);
  }
  const sign = direction === 'desc' ? -1 : 1;
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    return left === right ? 0 : left < right ? -sign : sign;
  };
}

function linkHeader(
  call: Call,
  pagination: {
    readonly previous_page: number | null;
    readonly next_page: number | null;
    readonly last_page: number;
  },
): Readonly<Record<string, string>> {
  const link = (page: number, relation: string): string => {
    const query = new URLSearchParams(call.query);
    query.set('page', `${page}`);
    return `<${call.origin}/v1${call.path}?${query.toString()}>; rel="${relation}"`;
  };
  const links: string[] = [];
  if (pagination.previous_page !== null) links.push(link(pagination.previous_page, 'prev'));
  if (pagination.next_page !== null) links.push(link(pagination.next_page, 'next'));
  links.push(link(pagination.last_page, 'last'));
  return { link: links.join(', ') };
}
