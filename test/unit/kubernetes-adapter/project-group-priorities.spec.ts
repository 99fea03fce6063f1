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
  ])('%j is invalid', (text, problem) => {
    expect(project(text)).toMatchObject({ kind: 'invalid', problem: expect.stringContaining(problem) });
  });
});
