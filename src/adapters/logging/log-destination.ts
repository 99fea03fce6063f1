import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino } from 'pino';
import { ConfigurationError } from '../../application/ports/configuration.js';
import type { LoggingSettings } from './logging-settings.js';
import type { Severity } from './log-line.js';

/** Where finished lines go. Writes are synchronous, so that nothing is lost at exit. */
export interface LogDestination {
  write(text: string, severity: Severity): void;
}

const STDOUT = 1;
const STDERR = 2;

/** Everything to stderr by default; stdout only as the second stream of a split. */
export function openLogDestination(settings: LoggingSettings): LogDestination {
  if (settings.splitStream) {
    const stdout = openStream(STDOUT);
    const stderr = openStream(STDERR);
    return { write: (text, severity) => (severity === 'error' ? stderr : stdout).write(text) };
  }
  const streams: Stream[] = [];
  if (settings.filePath !== null) streams.push(openFile(settings.filePath));
  if (settings.toStderr || settings.filePath === null) streams.push(openStream(STDERR));
  return {
    write: (text) => {
      for (const stream of streams) stream.write(text);
    },
  };
}

type Stream = ReturnType<typeof pino.destination>;

function openStream(dest: number | string): Stream {
  const stream = pino.destination({ dest, sync: true, append: true, mode: 0o644 });
  // A closed pipe must not end the process that guards the cluster, and there is nowhere left to complain.
  stream.on('error', () => undefined);
  return stream;
}

function openFile(path: string): Stream {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    return openStream(path);
  } catch (error) {
    const problem = `it can't be opened for writing (${(error as Error).message})`;
    const remedy = 'name a file in a writable volume';
    throw new ConfigurationError([{ place: '--log-file', value: path, problem, remedy }]);
  }
}
