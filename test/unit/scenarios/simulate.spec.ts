import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulateCommand } from '../../../src/infrastructure/simulate/simulate-command.js';

const STORY = `name: small
world:
  groups: [{id: a, max: 3, cpu: 4, mem: 8}]
  pods: [{id: p, x: 2, cpu: 3, mem: 4}]
until: 3m
`;
const HOLDS = `${STORY}expect: {decisions: [ADD a+2 by 10s], state: {pods: {'p-*': running}}}\n`;
const FAILS = `${STORY}expect: {decisions: [ADD a+3], never: [ADD a]}\n`;

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function simulate(text: string, ...options: readonly string[]) {
  const file = join(folder, 'story.yaml');
  writeFileSync(file, text);
  return run(...options, file);
}

async function run(...argv: readonly string[]) {
  const told = { out: '', error: '' };
  const output = {
    out: (text: string) => void (told.out += text),
    error: (text: string) => void (told.error += text),
  };
  const exitCode = await simulateCommand(argv, output, new AbortController().signal);
  return { exitCode, ...told };
}

describe('evenkeel simulate', () => {
  it('tells the story with virtual times and ends with 0 when its expectations hold', async () => {
    const { exitCode, out } = await simulate(HOLDS);
    expect(exitCode).toBe(0);
    expect(out).toContain('small: HOLDS\n');
    expect(out).toMatch(/ {2}00:00:0\d\.\d {2}ADD {6}a\+2 from 0 to 2 for 2 pods, p-1, p-2\n/u);
    expect(out).toMatch(/ {2}00:00:\d\d\.\d {2}world {4}node a-[0-9a-f]{16} joins\n/u);
    expect(out).toContain('  yes  ADD a+2 by 10s\n');
  });

  it('ends with 1 when they do not, and says what was found instead', async () => {
    const { exitCode, out } = await simulate(FAILS);
    expect(exitCode).toBe(1);
    expect(out).toContain('small: FAILS\n');
    expect(out).toMatch(/ {2}NO {3}ADD a\+3; found other decisions: ADD a\+2 at \w+\n/u);
    expect(out).toMatch(/ {2}NO {3}never ADD a; found ADD a\+2 at \w+\n/u);
  });

  it('does not count a pending story', async () => {
    const { exitCode, out } = await simulate(FAILS.replace('until:', 'pending: not built yet\nuntil:'));
    expect(exitCode).toBe(0);
    expect(out).toContain('small: PENDING\n');
  });

  it('ends with 2 for a faulty file, and names the place', async () => {
    const { exitCode, out, error } = await simulate(HOLDS.replace('max: 3', 'max: none'));
    expect([exitCode, out]).toEqual([2, '']);
    expect(error).toBe(
      'story.yaml:3:25: world.groups[0].max is "none": it is not a whole number of at least 1; write a whole number of at least 1\n',
    );
  });

  it.each([
    [['no-such-file.yaml'], "no-such-file.yaml: it can't be read (ENOENT); name a scenario file\n"],
    [[], 'no scenario is named'],
    [['-o', 'xml', 'x.yaml'], '--output is "xml": json is the only other form'],
    [['--fast', 'x.yaml'], "Unknown option '--fast'"],
  ])('ends with 2 for the arguments %j', async (argv, problem) => {
    const { exitCode, error } = await run(...argv);
    expect(exitCode).toBe(2);
    expect(error).toContain(problem);
  });

  it('does not let a program that does not start pass for one that decides nothing', async () => {
    const { exitCode, out } = await simulate(
      `${STORY}settings: {flags: {no-such-flag: 1}}\nexpect: {decisions: [NONE]}\n`,
    );
    expect(exitCode).toBe(1);
    expect(out).toContain('NO   the program starts');
  });

  it.each([
    [
      'names a node that is not there',
      'steps: [{at: 7s, fail: [a-9]}]',
      'small at 7s: no machine a-9 runs\n',
    ],
    [
      'has an object of a kind that is not there',
      'steps: [{at: 7s, create: {objects: [{apiVersion: v7, kind: Gizmo, metadata: {name: g}}]}}]',
      'small at 7s: the sandbox knows no Gizmo of v7\n',
    ],
  ])('ends with 2 for a story that %s', async (_, steps, problem) => {
    const { exitCode, error } = await simulate(`${HOLDS}${steps}\n`);
    expect([exitCode, error]).toEqual([2, problem]);
  });

  it('gives the same output to the byte for the same seed, and another history for another one', async () => {
    const first = await simulate(HOLDS, '-v');
    const second = await simulate(HOLDS, '-v');
    const other = await simulate(HOLDS, '-v', '--seed', '2');
    expect(second.out).toBe(first.out);
    expect(other.out).not.toBe(first.out);
    expect(other.exitCode).toBe(0);
  });

  it('prints the outcome as JSON', async () => {
    const { out } = await simulate(HOLDS, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject([
      {
        name: 'small',
        holds: true,
        decisions: [{ kind: 'add', group: 'a', count: 2, refusal: null }],
        expectations: expect.arrayContaining([{ text: 'ADD a+2 by 10s', holds: true, found: '' }]),
      },
    ]);
  });
});
