import { chooseOption, fitPodPrice } from '../../../src/domain/expansion/index.js';
import type { Expander, ExpansionContext, ExpansionOption } from '../../../src/domain/expansion/index.js';
import { priceExpander } from '../../../src/domain/expansion/price.js';
import { leastNodesExpander } from '../../../src/domain/expansion/least-nodes.js';
import { GIB, buildTemplate } from '../../support/builders.js';
import type { NodeOptions } from '../../support/builders.js';

const CONTEXT: ExpansionContext = {
  clusterNodes: 10,
  gpuLabel: 'example.com/gpu',
  podPrice: { perCore: 0.01, perGib: 0.002 },
  priorities: null,
};

function option(
  groupId: string,
  pricePerHour: number | null,
  fields: Partial<ExpansionOption> & { cores?: number; node?: NodeOptions } = {},
): ExpansionOption {
  const { cores = 4, node, ...rest } = fields;
  const requests = new Map([
    ['cpu', 1_000],
    ['memory', GIB],
  ]);
  return {
    groupId,
    similarGroupIds: [],
    nodeCount: 1,
    template: buildTemplate(groupId, { cpuMilli: cores * 1_000, ...node }),
    placed: [1],
    podCount: 1,
    requests,
    pricePerHour,
    ...rest,
  };
}

const best = (
  options: readonly ExpansionOption[],
  context: Partial<ExpansionContext> = {},
  chain: readonly Expander[] = [priceExpander],
) => chooseOption(options, chain, { ...CONTEXT, ...context }, () => 0)?.best.groupId;

describe('the price expander', () => {
  // scale-up 14/101
  it('takes the cheaper of two alike', () => {
    expect(best([option('dear', 0.2), option('cheap', 0.1)])).toBe('cheap');
  });

  // scale-up 14/101
  it('takes the size that suits the cluster where prices are close, and the cheaper one where they are not', () => {
    const small = (price: number): ExpansionOption => option('small', price, { cores: 4 });
    const large = (price: number): ExpansionOption => option('large', price, { cores: 16 });
    expect(best([large(0.1), small(0.11)])).toBe('small');
    expect(best([large(0.1), small(0.11)], { clusterNodes: 150 })).toBe('large');
    expect(best([large(0.1), small(0.8)])).toBe('large');
  });

  // scale-up 14/101
  it('cares less for the size the more nodes it takes', () => {
    const many = (nodeCount: number): string | undefined =>
      best([option('odd', 0.08, { cores: 8, nodeCount }), option('suitable', 0.1, { cores: 4, nodeCount })]);
    expect(many(1)).toBe('suitable');
    expect(many(60)).toBe('odd');
  });

  // scale-up 14/101
  it('takes the option that serves more at the same price', () => {
    const requests = new Map([
      ['cpu', 2_000],
      ['memory', 2 * GIB],
    ]);
    expect(best([option('one', 0.1), option('two', 0.1, { podCount: 2, requests })])).toBe('two');
  });

  it('takes GPUs when nothing else will do', () => {
    const labelled = option('gpu', 0.01, { node: { labels: { 'example.com/gpu': 'a' } } });
    const shown = option('gpu', 0.01, { node: { allocatable: { 'nvidia.com/gpu': 1 } } });
    expect(best([labelled, option('plain', 0.5)])).toBe('plain');
    expect(best([shown, option('plain', 0.5)])).toBe('plain');
    expect(best([labelled])).toBe('gpu');
  });

  // scale-up 14/101: upstream has no option left then
  it('prefers a group with a price, and leaves the choice to others where none has one', () => {
    expect(best([option('unknown', null), option('known', 9)])).toBe('known');
    const options = [option('two', null, { nodeCount: 2 }), option('one', null)];
    expect(best(options, {}, [priceExpander, leastNodesExpander])).toBe('one');
  });

  it('gives a number for machines that cost nothing', () => {
    const podPrice = { perCore: 0, perGib: 0 };
    expect(priceExpander.score(option('free', 0), { ...CONTEXT, podPrice })).toBe(0);
  });
});

describe('the price of pods', () => {
  it('is that of cores and memory where the machines tell them apart', () => {
    const machines = [
      { cores: 2, gib: 4, price: 2 * 0.01 + 4 * 0.002 },
      { cores: 4, gib: 16, price: 4 * 0.01 + 16 * 0.002 },
    ];
    const { perCore, perGib } = fitPodPrice(machines);
    expect([perCore, perGib].map((price) => price.toFixed(6))).toEqual(['0.010000', '0.002000']);
  });

  it('is half and half for machines of one shape, and nothing without any', () => {
    expect(fitPodPrice([{ cores: 2, gib: 4, price: 0.08 }])).toEqual({ perCore: 0.02, perGib: 0.01 });
    expect(fitPodPrice([])).toEqual({ perCore: 0, perGib: 0 });
  });

  it('is never below zero', () => {
    const cheapMemory = [
      { cores: 2, gib: 4, price: 0.1 },
      { cores: 2, gib: 64, price: 0.05 },
    ];
    const cheapCores = [
      { cores: 2, gib: 4, price: 0.1 },
      { cores: 32, gib: 4, price: 0.05 },
    ];
    for (const { perCore, perGib } of [fitPodPrice(cheapMemory), fitPodPrice(cheapCores)]) {
      expect(Math.min(perCore, perGib)).toBeGreaterThanOrEqual(0);
      expect(perCore + perGib).toBeGreaterThan(0);
    }
  });
});
