import { parseObject } from './parse-object.js';
import type { Json } from './parse-object.js';

const ITEMS = Buffer.from('"items":[');
const CURLY_OPEN = '{'.charCodeAt(0);
/** The fields before `items` are a few hundred bytes; a body without items in its first MiB is parsed as a whole. */
const HEAD_BYTES_MAX = 1024 * 1024;
/** etcd takes objects up to 1.5 MiB by default: a longer piece is no item. Also bounds a body parsed as a whole. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024;

/** An answer that is no list, or one that broke off. */
export class ListSyntaxError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ListSyntaxError';
  }
}

/**
 * Takes a list answer apart while it arrives, so that no page is ever held: items are cut out of the chunks at
 * `},{"<first key>":`, which a native search finds. A cut is right when the piece parses; at a mark inside an item
 * (a claim template, say) the piece is not balanced, does not parse, and the search goes on to the next mark.
 * Bodies in an unusual layout (blanks, `items: null`, a Status) are parsed as a whole.
 */
export class ListScanner {
  private pending: Buffer = Buffer.alloc(0);
  private state: 'head' | 'first-item' | 'items' | 'rest' = 'head';
  private head: Json | null = null;
  /** End of one item, comma, start of the next up to its first key. */
  private mark: Buffer = Buffer.alloc(0);
  private searchFrom = 0;

  /** Takes the next bytes; gives the items that are complete with them, parsed. */
  push(chunk: Uint8Array): readonly unknown[] {
    this.pending = this.pending.length === 0 ? asBuffer(chunk) : Buffer.concat([this.pending, chunk]);
    if (this.state === 'head') this.readHead();
    if (this.state === 'first-item') this.readFirstKey();
    const items: unknown[] = [];
    if (this.state === 'items') this.cutItems(items);
    if (this.pending.length > PENDING_BYTES_MAX) throw new ListSyntaxError('a piece of the list is too long');
    return items;
  }

  /**
   * The answer is complete: gives the items that are left and the list's own fields (kind, metadata, or a Status).
   * @throws ListSyntaxError when the body was cut short
   */
  end(): { readonly items: readonly unknown[]; readonly envelope: Json } {
    const text = this.pending.toString('utf8');
    this.pending = Buffer.alloc(0);
    const { items, ...fields } = parseBody(this.head === null ? text : `{"items":[${text}`);
    return { items: Array.isArray(items) ? items : [], envelope: { ...this.head, ...fields } };
  }

  private readHead(): void {
    const at = this.pending.indexOf(ITEMS);
    if (at < 0) {
      if (this.pending.length > HEAD_BYTES_MAX) this.state = 'rest';
      return;
    }
    this.head = parseHead(this.pending.toString('utf8', 0, at));
    if (this.head === null) {
      this.state = 'rest';
      return;
    }
    this.pending = this.pending.subarray(at + ITEMS.length);
    this.state = 'first-item';
  }

  private readFirstKey(): void {
    if (this.pending.length === 0) return;
    if (this.pending[0] !== CURLY_OPEN) {
      this.state = 'rest';
      return;
    }
    const colon = this.pending.indexOf('":');
    if (colon < 0) return;
    this.mark = Buffer.concat([Buffer.from('},'), this.pending.subarray(0, colon + 2)]);
    this.searchFrom = 0;
    this.state = 'items';
  }

  private cutItems(items: unknown[]): void {
    let start = 0;
    for (;;) {
      const at = this.pending.indexOf(this.mark, this.searchFrom);
      if (at < 0) break;
      const piece = tryParse(this.pending.subarray(start, at + 1));
      if (piece === undefined) {
        this.searchFrom = at + 1;
        continue;
      }
      items.push(...piece);
      start = at + 2;
      this.searchFrom = start;
    }
    // A mark may straddle two chunks: search again from where one could begin.
    this.searchFrom = Math.max(this.searchFrom, this.pending.length - this.mark.length + 1) - start;
    this.pending = this.pending.subarray(start);
  }
}

/** One item, or several where one of them began with another key. */
function tryParse(bytes: Buffer): readonly unknown[] | undefined {
  try {
    return [parseObject(bytes)];
  } catch {
    // Not one value: several, or a part of one.
  }
  try {
    return JSON.parse(`[${bytes.toString('utf8')}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/** What stands before `"items"`: an opening brace and whole fields, each with a comma. */
function parseHead(text: string): Json | null {
  try {
    return JSON.parse(`${text.trimEnd().replace(/,$/, '')}}`) as Json;
  } catch {
    return null;
  }
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (body !== null && typeof body === 'object') return body as Record<string, unknown>;
  } catch (cause) {
    throw new ListSyntaxError('the list is not complete JSON', { cause });
  }
  throw new ListSyntaxError('the list is no JSON object');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
