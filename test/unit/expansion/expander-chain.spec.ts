import { buildExpanderChain, chooseOption } from '../../../src/domain/expansion/index.js';
import type { Expander, ExpansionContext, ExpansionOption } from '../../../src/domain/expansion/index.js';
import type { NodeOptions } from '../../support/builders.js';
import { GIB, buildPod, buildTemplate } from '../../support/builders.js';

interface OptionSpec extends Partial<ExpansionOption> {
  node?: NodeOptions;
  cpuMilli?: number;
  memoryBytes?: number;
  agentMilli?: number;
}

function option(groupId: string, spec: OptionSpec = {}): ExpansionOption {
  const { node, cpuMilli = 1_000, memoryBytes = GIB, agentMilli, ...fields } = spec;
  const agents = agentMilli === undefined ? [] : [buildPod('agent', { cpuMilli: agentMilli })];
  return {
    groupId,
    similarGroupIds: [],
    nodeCount: 1,
    template: buildTemplate(groupId, node, agents),
    placed: [1],
    podCount: 1,
    requests: new Map([
      ['cpu', cpuMilli],
      ['memory', memoryBytes],
    ]),
    pricePerHour: null,
    ...fields,
  };
}

function chain(...names: string[]): readonly Expander[] {
  const result = buildExpanderChain(names);
  if (result.kind === 'rejected') throw new Error(result.problem);
  return result.expanders;
}

const CONTEXT: ExpansionContext = {
  clusterNodes: 10,
  gpuLabel: 'example.com/gpu',
  podPrice: { perCore: 0, perGib: 0 },
  priorities: null,
};

const choose = (options: readonly ExpansionOption[], names: readonly string[], chance = 0) =>
  chooseOption(options, chain(...names), CONTEXT, () => chance);
const best = (options: readonly ExpansionOption[], names: readonly string[], chance = 0) =>
  choose(options, names, chance)?.best.groupId;

describe('expanders', () => {
  // scale-up 14/99
  it('most-pods and least-nodes keep ties for the next in the chain', () => {
    const options = [
      option('a', { podCount: 3, nodeCount: 2 }),
      option('b', { podCount: 3, nodeCount: 1 }),
      option('c', { podCount: 1, nodeCount: 1 }),
    ];
    expect(best(options, ['most-pods', 'least-nodes'])).toBe('b');
    expect(best(options, ['least-nodes', 'most-pods'])).toBe('b');
    expect(best(options, ['most-pods', 'random'], 0)).toBe('a');
    expect(best(options, ['most-pods', 'random'], 0.99)).toBe('b');
  });

  // scale-up 14/99
  it('least-waste prefers the shape of the pods', () => {
    const pods = { cpuMilli: 2_000, memoryBytes: 8 * GIB };
    const highCpu = option('high-cpu', {
      ...pods,
      nodeCount: 4,
      node: { cpuMilli: 16_000, memoryBytes: 2 * GIB },
    });
    const balanced = option('balanced', { ...pods, node: { cpuMilli: 4_000, memoryBytes: 8 * GIB } });
    const highMemory = option('high-memory', { ...pods, node: { cpuMilli: 2_000, memoryBytes: 8 * GIB } });
    expect(best([highCpu, balanced, highMemory], ['least-waste'])).toBe('high-memory');
    expect(best([highCpu, balanced], ['least-waste'])).toBe('balanced');
  });

  it('least-waste takes the small machine for a small pod, each time (case U066)', () => {
    const pods = { cpuMilli: 100, memoryBytes: GIB / 5 };
    const big = option('big', { ...pods, node: { cpuMilli: 32_000, memoryBytes: 128 * GIB } });
    const small = option('small', { ...pods, node: { cpuMilli: 2_000, memoryBytes: 4 * GIB } });
    for (const chance of [0, 0.3, 0.99]) expect(best([big, small], ['least-waste'], chance)).toBe('small');
  });

  it('least-waste counts devices, and not what DaemonSets take', () => {
    const plain = option('plain');
    const gpu = option('gpu', { node: { allocatable: { 'nvidia.com/gpu': 1 } } });
    expect(best([gpu, plain], ['least-waste'])).toBe('plain');
    const busy = option('busy', { node: { cpuMilli: 4_000 }, agentMilli: 2_000 });
    expect(best([plain, busy], ['least-waste'])).toBe('busy');
  });

  it('least-waste survives a node without memory', () => {
    const odd = option('odd', { node: { memoryBytes: 0 } });
    expect(
      choose([odd, option('plain')], ['least-waste'])?.verdicts.every(
        ({ scores }) => !Number.isNaN(scores[0]?.score),
      ),
    ).toBe(true);
  });

  // scale-up 14/99
  it('random returns one of the options', () => {
    const options = [option('a'), option('b'), option('c')];
    expect([0, 0.34, 0.67, 0.999].map((chance) => best(options, ['random'], chance))).toEqual([
      'a',
      'b',
      'c',
      'c',
    ]);
  });

  // scale-up 14/99
  it('are not asked once a single option is left', () => {
    const counted: Expander = {
      name: 'least-nodes',
      score: () => {
        throw new Error('asked');
      },
    };
    const options = [option('a', { podCount: 2 }), option('b')];
    const [mostPods] = chain('most-pods');
    expect(chooseOption(options, [mostPods!, counted], CONTEXT, () => 0)?.best.groupId).toBe('a');
  });

  it('choose nothing from nothing', () => {
    expect(choose([], ['least-waste'])).toBeNull();
  });
});

