// Lists which assertions of the specifications have a test.
//
//   node scripts/spec-coverage.mjs [--quiet]      --quiet leaves out the missing numbers
//
// A test names the assertion that it covers in a comment: area, section, slash, number.
//
//   // scheduling 6.C/26
//   // scale-down 13.2/21-23, 25              ranges and lists within one section
//   // scale-down 13.6/67, 13.11/140          other sections of the same area
//   // scheduling 6.K/124, scale-up 14/44     several tags
//   # scale-up 14/16                          in the stories of test/scenarios
//
// Numbers run through all sections of an area; a tag with another section than its number belongs to is reported as
// unknown, so that a typing error can't pass for coverage. The exit code is 1 only for unknown tags.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Numbers of the assertions by area and section, first and last. */
const AREAS = {
  scheduling: {
    '6.A': [1, 10],
    '6.B': [11, 25],
    '6.C': [26, 36],
    '6.D': [37, 49],
    '6.E': [50, 67],
    '6.F': [68, 74],
    '6.G': [75, 88],
    '6.H': [89, 103],
    '6.I': [104, 120],
    '6.J': [121, 123],
    '6.K': [124, 137],
    '6.L': [138, 160],
  },
  'scale-up': { 14: [1, 110] },
  'scale-down': {
    13.1: [1, 20],
    13.2: [21, 30],
    13.3: [31, 41],
    13.4: [42, 50],
    13.5: [51, 60],
    13.6: [61, 73],
    13.7: [74, 94],
    13.8: [95, 98],
    13.9: [99, 106],
    '13.10': [107, 139],
    13.11: [140, 145],
    13.12: [146, 165],
    13.13: [166, 172],
  },
  interface: { 9: [1, 40] },
  hetzner: { 7: [1, 50] },
  utho: { 8: [1, 45] },
};

/** Numbered lists of known weaknesses: tests may name them, but they are no assertions. */
const UNCOUNTED = { 'scale-up': /^15$/, 'scale-down': /^14(\.\d+)?$/ };

const SECTION = String.raw`\d+(?:\.(?:\d+|[A-Z]))?`;
const RANGE = String.raw`\d+(?:-\d+)?`;
const TAG = new RegExp(
  String.raw`\b(${Object.keys(AREAS).join('|')}) (${SECTION}/${RANGE}(?:, ?(?:${SECTION}/)?${RANGE}(?![\d./]))*)`,
  'g',
);
const COMMENT = /(?:\/\/|\/\*|^\s*\*|#).*$/;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isQuiet = process.argv.includes('--quiet');
const covered = new Map(Object.keys(AREAS).map((area) => [area, new Set()]));
const unknown = [];

for (const path of testFiles(join(root, 'test'))) {
  readFileSync(path, 'utf8')
    .split('\n')
    .forEach((line, index) => collect(line, `${relative(root, path)}:${index + 1}`));
}
report();

function testFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function collect(line, place) {
  const comment = COMMENT.exec(line)?.[0] ?? '';
  for (const [tag, area, list] of comment.matchAll(TAG)) {
    let section = '';
    for (const item of list.split(',')) {
      const [numbers, named = section] = item.trim().split('/').reverse();
      section = named;
      if (!mark(area, section, numbersOf(numbers))) unknown.push(`${place}: ${tag}`);
    }
  }
}

/** False if the section has no such numbers. */
function mark(area, section, numbers) {
  if (UNCOUNTED[area]?.test(section)) return true;
  const [first, last] = AREAS[area][section] ?? [1, 0];
  const isKnown = numbers.length > 0 && numbers.every((number) => number >= first && number <= last);
  if (isKnown) for (const number of numbers) covered.get(area).add(number);
  return isKnown;
}

/** `21-23` → 21, 22, 23 */
function numbersOf(range) {
  const [first, last = first] = range.split('-').map(Number);
  return Array.from({ length: Math.max(0, Math.min(last, 999) - first + 1) }, (_, i) => first + i);
}

function report() {
  let coveredInAll = 0;
  let all = 0;
  for (const [area, sections] of Object.entries(AREAS)) {
    const done = covered.get(area);
    const total = Object.values(sections).reduce((sum, [first, last]) => sum + last - first + 1, 0);
    coveredInAll += done.size;
    all += total;
    console.log(`${area.padEnd(11)} ${String(done.size).padStart(3)} of ${total} assertions have a test`);
    if (!isQuiet) reportMissing(sections, done);
  }
  console.log(`${'all'.padEnd(11)} ${String(coveredInAll).padStart(3)} of ${all}`);
  for (const tag of new Set(unknown)) console.log(`unknown tag: ${tag}`);
  process.exitCode = unknown.length > 0 ? 1 : 0;
}

function reportMissing(sections, done) {
  for (const section of bySection(sections)) {
    const [first, last] = sections[section];
    const missing = [];
    for (let number = first; number <= last; number++) if (!done.has(number)) missing.push(number);
    if (missing.length > 0) console.log(`  ${section.padEnd(6)} missing ${asRanges(missing)}`);
  }
}

/** In order of numbers: keys that look like integers would come first otherwise. */
function bySection(sections) {
  return Object.keys(sections).sort((left, right) => sections[left][0] - sections[right][0]);
}

/** 1, 2, 3, 5 → `1-3, 5` */
function asRanges(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
