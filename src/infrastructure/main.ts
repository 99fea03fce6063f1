import 'reflect-metadata';
import { hostname } from 'node:os';
import { SystemClock } from '../adapters/system/system-clock.js';
import { SystemRandom } from '../adapters/system/system-random.js';
import { readCommand } from './command-line/index.js';
import type { Command } from './command-line/index.js';
import { VERSION } from './command-line/version.js';
import { EXIT, runCommand } from './run-command.js';

/** The process: arguments in, exit code out. */

// From the first line: as PID 1 a process without handlers would ignore these signals.
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const) {
  process.on(signal, () => {
    // The second signal ends what does not end by itself.
    if (stopping.signal.aborted) process.exit(EXIT.good);
    stopping.abort(new Error(`stopped by ${signal}`));
  });
}

void main(readCommand(process.argv.slice(2)));

async function main(command: Command): Promise<void> {
  try {
    process.exit(await execute(command));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(EXIT.fatal);
  }
}

async function execute(command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stderr.write(command.text);
      return EXIT.good;
    case 'usage-error':
      process.stderr.write(command.text);
      return EXIT.usage;
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      return EXIT.good;
    case 'demo': {
      // Only now: the simulated world would cost a real run memory and start-up time.
      const { demoCommand } = await import('./demo/demo-command.js');
      return demoCommand(stopping.signal);
    }
    case 'run': {
      const outside = {
        clock: new SystemClock(),
        random: new SystemRandom(),
        environment: process.env,
        hostName: hostname(),
      };
      const { exitCode, problem } = await runCommand(command.flags, outside, stopping.signal);
      if (problem !== null) process.stderr.write(`${problem}\n`);
      return exitCode;
    }
  }
}
