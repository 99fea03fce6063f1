import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The built program in a process of its own, and what the system tells of it. */

export interface Reading {
  readonly rssMib: number;
  readonly peakMib: number;
  readonly cpuMs: number;
}

/**
 * Loaded before the program. Each 5 ms, when the event loop lets it, it looks at the CPU time that the main thread has
 * had; more than a few milliseconds since the last look is a stretch in which nothing else was listened to. Writes the
 * longest of each second, in milliseconds of CPU: other processes on the machine don't count.
 */
const STRETCH_HOOK = `
const { appendFileSync, openSync, readSync } = require('node:fs');
const file = openSync('/proc/self/task/' + process.pid + '/schedstat');
const buffer = Buffer.alloc(64);
const cpuMs = () => parseInt(buffer.latin1Slice(0, readSync(file, buffer, 0, 64, 0))) / 1e6;
let last = cpuMs();
let longest = 0;
setInterval(() => {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
}, 5).unref();
setInterval(() => {
  appendFileSync(process.env.STRETCH_FILE, longest + '\\n');
  longest = 0;
}, 1000).unref();
`;

export class ProgramProcess {
  private readonly child: ChildProcess;
  private readonly chunks: string[] = [];
  private readonly stretchFile: string;

  /** @param folder for files of its own */
  constructor(folder: string, flags: readonly string[], environment: Readonly<Record<string, string>>) {
    const hook = join(folder, 'stretch-hook.cjs');
    this.stretchFile = join(folder, 'stretches');
    writeFileSync(hook, STRETCH_HOOK);
    const { MALLOC_MMAP_THRESHOLD_, NODE_OPTIONS } = imageEnvironment();
    this.child = spawn(process.execPath, ['--require', hook, 'dist/evenkeel.cjs', 'run', ...flags], {
      env: { ...environment, MALLOC_MMAP_THRESHOLD_, NODE_OPTIONS, STRETCH_FILE: this.stretchFile },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => this.chunks.push(String(chunk)));
    }
  }

  get log(): string {
    return this.chunks.join('');
  }

  read(): Reading {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    const mib = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024;
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // Fields 14 and 15 of proc(5), in ticks of 10 ms.
    const cpuMs = (Number(stat[11]) + Number(stat[12])) * 10;
    return { rssMib: mib('VmRSS'), peakMib: mib('VmHWM'), cpuMs };
  }

  /** The longest stretch of each second so far, in milliseconds of CPU. */
  stretchesMs(): readonly number[] {
    if (!existsSync(this.stretchFile)) return [];
    return readFileSync(this.stretchFile, 'utf8').trimEnd().split('\n').map(Number);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** What the image gives the program, so that the figures are those of the image. */
function imageEnvironment(): Record<'MALLOC_MMAP_THRESHOLD_' | 'NODE_OPTIONS', string> {
  const dockerfile = readFileSync(join('deploy', 'Dockerfile'), 'utf8');
  const valueOf = (name: string): string => {
    const value = new RegExp(`^ +${name}=("?)(.*?)\\1(?: \\\\)?$`, 'm').exec(dockerfile)?.[2];
    if (value === undefined) throw new Error(`deploy/Dockerfile does not set ${name}`);
    return value;
  };
  return {
    MALLOC_MMAP_THRESHOLD_: valueOf('MALLOC_MMAP_THRESHOLD_'),
    NODE_OPTIONS: valueOf('NODE_OPTIONS'),
  };
}