describe('a tie that the chain leaves', () => {
  it('goes to the cheaper, then to fewer nodes, then to the first group', () => {
    const dear = option('dear', { pricePerHour: 2 });
    const cheap = option('cheap', { pricePerHour: 0.7, nodeCount: 2, podCount: 1 });
    expect(best([dear, cheap], ['most-pods'])).toBe('cheap');
    expect(best([option('two', { nodeCount: 2 }), option('one')], ['most-pods'])).toBe('one');
    expect(best([option('b'), option('a')], ['most-pods'], 0.99)).toBe('b');
  });

  it('is not settled by price when a price is missing', () => {
    expect(best([option('first'), option('cheap', { pricePerHour: 0.1 })], ['most-pods'])).toBe('first');
  });
});

it('tells the scores and who dropped which option', () => {
  const options = [
    option('a', { podCount: 3, nodeCount: 2 }),
    option('b', { podCount: 3 }),
    option('c', { podCount: 1 }),
  ];
  const verdicts = choose(options, ['most-pods', 'least-nodes'])?.verdicts.map(
    ({ option: { groupId }, scores, droppedBy }) => ({ groupId, scores, droppedBy }),
  );
  expect(verdicts).toEqual([
    {
      groupId: 'a',
      scores: [
        { expander: 'most-pods', score: -3 },
        { expander: 'least-nodes', score: 2 },
      ],
      droppedBy: 'least-nodes',
    },
    {
      groupId: 'b',
      scores: [
        { expander: 'most-pods', score: -3 },
        { expander: 'least-nodes', score: 1 },
      ],
      droppedBy: null,
    },
    { groupId: 'c', scores: [{ expander: 'most-pods', score: -1 }], droppedBy: 'most-pods' },
  ]);
});

describe('a chain', () => {
  it('is least-waste by default', () => {
    expect(chain().map(({ name }) => name)).toEqual(['least-waste']);
  });

  it.each([
    [['nosuch'], 'unknown expander "nosuch"'],
    [[' least-waste'], 'unknown expander " least-waste"'],
    [['least-waste', 'least-waste'], 'expander least-waste is named twice'],
    [['random', 'most-pods'], 'expander most-pods follows random'],
    [['grpc'], 'expander grpc is not available'],
    [['constructor'], 'unknown expander "constructor"'],
  ])('%j is rejected', (names, problem) => {
    const result = buildExpanderChain(names);
    expect(result.kind === 'rejected' ? result.problem : '').toContain(problem);
  });
});
