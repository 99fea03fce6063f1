// Sources → build/ (tsc, which alone writes decorator metadata) → one CommonJS file in dist/ (esbuild).
//
//   dist/evenkeel.cjs             the program
//   dist/evenkeel.cjs.LEGAL.txt   licence comments of what is bundled
//   dist/cluster-autoscaler.cjs   starts it as a drop-in: all arguments are flags
//
// Nothing is done when nothing changed. `--force` builds anyway; `--source-map` writes dist/evenkeel.cjs.map, too.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const within = (...parts) => join(root, ...parts);
const { version } = JSON.parse(readFileSync(within('package.json'), 'utf8'));
const withSourceMap = process.argv.includes('--source-map');

const stampPath = within('dist', '.stamp');
const stamp = fingerprint();
const isBuilt =
  existsSync(within('dist', 'evenkeel.cjs')) && existsSync(within('dist', 'cluster-autoscaler.cjs'));
if (isBuilt && !process.argv.includes('--force') && readIfThere(stampPath) === stamp) {
  process.exit(0);
}

const startedMs = Date.now();
if (process.argv.includes('--force')) rmSync(within('build'), { recursive: true, force: true });
removeStale(within('build'), within('src'));
compile();
await bundle();
writeLauncher();
writeFileSync(stampPath, stamp);
const kilobytes = Math.round(statSync(within('dist', 'evenkeel.cjs')).size / 1024);
console.log(`built dist/evenkeel.cjs ${version} (${kilobytes} KiB) in ${Date.now() - startedMs} ms`);

/** Changes with anything that the result depends on: sources by size and time, versions by content. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs']) {
    hash.update(readIfThere(within(path)) ?? '');
  }
  for (const path of filesBelow(within('src'))) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  hash.update(withSourceMap ? 'map' : '');
  return hash.digest('hex');
}

/** Output whose source is gone would still be bundled if something imported it. */
function removeStale(output, sources) {
  for (const path of filesBelow(output)) {
    const source = join(sources, path.slice(output.length + 1).replace(/\.js(\.map)?$/u, '.ts'));
    if (/\.js(\.map)?$/u.test(path) && !existsSync(source)) rmSync(path);
  }
}

function compile() {
  const tsc = within('node_modules', 'typescript', 'bin', 'tsc');
  const argv = [tsc, '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'];
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function bundle() {
  const entryPoint = within('build', 'infrastructure', 'main.js');
  if (!existsSync(entryPoint)) {
    console.error('src/infrastructure/main.ts is missing: there is no program to bundle');
    process.exit(1);
  }
  mkdirSync(within('dist'), { recursive: true });
  await build({
    entryPoints: [entryPoint],
    outfile: within('dist', 'evenkeel.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // ES modules where a package has them: what is not used of class-validator, 0.5 MiB, is left out.
    mainFields: ['module', 'main'],
    minify: true,
    // Error classes and injected classes show up by name in messages.
    keepNames: true,
    sourcemap: withSourceMap ? 'external' : false,
    legalComments: 'external',
    define: { EVENKEEL_VERSION: JSON.stringify(version) },
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
    absWorkingDir: root,
  });
  chmodSync(within('dist', 'evenkeel.cjs'), 0o755);
}

function writeLauncher() {
  const path = within('dist', 'cluster-autoscaler.cjs');
  writeFileSync(path, "#!/usr/bin/env node\nprocess.argv.splice(2, 0, 'run');\nrequire('./evenkeel.cjs');\n");
  chmodSync(path, 0o755);
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
