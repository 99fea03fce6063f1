import 'reflect-metadata';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { SystemClock } from '../adapters/system/system-clock.js';
import { SystemRandom } from '../adapters/system/system-random.js';
import { readCommand } from './command-line/index.js';
import type { Command } from './command-line/index.js';
import { VERSION } from './command-line/version.js';
import { EXIT, runCommand } from './run-command.js';

/** The process: arguments in, exit code out. */

/** One signal ends all that is under way, e.g. the evictions of ten full nodes; Node.js would take that for a leak. */
const LISTENERS_MAX = 10_000;
setMaxListeners(LISTENERS_MAX);

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
      return demoCommand(command.cloud, stopping.signal);
    }
    case 'sandbox': {
      const { sandboxCommand } = await import('./sandbox-command/sandbox-command.js');
      return sandboxCommand(command.argv, stopping.signal);
    }
    case 'simulate': {
      const { simulateCommand } = await import('./simulate/simulate-command.js');
      // Who reads has seen enough: `| head`.
      process.stdout.on('error', () => process.exit(EXIT.good));
      const output = {
        out: (text: string) => void process.stdout.write(text),
        error: (text: string) => void process.stderr.write(text),
      };
      const exitCode = await simulateCommand(command.argv, output, stopping.signal);
      // A pipe takes its time, and the end of the process would cut it off.
      await new Promise((written) => process.stdout.write('', written));
      return exitCode;
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
