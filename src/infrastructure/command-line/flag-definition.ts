import type { FlagType } from './flag-types.js';

/** What setting a flag does in this build. Anything but `used` is said in the log when the flag is set. */
export type FlagEffect =
  | { readonly kind: 'used' }
  /** Accepted, because manifests carry it; nothing will ever depend on it here. Logged whenever it is set. */
  | { readonly kind: 'no-effect'; readonly reason: string }
  /** Planned, and not built. Logged when set to anything but its default. */
  | { readonly kind: 'not-yet'; readonly reason: string };

export interface FlagDefinition<Value = unknown, Suffix extends string = string> {
  readonly type: FlagType<Value, Suffix>;
  readonly default: Value;
  readonly help: string;
  readonly effect: FlagEffect;
  /** Why a provider, by the value of `--cloud-provider`, does nothing with it. Said at info: its manifests carry the flag. */
  readonly ignoredBy?: Readonly<Record<string, string>>;
  /** One letter, only `v`. */
  readonly shorthand?: string;
  /** Gone from the Go program: accepted with a warning, left out of the usage text. */
  readonly removed?: true;
}

export const used: FlagEffect = { kind: 'used' };

export function noEffect(reason: string): FlagEffect {
  return { kind: 'no-effect', reason };
}

export function notYet(reason: string): FlagEffect {
  return { kind: 'not-yet', reason };
}

export function flag<Value, Suffix extends string>(
  type: FlagType<Value, Suffix>,
  defaultValue: Value,
  help: string,
  effect: FlagEffect = used,
): FlagDefinition<Value, Suffix> {
  return { type, default: defaultValue, help, effect };
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `scan-interval` of a duration type becomes `scanIntervalMs`. */
export type OptionKey<Name, Definition> = Name extends string
  ? Definition extends { readonly type: { readonly suffix: infer Suffix extends string } }
    ? `${CamelCase<Name>}${Suffix}`
    : never
  : never;

export type OptionsOf<Table> = {
  readonly [Name in keyof Table as OptionKey<Name, Table[Name]>]: Table[Name] extends FlagDefinition<
    infer Value
  >
    ? Value
    : never;
};

/** The run-time twin of {@link OptionKey}. */
export function optionKey(name: string, definition: FlagDefinition): string {
  const camelCase = name.replace(/-([a-z0-9])/gu, (_match, letter: string) => letter.toUpperCase());
  return `${camelCase}${definition.type.suffix}`;
}
