import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../../src/sandbox/hetzner-sandbox.js';
import type { ServedFronts } from '../../../src/sandbox/cloud-sandbox.js';
import { RealClock } from '../../../src/sandbox/world/index.js';

/**
 * The built program as a process of its own against the sandbox over loopback HTTP, for what only a process can show:
 * exit codes, signals, sudden death. This is the one place where tests run in real time, so all patience is cut short.
 */

const PROGRAM = resolve(__dirname, '../../../dist/evenkeel.cjs');
const QUICK = { meanMs: 300, spreadMs: 100 };

export interface ProgramRun {
  readonly child: ChildProcess;
  /** What it wrote to stdout and stderr so far. */
  output(): string;
  /** Settles when it has ended: its exit code, or null after a signal. */
  ended(): Promise<number | null>;
}

export function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ProgramRun {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...environment } });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)));
  const exit = once(child, 'close');
  return {
    child,
    output: () => chunks.join(''),
    ended: async () => {
      await exit;
      return child.exitCode;
    },
  };
}

export class LiveWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-test-'));
  private readonly runs: ProgramRun[] = [];

  private constructor(
    readonly sandbox: HetznerSandbox,
    private readonly served: ServedFronts,
  ) {
    writeFileSync(this.kubeconfig, sandbox.cluster.kubeconfig(served.kubernetesUrl));
  }

  static async open(): Promise<LiveWorld> {
    const sandbox = new HetznerSandbox({
      clock: new RealClock(),
      seed: 1,
      hetzner: {
        timings: { createServer: QUICK, startServer: QUICK, deleteServer: QUICK, applyFirewall: QUICK },
      },
      kubernetes: { podStartMs: 200, podStopMs: 200, initializeMs: 100, silenceGraceMs: 1_500 },
      nodeProfile: () => ({ joinAfterMs: 500, readyAfterMs: 200 }),
    });
    sandbox.start();
    return new LiveWorld(sandbox, await sandbox.serve());
  }

  get kubeconfig(): string {
    return join(this.folder, 'kubeconfig');
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      HCLOUD_TOKEN: DEFAULT_TOKEN,
      HCLOUD_ENDPOINT: this.served.cloudUrl,
      HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\nruncmd: [join]\n').toString('base64'),
      HCLOUD_IMAGE: 'ubuntu-24.04',
    };
  }

  seedWorker(name: string, pool: string): void {
    this.sandbox.cloud.seedServer({ name, type: 'cpx22', location: 'nbg1', labels: { [POOL_LABEL]: pool } });
  }

  start(flags: readonly string[]): ProgramRun {
    const args = [
      ...['run', '--cloud-provider=hetzner', `--kubeconfig=${this.kubeconfig}`, '--address=127.0.0.1:0'],
      ...['--scan-interval=500ms', '--kube-client-qps=200', '--kube-client-burst=200', '-v=1'],
      ...[
        '--scale-down-unneeded-time=1s',
        '--scale-down-delay-after-add=1s',
        '--node-delete-delay-after-taint=100ms',
      ],
      ...flags,
    ];
    const run = runProgram(args, this.environment);
    this.runs.push(run);
    return run;
  }

  /** Throws with the output of the latest run when it does not come to pass. */
  async until(what: string, isSo: () => boolean, limitMs = 30_000): Promise<void> {
    const endMs = Date.now() + limitMs;
    while (!isSo()) {
      if (Date.now() > endMs) throw new Error(`not so in time: ${what}\n${this.runs.at(-1)?.output() ?? ''}`);
      await this.sandbox.clock.sleep(20);
    }
  }

  runningPods(app: string): number {
    return this.sandbox.cluster
      .pods('default')
      .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
      .filter((pod) => pod.metadata.deletionTimestamp === undefined).length;
  }

  markedNodes(): readonly string[] {
    const isMarked = (key: string): boolean => key === 'ToBeDeletedByClusterAutoscaler';
    return this.sandbox.cluster
      .nodes()
      .filter(({ spec }) => spec?.taints?.some(({ key }) => isMarked(key)) ?? false)
      .map(({ metadata }) => metadata.name);
  }

  async close(): Promise<void> {
    for (const run of this.runs) {
      run.child.kill('SIGKILL');
      await run.ended();
    }
    await this.served.close();
    this.sandbox.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
