import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** One line of the program's JSON log. */
export interface LogEntry {
  readonly severity: string;
  readonly message: string;
  /** Level of `-v` at which it is written. */
  readonly verbosity: number;
}

/** Far more than it needs to finish what it has begun. */
const STOP_MS_MAX = 30_000;

/** The real program as a process of its own, told where the sandbox listens. */
export class AutoscalerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** `onLog` gets each line of its log; what is no JSON comes as a message. */
  static start(
    flags: readonly string[],
    environment: Readonly<Record<string, string>>,
    onLog: (entry: LogEntry) => void,
  ): AutoscalerProcess {
    const program = process.argv[1] ?? '';
    const child = spawn(process.execPath, [program, 'run', ...flags], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => onLog(readEntry(line)));
    }
    return new AutoscalerProcess(child);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Asks it to stop, and ends it if it does not; gives its exit code, null where a signal ended it. */
  async stop(): Promise<number | null> {
    if (this.hasEnded) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const patience = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(patience);
    return this.child.exitCode;
  }
}

function readEntry(line: string): LogEntry {
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    const { severity, msg, v } = entry;
    return { severity: text(severity), message: text(msg), verbosity: typeof v === 'number' ? v : 0 };
  } catch {
    return { severity: '', message: line, verbosity: 0 };
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
