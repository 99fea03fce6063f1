export type Document = Readonly<Record<string, unknown>>;

/** A JSON object; an empty text counts as an empty one. Throws a RangeError for all else. */
export function parseDocument(text: string): Document {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw new RangeError('the body is not valid JSON');
  }
  return objectOf(value, 'the body');
}

export function objectOf(value: unknown, what: string): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RangeError(`${what} is an object`);
  }
  return value as Document;
}

/** Reads fields of a document by type. Throws a RangeError that names the field. */
export class Fields {
  constructor(private readonly document: Document) {}

  has(name: string): boolean {
    return this.document[name] !== undefined;
  }

  text(name: string): string {
    return this.typed(name, 'string') as string;
  }

  number(name: string): number {
    return this.typed(name, 'number') as number;
  }

  flag(name: string): boolean {
    return this.typed(name, 'boolean') as boolean;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  /** From 0 on. */
  wholeNumber(name: string, max: number): number {
    const value = this.document[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
    throw new RangeError(`${name} is a whole number from 0 to ${max}`);
  }

  /** Null where JSON says null, undefined where it says nothing. */
  numberOrNull(name: string): number | null | undefined {
    return this.document[name] === null ? null : this.optionalNumber(name);
  }

  /** One of these words. */
  word<W extends string | boolean>(name: string, words: readonly W[]): W {
    const value = this.document[name];
    const word = words.find((one) => one === value);
    if (word === undefined) throw new RangeError(`${name} is one of ${words.join(', ')}`);
    return word;
  }

  list(name: string): readonly unknown[] {
    const value = this.document[name];
    if (!Array.isArray(value)) throw new RangeError(`${name} is a list`);
    return value as readonly unknown[];
  }

  /** Throws when there is a field that is none of these. */
  allow(names: readonly string[]): this {
    for (const name of Object.keys(this.document)) {
      if (!names.includes(name)) throw new RangeError(`'${name}' is none of ${names.join(', ')}`);
    }
    return this;
  }

  private typed(name: string, type: 'string' | 'number' | 'boolean'): unknown {
    const value = this.document[name];
    if (typeof value !== type) throw new RangeError(`${name} is a ${type}`);
    return value;
  }
}
