import { FieldErrors, apiError } from './api-error.js';
import { labelFault } from './labels.js';
import type { Labels } from './labels.js';

export type JsonObject = Readonly<Record<string, unknown>>;
/** An id, or a name; digits in text count as an id. */
export type Reference = number | string;

/** An empty body counts as an empty object. Throws `json_error`. */
export function parseBody(text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw apiError('json_error', 'body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw apiError('json_error', 'body is not a JSON object');
  }
  return value as JsonObject;
}

/** Reads typed fields of a request and collects what is wrong with them. */
export class BodyReader {
  readonly errors = new FieldErrors();

  constructor(private readonly body: JsonObject) {}

  /** Undefined when absent or null. */
  text(field: string): string | undefined {
    return this.typed(field, 'string') as string | undefined;
  }

  requiredText(field: string): string {
    const value = this.text(field);
    if (value === undefined) this.errors.add(field, 'Missing data for required field.');
    return value ?? '';
  }

  flag(field: string, byDefault: boolean): boolean {
    return (this.typed(field, 'boolean') as boolean | undefined) ?? byDefault;
  }

  id(field: string): number | null {
    const value = this.typed(field, 'number') as number | undefined;
    if (value === undefined) return null;
    if (!Number.isSafeInteger(value)) this.errors.add(field, 'Not a valid integer.');
    return value;
  }

  requiredId(field: string): number {
    const value = this.id(field);
    if (value === null) this.errors.add(field, 'Missing data for required field.');
    return value ?? 0;
  }

  reference(field: string): Reference | null {
    const value = this.body[field];
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' || typeof value === 'string') return value;
    this.errors.add(field, 'Not a valid id or name.');
    return null;
  }

  requiredReference(field: string): Reference {
    const value = this.reference(field);
    if (value === null) this.errors.add(field, 'Missing data for required field.');
    return value ?? '';
  }

  references(field: string): readonly Reference[] {
    return this.list(field).filter((value): value is Reference => {
      const valid = typeof value === 'number' || typeof value === 'string';
      if (!valid) this.errors.add(field, 'Not a valid id or name.');
      return valid;
    });
  }

  list(field: string): readonly unknown[] {
    const value = this.body[field] ?? [];
    if (Array.isArray(value)) return value as readonly unknown[];
    this.errors.add(field, 'Not a valid list.');
    return [];
  }

  object(field: string): JsonObject {
    const value = this.body[field] ?? {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
    this.errors.add(field, 'Not a valid object.');
    return {};
  }

  labels(field: string): Labels {
    const value = this.body[field] ?? {};
    const fault = labelFault(value);
    if (fault === null) return value as Labels;
    this.errors.add(field, fault);
    return {};
  }

  /** Adds an error for each field that is none of these. */
  refuseOthers(known: readonly string[]): void {
    for (const field of Object.keys(this.body))
      if (!known.includes(field)) this.errors.add(field, 'Unknown field.');
  }

  private typed(field: string, type: 'string' | 'boolean' | 'number'): unknown {
    const value = this.body[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === type) return value;
    this.errors.add(field, `Not a valid ${type}.`);
    return undefined;
  }
}
