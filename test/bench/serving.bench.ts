import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { HetznerSandbox } from '../../src/sandbox/hetzner-sandbox.js';
import { RealClock } from '../../src/sandbox/world/index.js';
import { bulkyNode, bulkyPod } from './bulky-objects.js';
import { mustEqual } from './measure.js';

/**
 * The sandbox as a server of the largest cluster that is aimed at, in a process of its own: its resident memory and CPU
 * time, the first full paged list as an informer makes it, the same in one piece, and a watch that begins with the
 * state. Objects have realistic size (a pod 6 to 7 KB of JSON). Not part of the short run: it takes a minute and some
 * GiB.
 */

const NODES = 5_000;
const PODS = 150_000;
/** What the sandbox may use. */
const HEAP_MIB = 4_096;
const PAGE = 500;

if (process.argv.includes('--serve')) void serve();
else if (process.argv.includes('--short')) say('  left out of the short run');
else void measureServing();

async function serve(): Promise<void> {
  const world = new HetznerSandbox({ clock: new RealClock(), seed: 1 });
  for (let index = 0; index < NODES; index++) {
    world.cluster.plant(bulkyNode(`node-${index}`, `hcloud://${index + 1}`, 'pool'));
  }
  for (let index = 0; index < PODS; index++) {
    world.cluster.plant(bulkyPod(index, `node-${index % NODES}`));
  }
  say((await world.serve()).kubernetesUrl);
}

async function measureServing(): Promise<void> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, process.argv[1]!, '--serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await firstLine(child);
    report(`${NODES} nodes and ${PODS} pods put in`, startedMs, child);
    await timed('all pods, 500 a page', child, () => listPages(url));
    await timed('all pods in one list', child, () => listWhole(`${url}/api/v1/pods`));
    await timed('all pods as a watch that begins with the state', child, () => watchState(url));
  } finally {
    child.kill('SIGKILL');
  }
}

async function timed(what: string, child: ChildProcess, run: () => Promise<number>): Promise<void> {
  const startedMs = performance.now();
  const startedCpuMs = cpuMsOf(child);
  mustEqual(await run(), PODS);
  report(what, startedMs, child, startedCpuMs);
}

function report(what: string, startedMs: number, child: ChildProcess, startedCpuMs = 0): void {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(5);
  const took = `${seconds(performance.now() - startedMs)} s, ${seconds(cpuMsOf(child) - startedCpuMs)} CPU-s`;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mib = (name: string): string =>
    (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024).toFixed(0);
  say(`  ${what.padEnd(48)} ${took}   ${mib('VmRSS')} MiB (peak ${mib('VmHWM')} MiB)`);
}

/** Fields 14 and 15 of proc(5), in ticks of 10 ms. */
function cpuMsOf(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(stat[11]) + Number(stat[12])) * 10;
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the server ended');
}

/** As an informer lists: from the cache, page by page. */
async function listPages(url: string): Promise<number> {
  let count = 0;
  let token = '';
  do {
    const query = token === '' ? 'resourceVersion=0' : `continue=${token}`;
    const { body } = await request(`${url}/api/v1/pods?limit=${PAGE}&${query}`);
    const list = (await body.json()) as { metadata: { continue?: string }; items: unknown[] };
    count += list.items.length;
    token = list.metadata.continue ?? '';
  } while (token !== '');
  return count;
}

/** A gigabyte: counted as it comes. */
async function listWhole(url: string): Promise<number> {
  return countIn((await request(url)).body, '"metadata":{"name":"workload-');
}

async function watchState(url: string): Promise<number> {
  const query =
    'watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
  const { body } = await request(`${url}/api/v1/pods?${query}`);
  return countIn(body, '{"type":"ADDED"', '"k8s.io/initial-events-end"');
}

/** Times that the text comes in the stream, until its end or until the last text comes. */
async function countIn(stream: AsyncIterable<Buffer>, text: string, last?: string): Promise<number> {
  let count = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) count++;
    if (last !== undefined && bytes.includes(last)) break;
    // What may be the beginning of the text, and can't be all of it.
    rest = bytes.subarray(bytes.length - text.length + 1);
  }
  return count;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
