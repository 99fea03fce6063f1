import fc from 'fast-check';
import type { Estimate, EstimationLimits } from '../../../src/domain/estimation/estimate.js';
import { estimateByRuns } from '../../../src/domain/estimation/estimate-by-runs.js';
import type { NodeTemplate } from '../../../src/domain/node-group/node-group.js';
import { classifyPods } from '../../../src/domain/simulation/classify-pods.js';
import { createSnapshot } from '../../../src/domain/simulation/journaled-snapshot.js';
import { buildNode, buildPod, buildTemplate, MIB } from '../../support/builders.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';
import { packOneByOne } from '../../reference/pack-one-by-one.js';
import { NaiveSnapshot } from '../../reference/naive-snapshot.js';
import { arbitraryNode, arbitraryPod } from '../simulation/random-clusters.js';

interface Given {
  readonly template: NodeTemplate;
  /** Number of pods and what they are, a list for several classes. */
  readonly pending: readonly (readonly [number, PodOptions])[];
  readonly limits?: EstimationLimits;
}

const NO_LIMITS: EstimationLimits = { maxNodes: null };

function estimate({ template, pending, limits = NO_LIMITS }: Given): Estimate {
  const pods = pending.flatMap(([count, options], kind) =>
    Array.from({ length: count }, (_, i) => buildPod(`p-${kind}-${i}`, options)),
  );
  return estimateByRuns(createSnapshot(), template, classifyPods(pods).classes, limits);
}

function counts(given: Given): [nodes: number, ...placed: number[]] {
  const { nodeCount, placed } = estimate(given);
  return [nodeCount, ...placed];
}

const group = (node: NodeOptions, ...daemons: PodOptions[]): NodeTemplate =>
  buildTemplate(
    'g',
    node,
    daemons.map((daemon, i) => buildPod(`daemon-${i}`, daemon)),
  );
const hostPorts = [{ hostIp: '0.0.0.0', protocol: 'TCP', port: 5555 }];

