export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** Where and what, without an excerpt: the text holds join tokens. */
export class JsonSyntaxError extends Error {
  constructor(problem: string, line: number, column: number) {
    super(`${problem} at line ${line}, column ${column}`);
    this.name = 'JsonSyntaxError';
  }
}

/** Deeper nesting than any configuration has; keeps a hostile file from exhausting the stack. */
const DEPTH_MAX = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Strict JSON that reports line and column and refuses duplicate keys, which `JSON.parse` accepts silently.
 * Throws {@link JsonSyntaxError}.
 */
export function parseJson(text: string): JsonValue {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  private position = 0;

  constructor(private readonly text: string) {}

  value(depth: number): JsonValue {
    this.match(SPACE);
    const next = this.text[this.position];
    if (next === undefined) throw this.error('unexpected end of JSON input');
    if (depth > DEPTH_MAX) throw this.error(`nested deeper than ${DEPTH_MAX} levels`);
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (next === '"') return this.string();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.text.startsWith(word, this.position)) {
        this.position += word.length;
        return value;
      }
    }
    const number = this.match(NUMBER);
    if (number === '') throw this.error('unexpected character');
    return Number(number);
  }

  end(): void {
    this.match(SPACE);
    if (this.position < this.text.length) throw this.error('unexpected text after the JSON value');
  }

  private object(depth: number): JsonValue {
    const entries = new Map<string, JsonValue>();
    this.position++;
    while (!this.closes('}', entries.size > 0)) {
      this.match(SPACE);
      if (this.text[this.position] !== '"') throw this.error('expected a key in double quotes');
      const keyPosition = this.position;
      const key = this.string();
      if (entries.has(key)) throw this.error(`duplicate key ${JSON.stringify(key)}`, keyPosition);
      this.match(SPACE);
      if (this.text[this.position] !== ':') throw this.error('expected a colon after the key');
      this.position++;
      entries.set(key, this.value(depth + 1));
    }
    return Object.fromEntries(entries);
  }

  private array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.position++;
    while (!this.closes(']', items.length > 0)) items.push(this.value(depth + 1));
    return items;
  }

  /** Consumes the closing bracket, or the comma before a further item. */
  private closes(bracket: string, needsComma: boolean): boolean {
    this.match(SPACE);
    const next = this.text[this.position];
    if (next === bracket) {
      this.position++;
      return true;
    }
    if (next === undefined) throw this.error('unexpected end of JSON input');
    if (!needsComma) return false;
    if (next !== ',') throw this.error(`expected a comma or ${bracket}`);
    this.position++;
    this.match(SPACE);
    if (this.text[this.position] === bracket) throw this.error('unexpected comma before the end');
    return false;
  }

  private string(): string {
    const literal = this.match(STRING);
    if (literal === '') throw this.error('unterminated or malformed string');
    return JSON.parse(literal) as string;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }

  private error(problem: string, position = this.position): JsonSyntaxError {
    const before = this.text.slice(0, position).split('\n');
    return new JsonSyntaxError(problem, before.length, (before.at(-1)?.length ?? 0) + 1);
  }
}
