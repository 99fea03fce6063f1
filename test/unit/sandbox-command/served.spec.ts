import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCommand } from '../../../src/infrastructure/command-line/index.js';
import { sandboxCommand } from '../../../src/infrastructure/sandbox-command/sandbox-command.js';

/** Runs the command until it has said what to do with it. */
async function served(...argv: string[]): Promise<{ text: string; stop: () => Promise<number> }> {
  const stopping = new AbortController();
  const said = jest.spyOn(process.stdout, 'write');
  const text = new Promise<string>((resolve) => {
    said.mockImplementation((chunk) => {
      resolve(String(chunk));
      return true;
    });
  });
  const exit = sandboxCommand(argv, stopping.signal);
  return {
    text: await Promise.race([text, exit.then((code) => `ended with ${code}`)]),
    stop: async () => {
      stopping.abort();
      const code = await exit;
      said.mockRestore();
      return code;
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-sandbox-unit-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('evenkeel sandbox --cloud=utho', () => {
  it('leaves what the autoscaler needs beside the kubeconfig, for its owner only', async () => {
    const kubeconfig = join(folder, 'kubeconfig');
    const { text, stop } = await served('--cloud=utho', `--kubeconfig=${kubeconfig}`);
    const path = /cloud-config +(\S+)/.exec(text)![1]!;
    expect(path).toBe(`${kubeconfig}-cloud-config`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      cluster_id: '701234',
      token: expect.any(String),
      api_url: `${/Utho API +(\S+)/.exec(text)![1]!}/`,
    });
    expect(text).not.toContain(JSON.parse(readFileSync(path, 'utf8')).token);
    expect(existsSync(`${kubeconfig}-autoscaler`)).toBe(true);
    expect(await stop()).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  it('takes the files with it that nobody asked for', async () => {
    const { text, stop } = await served('--cloud=utho');
    const path = /cloud-config +(\S+)/.exec(text)![1]!;
    expect(existsSync(path)).toBe(true);
    await stop();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('overwrites no kubeconfig but its own', async () => {
    const own = join(folder, 'own');
    for (const round of ['written', 'overwritten']) {
      const { text, stop } = await served('--cloud=utho', `--kubeconfig=${own}`);
      expect([round, text]).toEqual([round, expect.stringContaining(own)]);
      await stop();
    }
    const foreign = join(folder, 'foreign');
    const precious = 'clusters: [{ name: production }, { name: sandbox }]\n';
    writeFileSync(foreign, precious);
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await sandboxCommand([`--kubeconfig=${foreign}`], AbortSignal.abort())).toBe(2);
    expect(said.mock.calls.join()).toContain(`${foreign} is not of a sandbox`);
    said.mockRestore();
    expect(readFileSync(foreign, 'utf8')).toBe(precious);
  });

  it('says where it cannot write, and ends', async () => {
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const path = join(folder, 'no', 'folder');
    expect(await sandboxCommand([`--kubeconfig=${path}`], new AbortController().signal)).toBe(1);
    expect(said.mock.calls.join()).toContain("the sandbox can't be served: Error: ENOENT");
    said.mockRestore();
  });

  it('names flags that the program knows', async () => {
    const { text, stop } = await served('--cloud=utho');
    await stop();
    const argv = / (run --.*)/.exec(text)![1]!.replaceAll("'", '').split(' ');
    expect(readCommand(argv).kind).toBe('run');
  });
});
