import type { FlagDefinition } from './flag-definition.js';
import { FLAG_GROUPS, FLAGS } from './flag-table.js';

/** The usage text of `run`: all flags in groups, with type and default. */
export function renderUsage(programName: string): string {
  const groups = FLAG_GROUPS.map(
    ({ title, names }) =>
      `${title}:\n${names.map((name) => renderFlag(name, FLAGS.get(name)!)).join('\n')}\n`,
  );
  return `Usage of ${programName}:\n\n${groups.join('\n')}`;
}

/** The text of `evenkeel help`. */
export function renderCommandHelp(): string {
  return `evenkeel: cluster autoscaler for Hetzner Cloud and Utho Kubernetes Engine

Usage:
  evenkeel run [flags]       scale the cluster; the flags of cluster-autoscaler
  evenkeel run --help        list the flags
  evenkeel demo [--cloud=c]  show it at work on a simulated cluster and cloud: hetzner (default) or utho
  evenkeel sandbox [flags]   serve a simulated cluster and cloud on this machine
  evenkeel simulate file...  play scenarios in virtual time; exit code by their expectations
  evenkeel version           print the version

Started as cluster-autoscaler, all arguments are flags of run.
`;
}

function renderFlag(name: string, definition: FlagDefinition): string {
  const { type, effect } = definition;
  const short = definition.shorthand === undefined ? '' : `-${definition.shorthand}, `;
  const label = type.label === '' ? '' : ` ${type.label}`;
  const shownDefault = type.render(definition.default);
  const isEmpty = shownDefault === '' || shownDefault === '[]';
  const withDefault = isEmpty ? definition.help : `${definition.help} (default ${shownDefault})`;
  const remark = effect.kind === 'used' ? '' : ` [${remarkFor(effect.kind)}: ${effect.reason}]`;
  return `  ${short}--${name}${label}\n        ${withDefault}${remark}`;
}

function remarkFor(kind: 'no-effect' | 'not-yet'): string {
  return kind === 'no-effect' ? 'no effect' : 'not yet';
}
