import { StatusServer } from '../adapters/http/index.js';
import { LeaderRun } from '../application/loop/index.js';
import { CloudError } from '../application/ports/cloud-provider.js';
import { ClusterReadError } from '../application/ports/cluster-reader.js';
import { ConfigurationError, renderFault } from '../application/ports/configuration.js';
import { Logger } from '../application/ports/logger.js';
import {
  checkOptions,
  listIneffectiveFlags,
  renderExplicitFlags,
  renderFlagLines,
} from './command-line/index.js';
import type { IneffectiveFlag, ParsedFlags, StartSettings } from './command-line/index.js';
import { VERSION } from './command-line/version.js';
import { composeAutoscaler } from './composition/compose.js';
import type { Outside } from './composition/outside.js';

/** Exit codes of the Go program (`interface` 1.10). */
export const EXIT = { good: 0, usage: 2, fatal: 255 } as const;

/** How `run` ended; `problem` goes to stderr. */
export interface RunOutcome {
  readonly exitCode: number;
  readonly problem: string | null;
}

/** `evenkeel run`: settles when the process should end. `stop` is aborted by a signal. */
export async function runCommand(
  flags: ParsedFlags,
  outside: Outside,
  stop: AbortSignal,
): Promise<RunOutcome> {
  const check = checkOptions(flags.options);
  if (!check.ok) {
    return { exitCode: check.faults[0]!.exitCode, problem: check.faults.map(renderFault).join('\n') };
  }
  try {
    return await runChecked(check.settings, flags, outside, stop);
  } catch (error) {
    if (isExpected(error)) return { exitCode: EXIT.fatal, problem: error.message };
    throw error;
  }
}

async function runChecked(
  settings: StartSettings,
  flags: ParsedFlags,
  outside: Outside,
  stop: AbortSignal,
): Promise<RunOutcome> {
  const container = await composeAutoscaler(settings, outside);
  const logger = container.get<Logger>(Logger);
  logStart(logger, settings, flags);
  const server = container.get(StatusServer);
  // Everything is built before anything is sent: a missing binding ends the start at once.
  const leaderRun = container.get(LeaderRun);
  await server.start();
  try {
    const end = await leaderRun.run(stop);
    if (end === 'stopped') return { exitCode: EXIT.good, problem: null };
    return { exitCode: EXIT.fatal, problem: 'lost master' };
  } catch (error) {
    if (stop.aborted) return { exitCode: EXIT.good, problem: null };
    throw error;
  } finally {
    await server.stop();
  }
}

function logStart(logger: Logger, settings: StartSettings, flags: ParsedFlags): void {
  logger.info('version', `Evenkeel ${VERSION}`, { flags: renderExplicitFlags(flags) });
  for (const line of renderFlagLines(settings.options)) logger.info('flag', line, { v: 2 });
  for (const warning of settings.warnings) logger.warn('flag-warning', warning);
  for (const ignored of listIneffectiveFlags(flags)) logIgnored(logger, ignored, settings);
}

function logIgnored(
  logger: Logger,
  { name, kind, reason }: IneffectiveFlag,
  { options }: StartSettings,
): void {
  const fields = { flag: name };
  switch (kind) {
    case 'ignored-by-provider':
      return logger.info(
        'flag-ignored',
        `--${name} is ignored for ${options.cloudProvider}: ${reason}`,
        fields,
      );
    case 'not-yet':
      return logger.warn('flag-ignored', `--${name} is not obeyed by this version: ${reason}`, fields);
    case 'no-effect':
      return logger.warn('flag-ignored', `--${name} has no effect: ${reason}`, fields);
  }
}

/** Errors whose message says all that an operator needs; others show their stack. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof ConfigurationError || error instanceof CloudError || error instanceof ClusterReadError
  );
}
