import { readStories, renderScenarioFault } from '../../../src/sandbox/scenarios/index.js';
import type { Story } from '../../../src/sandbox/scenarios/index.js';

const HEAD = 'name: s\nworld:\n  groups: [{id: a, max: 5, cpu: 4, mem: 8}]\n';
const TAIL = 'expect: {decisions: [NONE]}\n';

function faultsOf(text: string): readonly string[] {
  const result = readStories('s.yaml', text);
  return result.ok ? [] : result.faults.map(renderScenarioFault);
}

function storyOf(text: string): Story {
  const result = readStories('s.yaml', text);
  if (!result.ok) throw new Error(result.faults.map(renderScenarioFault).join('\n'));
  return result.stories[0]!;
}

describe('faults of a scenario', () => {
  it.each([
    [
      'a number that is none',
      `${HEAD}  pods: [{id: p, cpu: abc}]\n${TAIL}`,
      's.yaml:4:23: world.pods[0].cpu is "abc": it is not a number of at least 0; write a number of at least 0',
    ],
    [
      'a key of the case notation',
      `${HEAD}  pods: [{id: p, sel: {a: b}}]\n${TAIL}`,
      's.yaml:4:18: world.pods[0].sel: a pod has no key sel; write selector',
    ],
    [
      'a misspelt key',
      `${HEAD}${TAIL}setings: {}\n`,
      's.yaml:5:1: setings: a story has no key setings; write settings',
    ],
    [
      'a key that resembles nothing',
      `${HEAD}  cloud: {weather: bad}\n${TAIL}`,
      expect.stringMatching(/^s\.yaml:4:11: world\.cloud\.weather: .* write one of stock, answers,/u),
    ],
    [
      'a missing key',
      `name: s\nworld: {}\n${TAIL}`,
      's.yaml:2:8: world: the world needs groups; add groups: a list, each a group',
    ],
    [
      'a duration',
      `${HEAD}until: 10 minutes\n${TAIL}`,
      's.yaml:4:8: until is "10 minutes": it does not look like a duration; write a duration, e.g. 10m30s',
    ],
    [
      'a decision',
      `${HEAD}expect: {decisions: [GROW a]}\n`,
      expect.stringMatching(
        /^s\.yaml:4:22: expect\.decisions\[0\] is "GROW a": .*, e\.g\. 'ADD dear\+2 by 10s'$/u,
      ),
    ],
    [
      'a time in a decision',
      `${HEAD}expect: {decisions: [ADD a+1 by noon]}\n`,
      expect.stringContaining('s.yaml:4:22: expect.decisions[0] is "ADD a+1 by noon": noon is no duration'),
    ],
    [
      'a decision on an unknown group',
      `${HEAD}expect: {decisions: [ADD b+1]}\n`,
      's.yaml:4:22: expect.decisions[0] is "ADD b+1": there is no group b; name one of a',
    ],
    [
      'a pod on an unknown node',
      `${HEAD}  pods: [{id: p, on: a-1}]\n${TAIL}`,
      's.yaml:4:22: world.pods[0].on is "a-1": there is no node a-1; list it under nodes',
    ],
    [
      'a pod on an empty node',
      `${HEAD}  nodes: [{id: 'a-{1..2}', group: a, empty: true}]\n  pods: [{id: p, on: a-2}]\n${TAIL}`,
      's.yaml:5:22: world.pods[0].on is "a-2": node a-2 is said to be empty; drop empty or the pod',
    ],
    [
      'a group without a size',
      `name: s\nworld:\n  groups: [{id: a, max: 5}]\n${TAIL}`,
      expect.stringMatching(/^s\.yaml:3:12: world\.groups\[0\]: a group has either cpu and mem, or a type;/u),
    ],
    [
      'steps out of order',
      `${HEAD}steps: [{at: 2m}, {at: 1m}]\n${TAIL}`,
      's.yaml:4:24: steps[1].at is "1m": it is before the step above; order steps by time',
    ],
    [
      'an empty range',
      `${HEAD}  nodes: [{id: 'a-{3..1}', group: a}]\n${TAIL}`,
      expect.stringContaining('s.yaml:4:16: world.nodes[0].id is "a-{3..1}": the range {3..1} is empty'),
    ],
    [
      'what is no YAML',
      'name: [s\n',
      expect.stringMatching(/^s\.yaml:\d+:\d+: it is no YAML: .*; correct it$/u),
    ],
    ['nothing', '', 's.yaml:1:1: the file is empty; write a story, see docs/scenarios.md'],
  ])('names place, field, value and remedy of %s', (_, text, expected) => {
    expect(faultsOf(text)).toEqual([expected]);
  });

  it('are told all at once, of all stories of the file', () => {
    const text = `${HEAD}  pods: [{id: p, cpu: x}, {id: q, mem: y}]\n${TAIL}---\nname: t\n`;
    expect(faultsOf(text).map((fault) => fault.split(' ')[0])).toEqual([
      's.yaml:4:23:',
      's.yaml:4:40:',
      's.yaml:7:1:',
      's.yaml:7:1:',
    ]);
  });
});

describe('a story', () => {
  it('writes ranges and copies out', () => {
    const { world } = storyOf(
      `${HEAD}  nodes: [{id: 'a-{1..2}', group: a}]\n` +
        `  pods: [{id: 'r{1..2}', on: 'a-{i}', cpu: 1, labels: {app: 'r{i}'}}, {id: w, x: 2}, {id: 'c{1..2}-{3..4}', owner: 'rs/c{j}'}]\n${TAIL}`,
    );
    expect(world.nodes.map(({ id }) => id)).toEqual(['a-1', 'a-2']);
    expect(world.pods.map(({ id, on, owner }) => [id, on ?? owner])).toEqual([
      ['r1', 'a-1'],
      ['r2', 'a-2'],
      ['w-1', undefined],
      ['w-2', undefined],
      ['c1-3', 'rs/c3'],
      ['c1-4', 'rs/c4'],
      ['c2-3', 'rs/c3'],
      ['c2-4', 'rs/c4'],
    ]);
    expect(world.pods[1]!.labels).toEqual(new Map([['app', 'r2']]));
  });

  it('fills a group up to its size with ordinary nodes', () => {
    const text = `name: s\nworld:\n  groups: [{id: a, max: 5, size: 3, cpu: 4, mem: 8}]\n  nodes: [{id: a-2, group: a}]\n${TAIL}`;
    expect(storyOf(text).world.nodes.map(({ id }) => id)).toEqual(['a-2', 'a-1', 'a-3']);
  });

  it('ends with its last step, and lasts at least a minute', () => {
    expect(storyOf(`${HEAD}${TAIL}`).untilMs).toBe(60_000);
    expect(storyOf(`${HEAD}steps: [{at: 1h30m}]\n${TAIL}`).untilMs).toBe(5_400_000);
  });

  it('may use anchors', () => {
    const text = `${HEAD}  pods: [&p {id: p, cpu: 1}, {<<: *p, id: q}, *p]\n${TAIL}`;
    expect(faultsOf(text)[0]).toContain('<<');
    expect(
      storyOf(`${HEAD}  pods: [{id: p, labels: &l {a: b}}, {id: q, labels: *l}]\n${TAIL}`).world.pods[1]!
        .labels,
    ).toEqual(new Map([['a', 'b']]));
  });
});
