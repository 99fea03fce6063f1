import type { Architecture } from '../configuration/hetzner-configuration.js';

/** Tolerant access to a JSON object of the API: a field of the wrong type reads as absent. */
export class Fields {
  private constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  static of(value: unknown): Fields {
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return new Fields(isObject ? (value as Readonly<Record<string, unknown>>) : {});
  }

  text(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value : '';
  }

  optionalText(name: string): string | null {
    const value = this.values[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  number(name: string): number {
    const value = this.values[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : 0;
  }

  /** Ids are integers below 2^53; 0 where the field is none. */
  id(name = 'id'): number {
    const value = this.values[name];
    return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  optionalFlag(name: string): boolean | null {
    const value = this.values[name];
    return typeof value === 'boolean' ? value : null;
  }

  /** Null where absent or unreadable. */
  time(name: string): number | null {
    const ms = Date.parse(this.text(name));
    return Number.isNaN(ms) ? null : ms;
  }

  object(name: string): Fields {
    return Fields.of(this.values[name]);
  }

  isPresent(name: string): boolean {
    return this.values[name] != null;
  }

  list(name: string): readonly Fields[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.map((item) => Fields.of(item)) : [];
  }

  ids(name: string): readonly number[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((item): item is number => Number.isSafeInteger(item)) : [];
  }

  textMap(name: string): ReadonlyMap<string, string> {
    const entries = Object.entries(this.object(name).values);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }

  architecture(name: string): Architecture | null {
    const value = this.text(name);
    return value === 'arm' ? 'arm64' : value === 'x86' ? 'amd64' : null;
  }
}
