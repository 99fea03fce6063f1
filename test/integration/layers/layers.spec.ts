import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** Runs the layer rules on a tree of these files, as `npm run lint:layers` does on the project. */
function lint(files: Readonly<Record<string, string>>): {
  readonly exitCode: number | null;
  readonly output: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-layers-'));
  try {
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(join(ROOT, file), join(folder, file));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const depcruise = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const { status, stdout } = spawnSync(
      process.execPath,
      [depcruise, '--config', '.dependency-cruiser.cjs', 'src'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    return { exitCode: status, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ADAPTER = 'export const thing = 1;\n';

describe('the layer rules', () => {
  it('pass where layers keep to themselves', () => {
    const files = {
      'src/domain/a.ts': 'export const a = 1;\n',
      'src/application/b.ts': "export { a } from '../domain/a.js';\n",
      'src/adapters/cloud-http/c.ts': ADAPTER,
      'src/adapters/x/d.ts': "export { thing } from '../cloud-http/c.js';\n",
    };
    expect(lint(files).exitCode).toBe(0);
  });

  it.each([
    ['domain-is-pure', 'src/domain/a.ts', "export { thing } from '../adapters/x/thing.js';\n"],
    [
      'domain-is-pure',
      'src/domain/a.ts',
      "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
    ],
    ['domain-is-pure', 'src/domain/a.ts', "export { injectable } from 'inversify';\n"],
    [
      'application-knows-domain-and-ports',
      'src/application/a.ts',
      "export { thing } from '../adapters/x/thing.js';\n",
    ],
    ['adapters-do-not-know-each-other', 'src/adapters/y/a.ts', "export { thing } from '../x/thing.js';\n"],
    [
      'common-ground-of-clouds-knows-no-cloud',
      'src/adapters/cloud-http/a.ts',
      "export { thing } from '../x/thing.js';\n",
    ],
    ['sandbox-is-independent', 'src/sandbox/a.ts', "export { thing } from '../adapters/x/thing.js';\n"],
  ])('%s: forbids what %s does', (rule, path, text) => {
    const { exitCode, output } = lint({ 'src/adapters/x/thing.ts': ADAPTER, [path]: text });
    expect(exitCode).not.toBe(0);
    expect(output).toContain(rule);
  });
});
