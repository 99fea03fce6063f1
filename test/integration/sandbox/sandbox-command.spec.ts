import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { runProgram } from '../process/live-world.js';
import type { ProgramRun } from '../process/live-world.js';

/** `evenkeel sandbox` as a process of its own, and `evenkeel run` started by what it prints. Real time. */

const runs: ProgramRun[] = [];
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-sandbox-test-'));

afterAll(async () => {
  for (const run of runs) {
    run.child.kill('SIGKILL');
    await run.ended();
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], environment: Record<string, string> = {}): ProgramRun {
  const started = runProgram(args, environment);
  runs.push(started);
  return started;
}

async function until(what: string, isSo: () => boolean | Promise<boolean>, log: ProgramRun): Promise<void> {
  const endMs = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`not so in time: ${what}\n${log.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Printed {
  readonly kubernetesUrl: string;
  readonly kubeconfig: string;
  readonly environment: Record<string, string>;
  readonly runArguments: string[];
}

async function startSandbox(...args: string[]): Promise<{ sandbox: ProgramRun; printed: Printed }> {
  const sandbox = run(['sandbox', ...args]);
  await until('it is served', () => sandbox.output().includes('curl -X DELETE'), sandbox);
  const text = sandbox.output();
  const printed = {
    kubernetesUrl: /Kubernetes API +(\S+)/.exec(text)![1]!,
    kubeconfig: /kubeconfig +(\S+)/.exec(text)![1]!,
    environment: Object.fromEntries(
      [...text.matchAll(/export (HCLOUD_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
    ),
    runArguments: / (run --.*)/.exec(text)![1]!.replaceAll("'", '').split(' '),
  };
  return { sandbox, printed };
}

async function ask(url: string, method: 'GET' | 'POST' = 'GET', body?: object): Promise<any> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await request(url, { method, headers: { 'content-type': 'application/json' }, ...text });
  return response.body.json();
}

/** What the instructions give it to do: more than there is room for in either world. */
const WEB = {
  metadata: { name: 'web' },
  spec: {
    replicas: 10,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx', resources: { requests: { cpu: '750m' } } }] },
    },
  },
};
const QUICK_FLAGS = ['--address=127.0.0.1:0', '--scan-interval=1s'];

describe('evenkeel sandbox', () => {
  it.each([
    ['hetzner', [], ['--cloud-provider=hetzner', '--stderrthreshold=info', '--nodes=1:10:CPX11:FSN1:pool1']],
    [
      'utho',
      ['--cloud=utho'],
      [
        ...['--v=4', '--cloud-provider=utho', '--cloud-config=<kubeconfig>-cloud-config'],
        '--node-group-auto-discovery=utho:regexp=.*',
      ],
    ],
  ])(
    'serves a world on %s, in which the program works with the flags of the manifest',
    async (_, args, flags) => {
      const { sandbox, printed } = await startSandbox('--speed=30', ...args);
      expect(statSync(printed.kubeconfig).mode & 0o777).toBe(0o600);
      expect(printed.runArguments).toEqual([
        'run',
        ...flags.map((flag) => flag.replace('<kubeconfig>', printed.kubeconfig)),
        `--kubeconfig=${printed.kubeconfig}-autoscaler`,
      ]);
      const count = async (path: string, isCounted: (item: any) => boolean): Promise<number> => {
        const { items } = await ask(`${printed.kubernetesUrl}/api/v1/${path}`);
        return items.filter(isCounted).length;
      };
      const nodesBefore = await count('nodes', () => true);
      await ask(`${printed.kubernetesUrl}/apis/apps/v1/namespaces/default/deployments`, 'POST', WEB);
      const program = run([...printed.runArguments, ...QUICK_FLAGS], printed.environment);
      await until(
        'all pods run',
        async () =>
          (await count('namespaces/default/pods', ({ status }) => status.phase === 'Running')) === 10,
        program,
      );
      expect(await count('nodes', () => true)).toBeGreaterThan(nodesBefore);
      program.child.kill('SIGTERM');
      expect(await program.ended()).toBe(0);
      sandbox.child.kill('SIGTERM');
      expect(await sandbox.ended()).toBe(0);
      expect(sandbox.output()).toContain('The sandbox is gone.');
      expect(existsSync(printed.kubeconfig)).toBe(false);
    },
    120_000,
  );

  it('begins with the world of a scenario, and goes on by itself', async () => {
    const path = join(folder, 'story.yaml');
    const story = [
      'name: two-nodes',
      'world:',
      '  groups: [{ id: a, max: 4, size: 2, cpu: 4, mem: 8 }]',
      '  pods: [{ id: web, cpu: 1, mem: 1 }]',
      'expect: { decisions: [NONE] }',
      'steps: [{ at: 2m, create: { pods: [{ id: later, cpu: 1, mem: 1 }] } }]',
    ];
    writeFileSync(path, story.join('\n'));
    const kubeconfig = join(folder, 'kubeconfig');
    const { sandbox, printed } = await startSandbox(
      `--scenario=${path}`,
      '--speed=100',
      `--kubeconfig=${kubeconfig}`,
    );
    expect(printed.runArguments.join(' ')).toMatch(/--nodes=0:4:\S+:\S+:a /);
    const { items } = await ask(`${printed.kubernetesUrl}/api/v1/nodes`);
    expect(items).toHaveLength(2);
    await until(
      'the pod of the step is there',
      async () => (await ask(`${printed.kubernetesUrl}/api/v1/namespaces/default/pods`)).items.length === 2,
      sandbox,
    );
    sandbox.child.kill('SIGINT');
    expect(await sandbox.ended()).toBe(0);
    // What was asked for stays.
    expect(readFileSync(kubeconfig, 'utf8')).toContain(printed.kubernetesUrl);
  }, 90_000);

  it.each([
    [['--speed=fast'], 2, '--speed is a number above 0'],
    [['--scenario=/nowhere.yaml'], 2, "the scenario can't be read"],
    [['--help'], 0, 'Usage of evenkeel sandbox'],
  ])(
    '%j ends with exit code %d',
    async (args, code, text) => {
      const outcome = run(['sandbox', ...args]);
      expect(await outcome.ended()).toBe(code);
      expect(outcome.output()).toContain(text);
    },
    30_000,
  );

  it('says that a port is taken', async () => {
    const { sandbox, printed } = await startSandbox();
    const { port } = new URL(printed.kubernetesUrl);
    const second = run(['sandbox', `--port-kubernetes=${port}`]);
    expect(await second.ended()).toBe(1);
    expect(second.output()).toContain('EADDRINUSE');
    sandbox.child.kill('SIGTERM');
    await sandbox.ended();
  }, 60_000);
});