describe('estimateByRuns', () => {
  it.each<[string, Given, number[]]>([
    // scheduling 6.K/124, scale-up 14/44
    [
      'divides by the scarcest resource',
      {
        template: group({ cpuMilli: 1_000, memoryBytes: 2_000 * MIB, pods: 10 }),
        pending: [[10, { cpuMilli: 350, memoryBytes: 1_000 * MIB }]],
      },
      [5, 10],
    ],
    // scheduling 6.K/125, scale-up 14/44
    [
      'counts slots',
      {
        template: group({ cpuMilli: 10_000, memoryBytes: 20_000 * MIB, pods: 10 }),
        pending: [[20, { cpuMilli: 10, memoryBytes: 100 * MIB }]],
      },
      [2, 20],
    ],
    // scheduling 6.K/126, scale-up 14/45
    [
      'gives every pod with a host port a node',
      { template: group({ cpuMilli: 1_000 }), pending: [[8, { cpuMilli: 200, shape: { hostPorts } }]] },
      [8, 8],
    ],
    // scheduling 6.K/127, scale-up 14/45
    [
      'stops at the node limit',
      {
        template: group({ cpuMilli: 1_000 }),
        pending: [[20, { cpuMilli: 500 }]],
        limits: { maxNodes: 5 },
      },
      [5, 10],
    ],
    // scheduling 6.K/136
    [
      'leaves room for the pods that come with a node',
      {
        template: group({ cpuMilli: 2_000, pods: 10 }, { cpuMilli: 300 }),
        pending: [[10, { cpuMilli: 500 }]],
      },
      [4, 10],
    ],
    // scheduling 6.K/137
    [
      'places nothing that is too large',
      { template: group({ cpuMilli: 1_000 }), pending: [[3, { cpuMilli: 2_000 }]] },
      [0, 0],
    ],
    // scale-up 14/46
    [
      'takes large pods first under a limit',
      {
        template: group({ cpuMilli: 1_000 }),
        pending: [
          [10, { cpuMilli: 50 }],
          [10, { cpuMilli: 500 }],
        ],
        limits: { maxNodes: 5 },
      },
      [5, 0, 10],
    ],
    // scale-up 14/48
    [
      'packs the published benchmark as it is published',
      {
        template: group({ cpuMilli: 1_000, memoryBytes: 5_000 * MIB, pods: 100 }),
        pending: [
          [50_000, { cpuMilli: 50, memoryBytes: 100 }],
          [1_000, { cpuMilli: 95, memoryBytes: 190 }],
        ],
        limits: { maxNodes: 3_000 },
      },
      [2_595, 50_000, 1_000],
    ],
    // scale-up 14/52
    [
      'orders by cpu alone where the template has no memory',
      {
        template: group({ cpuMilli: 1_000, memoryBytes: 0 }),
        pending: [
          [1, { cpuMilli: 600 }],
          [1, { cpuMilli: 700 }],
        ],
        limits: { maxNodes: 1 },
      },
      [1, 0, 1],
    ],
    [
      'fills what is left over on earlier nodes',
      {
        template: group({ cpuMilli: 1_000 }),
        pending: [
          [3, { cpuMilli: 600 }],
          [7, { cpuMilli: 200 }],
        ],
      },
      [4, 3, 7],
    ],
    [
      'counts no port of the template twice',
      { template: group({}, { shape: { hostPorts } }), pending: [[2, { shape: { hostPorts } }]] },
      [0, 0],
    ],
    [
      'adds no node under a negative limit',
      { template: group({}), pending: [[2, {}]], limits: { maxNodes: -1 } },
      [0, 0],
    ],
    ['has nothing to do without pods', { template: group({}), pending: [] }, [0]],
  ])('%s', (_, given, expected) => {
    expect(counts(given)).toEqual(expected);
  });

  it('orders by the sum of shares', () => {
    // scale-up 14/52
    const given: Given = {
      template: group({ cpuMilli: 1_000, memoryBytes: 1_000 }),
      pending: [
        [1, { cpuMilli: 600 }],
        [1, { cpuMilli: 400, memoryBytes: 700 }],
      ],
      limits: { maxNodes: 1 },
    };
    expect(counts(given)).toEqual([1, 1, 1]);
    expect(counts({ ...given, pending: [[1, { cpuMilli: 700 }], given.pending[1]!] })).toEqual([1, 0, 1]);
  });

  it('says why a class fits on no new node', () => {
    // scheduling 6.K/137
    const { rejections, stoppedBy } = estimate({
      template: group({ cpuMilli: 1_000 }),
      pending: [
        [1, { cpuMilli: 2_000 }],
        [1, { cpuMilli: 1 }],
      ],
    });
    expect(rejections[0]).toMatchObject({
      plugin: 'NodeResourcesFit',
      reasons: [{ text: 'Insufficient cpu' }],
    });
    expect([rejections[1], stoppedBy]).toEqual([undefined, null]);
  });

  it('says that the node limit stopped it, and still fills the nodes that it has', () => {
    const { placed, rejections, stoppedBy } = estimate({
      template: group({ cpuMilli: 1_000 }),
      pending: [
        [3, { cpuMilli: 600 }],
        [2, { cpuMilli: 400 }],
      ],
      limits: { maxNodes: 2 },
    });
    expect([placed, stoppedBy]).toEqual([[2, 2], 'node-limit']);
    expect(rejections[0]).toMatchObject({ plugin: 'EstimationNodeLimit', reasons: [{ limit: 2 }] });
  });

  it('stops between classes when the time is up', () => {
    let asked = 0;
    const { placed, nodeCount, rejections, stoppedBy } = estimate({
      template: group({ cpuMilli: 1_000 }),
      pending: [
        [2, { cpuMilli: 600 }],
        [2, { cpuMilli: 400 }],
        [2, { cpuMilli: 300 }],
      ],
      limits: { maxNodes: null, isOutOfTime: () => ++asked > 1 },
    });
    expect([placed, nodeCount, stoppedBy]).toEqual([[2, 0, 0], 2, 'time']);
    expect(rejections[1]).toMatchObject({ plugin: 'EstimationTimeLimit' });
  });

  it('leaves the snapshot as it was, and does not use its nodes', () => {
    const snapshot = createSnapshot();
    snapshot.addNode(buildNode('template-node-for-g-1-e-0'));
    const { classes } = classifyPods([buildPod('p', { cpuMilli: 100 })]);
    const { nodeCount } = estimateByRuns(snapshot, group({}), classes, NO_LIMITS);
    expect(nodeCount).toBe(1);
    expect(snapshot.nodeNames()).toEqual(['template-node-for-g-1-e-0']);
    expect(() => snapshot.revert()).toThrow();
  });

  it('packs as if one by one', () => {
    const name = fc.constant('template');
    const templates = fc.tuple(arbitraryNode(name), fc.array(arbitraryPod, { maxLength: 2 }));
    const kinds = fc.array(fc.tuple(arbitraryPod, fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 6,
    });
    const maxNodes = fc.option(fc.integer({ min: -1, max: 6 }));
    fc.assert(
      fc.property(templates, kinds, maxNodes, ([node, daemons], pending, limit) => {
        const template: NodeTemplate = { groupId: 'g', node, pods: daemons, source: 'provider' };
        const pods = pending.flatMap(
          ([pod, count]) => Array.from({ length: count }, () => ({ ...pod, charged: null })), // Never ran.
        );
        const { classes } = classifyPods(pods);
        const limits = { maxNodes: limit };
        const { nodeCount, placed } = estimateByRuns(createSnapshot(), template, classes, limits);
        const expected = packOneByOne(new NaiveSnapshot(), template, classes, limits);
        expect({ nodeCount, placed }).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});
