import type { FlagDefinition, OptionsOf } from './flag-definition.js';
import { FOREIGN_FLAGS, REMOVED_FLAGS } from './flags/foreign-flags.js';
import { LEADER_ELECTION_FLAGS } from './flags/leader-election-flags.js';
import { LOGGING_FLAGS } from './flags/logging-flags.js';
import { LOOP_FLAGS } from './flags/loop-flags.js';
import { OPTIONAL_FEATURE_FLAGS } from './flags/optional-feature-flags.js';
import { PROCESS_FLAGS } from './flags/process-flags.js';
import { SCALE_DOWN_FLAGS } from './flags/scale-down-flags.js';
import { SCALE_UP_FLAGS } from './flags/scale-up-flags.js';

/** Every flag of the Go program (`interface` 1.2 to 1.6, 1.9, 1.11), by name. */
const TABLE = {
  ...PROCESS_FLAGS,
  ...LOOP_FLAGS,
  ...SCALE_UP_FLAGS,
  ...OPTIONAL_FEATURE_FLAGS,
  ...SCALE_DOWN_FLAGS,
  ...LEADER_ELECTION_FLAGS,
  ...LOGGING_FLAGS,
  ...FOREIGN_FLAGS,
  ...REMOVED_FLAGS,
};

export type FlagName = keyof typeof TABLE;

/** Values of all flags, under camel-case names; durations in milliseconds with the suffix `Ms`. */
export type AutoscalerOptions = OptionsOf<typeof TABLE>;

export const FLAGS: ReadonlyMap<FlagName, FlagDefinition> = new Map(
  Object.entries(TABLE) as [FlagName, FlagDefinition][],
);

/** The table in groups, as the usage text shows it. */
export const FLAG_GROUPS: readonly { readonly title: string; readonly names: readonly FlagName[] }[] = [
  { title: 'Process and API server', names: namesOf(PROCESS_FLAGS) },
  { title: 'Loop, health, reporting', names: namesOf(LOOP_FLAGS) },
  { title: 'Scale-up', names: namesOf(SCALE_UP_FLAGS) },
  { title: 'Optional features', names: namesOf(OPTIONAL_FEATURE_FLAGS) },
  { title: 'Scale-down', names: namesOf(SCALE_DOWN_FLAGS) },
  { title: 'Leader election', names: namesOf(LEADER_ELECTION_FLAGS) },
  { title: 'Logging', names: namesOf(LOGGING_FLAGS) },
  { title: 'Other clouds (accepted, without effect)', names: namesOf(FOREIGN_FLAGS) },
];

function namesOf(flags: Partial<Record<FlagName, unknown>>): readonly FlagName[] {
  return Object.keys(flags) as FlagName[];
}
