import { optionKey } from './flag-definition.js';
import type { FlagDefinition } from './flag-definition.js';
import { FLAGS } from './flag-table.js';
import type { AutoscalerOptions, FlagName } from './flag-table.js';
import type { ParsedFlags } from './parse-flags.js';

/** A flag that was set and does nothing here, or not yet. */
export interface IneffectiveFlag {
  readonly name: FlagName;
  readonly kind: 'no-effect' | 'not-yet' | 'ignored-by-provider';
  readonly reason: string;
}

/** `FLAG: --name="value"` for every flag, in canonical form and alphabetical order. */
export function renderFlagLines(options: AutoscalerOptions): readonly string[] {
  return [...FLAGS]
    .filter(([, definition]) => definition.removed !== true)
    .map(([name, definition]) => `FLAG: --${name}=${JSON.stringify(renderValue(name, definition, options))}`)
    .sort();
}

/** The flags that the command line names, in one line: `--cloud-provider=hetzner --scan-interval=10s`. */
export function renderExplicitFlags({ options, explicit }: ParsedFlags): string {
  return [...explicit].map((name) => `--${name}=${renderValue(name, FLAGS.get(name)!, options)}`).join(' ');
}

/**
 * Set flags that nothing obeys, each to be logged once: what never has an effect, or none with this provider, whenever
 * it is set; what is not built yet when it is set to anything but its default.
 */
export function listIneffectiveFlags({ options, explicit }: ParsedFlags): readonly IneffectiveFlag[] {
  const ineffective: IneffectiveFlag[] = [];
  for (const name of explicit) {
    const definition = FLAGS.get(name)!;
    const { effect, ignoredBy = {} } = definition;
    if (Object.hasOwn(ignoredBy, options.cloudProvider)) {
      const reason = ignoredBy[options.cloudProvider]!;
      ineffective.push({ name, kind: 'ignored-by-provider', reason });
      continue;
    }
    if (effect.kind === 'used') continue;
    const isDefault = renderValue(name, definition, options) === definition.type.render(definition.default);
    if (effect.kind === 'not-yet' && isDefault) continue;
    ineffective.push({ name, kind: effect.kind, reason: effect.reason });
  }
  return ineffective;
}

function renderValue(name: FlagName, definition: FlagDefinition, options: AutoscalerOptions): string {
  const values: Readonly<Record<string, unknown>> = options;
  return definition.type.render(values[optionKey(name, definition)]);
}
