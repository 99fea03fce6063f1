import type { SeededRandom } from '../../world/seeded-random.js';
import type { UthoSettings } from '../settings.js';

const TRUE_FORMS = [true, 1, '1', 'true', 'on', 'yes', 'TRUE'] as const;
const FALSE_FORMS = [false, 0, '0', 'false', 'off', ''] as const;

/** The JSON types that fields have in answers: they changed over time and between endpoints (`utho` 3.5). */
export class FieldTypes {
  constructor(
    private readonly settings: Pick<UthoSettings, 'typing' | 'emptyCollections'>,
    private readonly random: SeededRandom,
  ) {}

  /** A whole number that is documented as text: ids, counts, sizes. Text that is no number stays as it is. */
  digits(value: string | number): string | number {
    const text = value.toString();
    const asNumber = this.choose({ documented: false, strings: false, numbers: true, legacy: false }, [
      false,
      true,
    ]);
    return asNumber && /^\d+$/.test(text) ? Number(text) : text;
  }

  /** An amount of money. */
  money(value: number, documented: 'number' | 'text'): string | number {
    const isNumber = documented === 'number';
    // The old form had pools and workers the other way round.
    const asNumber = this.choose({ documented: isNumber, strings: false, numbers: true, legacy: !isNumber }, [
      false,
      true,
    ]);
    return asNumber ? value : value.toFixed(2);
  }

  flag(value: boolean): string | number | boolean {
    const forms = value ? TRUE_FORMS : FALSE_FORMS;
    const digit = value ? '1' : '0';
    return this.choose<string | number | boolean>(
      { documented: value, strings: digit, numbers: value ? 1 : 0, legacy: digit },
      forms,
    );
  }

  /** Bounds of a pool, under the names of their time; absent ones are left out. */
  bounds(min: number | undefined, max: number | undefined): Readonly<Record<string, unknown>> {
    const old = { min_nodes: min?.toString(), max_nodes: max?.toString() };
    const named = { min_size: min, max_size: max };
    const asText = { min_size: min?.toString(), max_size: max?.toString() };
    const forms = { documented: named, strings: asText, numbers: named, legacy: old };
    return this.choose<Readonly<Record<string, unknown>>>(forms, [named, asText, old]);
  }

  /** A list, or what this API shows in place of an empty one. */
  list(items: readonly unknown[]): unknown {
    return items.length === 0 ? this.nothing() : items;
  }

  /** Things by key, or what this API shows when there are none. */
  map(entries: ReadonlyMap<string, unknown>): unknown {
    return entries.size === 0 ? this.nothing() : Object.fromEntries(entries);
  }

  private nothing(): unknown {
    switch (this.settings.emptyCollections) {
      case '[]':
        return [];
      case '{}':
        return {};
      case 'null':
        return null;
      case 'omitted':
        return undefined;
    }
  }

  private choose<T>(
    forms: Readonly<Record<'documented' | 'strings' | 'numbers' | 'legacy', T>>,
    random: readonly T[],
  ): T {
    const { typing } = this.settings;
    return typing === 'random' ? this.random.pick(random) : forms[typing];
  }
}
