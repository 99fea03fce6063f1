import { projectGroupPriorities } from '../../../src/adapters/kubernetes/projection/project-group-priorities.js';
import { priorityOfGroup } from '../../../src/domain/expansion/group-priorities.js';

const metadata = { namespace: 'kube-system', name: 'cluster-autoscaler-priority-expander', uid: 'uid-1' };
const project = (priorities?: string) =>
  projectGroupPriorities({ metadata, data: priorities === undefined ? {} : { priorities } });

describe('the ConfigMap of the priority expander', () => {
  it('is a map of expressions by priority', () => {
    const projected = project('10:\n  - .*\n50:\n  - ^fast-.*$\n  - "7"\n');
    expect(projected).toMatchObject({ kind: 'valid', source: metadata });
    const levels = projected.kind === 'valid' ? projected.levels : [];
    expect(['fast-1', 'pool7', 'slow'].map((id) => priorityOfGroup(levels, id))).toEqual([50, 50, 10]);
  });

  // scale-up 14/100
  it.each([
    [undefined, 'the key priorities is missing'],
    ['', 'priorities is no map of priorities'],
    ['- a', 'priorities is no map of priorities'],
    ['10: [a', "the YAML of priorities can't be read"],
    ['ten: [a]', 'priority "ten" is no integer'],
    ['1.5: [a]', 'priority 1.5 is no integer'],
    ['10: a', 'priority 10 has no list of expressions'],
    ['10: [{a: b}]', 'priority 10 has no list of expressions'],
    ['10: ["(?=a)"]', 'expression "(?=a)" of priority 10'],
    ['10: ["(a)\\\\1"]', 'of priority 10'],
    ['10: [a]\n10: [b]', "the YAML of priorities can't be read"],
    ['10:\n  - *fast', "the YAML of priorities can't be read: Unresolved alias"],
    ['10: ["((((((){1000}){1000}){1000}){1000}){1000})"]', 'too large'],
    [
      `10: [${Array.from({ length: 60 }, (_, index) => `"[a-f${index}]{900}"`).join()}]`,
      'too large together',
    ],
  ])('%j is invalid', (text, problem) => {
    expect(project(text)).toMatchObject({ kind: 'invalid', problem: expect.stringContaining(problem) });
  });

  it('has expressions that are never slow, however they are nested', () => {
    const projected = project('10: ["^(a+)+b$", "^(a|a)*b$", "^(a?){200}b$", "(.*)*(.*)*c"]');
    const levels = projected.kind === 'valid' ? projected.levels : [];
    expect(levels).toHaveLength(1);
    expect(priorityOfGroup(levels, 'a'.repeat(2_000))).toBeNull();
  });

  it('has expressions in the dialect of the Go program', () => {
    const projected = project(String.raw`10: ['(?i)^\pL+$', '(?P<name>gpu)', '\Qa.b\E', '(?m)^x$']`);
    const levels = projected.kind === 'valid' ? projected.levels : [];
    const matched = ['POOL', 'my-gpu-1', '1-a.b', '-\nx', 'aXb-1'].map((id) => priorityOfGroup(levels, id));
    expect(matched).toEqual([10, 10, 10, 10, null]);
  });
});
