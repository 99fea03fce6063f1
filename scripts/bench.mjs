// Runs the benchmarks of test/bench, each in a fresh process.
//
//   node scripts/bench.mjs [name ...] [--short]
//
// A name picks the files that contain it (`packing`). `--short` runs few rounds, for CI. The figures are for reading,
// ratios more than digits: nothing here passes or fails on time. A benchmark that computes a wrong result fails.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'bench');
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();
if (files.length === 0) {
  console.error(`no benchmark matches ${names.join(', ')}`);
  process.exit(1);
}

const output = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  await build({
    entryPoints: files.map((file) => join(folder, file)),
    outdir: output,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  for (const file of files) {
    const name = file.replace(/\.bench\.ts$/, '');
    console.log(`\n${name}`);
    const script = join(output, `${name}.bench.cjs`);
    const { status } = spawnSync(process.execPath, ['--expose-gc', script, ...options], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(output, { recursive: true, force: true });
}
