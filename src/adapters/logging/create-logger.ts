import type { Clock } from '../../application/ports/clock.js';
import type { Logger } from '../../application/ports/logger.js';
import { JsonLines } from './json-lines.js';
import { openLogDestination } from './log-destination.js';
import type { LogDestination } from './log-destination.js';
import type { LoggingSettings } from './logging-settings.js';
import type { SecretRegistry } from './secret-registry.js';
import { StructuredLogger } from './structured-logger.js';
import { TextLines } from './text-lines.js';

/** Throws ConfigurationError where the log file can't be opened. */
export function createLogger(
  settings: LoggingSettings,
  clock: Clock,
  secrets: SecretRegistry,
  destination: LogDestination = openLogDestination(settings),
): Logger {
  const header = { isSkipped: settings.skipHeaders, processId: process.pid };
  const writer =
    settings.format === 'json'
      ? new JsonLines(clock, secrets, destination)
      : new TextLines(clock, secrets, destination, header);
  return new StructuredLogger(settings, writer);
}
