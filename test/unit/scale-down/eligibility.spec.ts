import type { Node } from '../../../src/domain/kubernetes/node.js';
import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import { TO_BE_DELETED_TAINT } from '../../../src/domain/kubernetes/taint.js';
import type { ScaleDownPolicy } from '../../../src/domain/scale-down/index.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';
import { buildNode, MINUTE, T0 } from '../../support/builders.js';
import type { WorldOptions } from './world.js';
import { GPU_LABEL, plan, runningPod, snapshotOf, summary } from './world.js';

const NOT_READY = { ...NO_CONDITIONS, ready: { status: 'False', reason: 'KubeletNotReady', changedMs: T0 } };

/** What becomes of a node of 4 cores and 8 GiB next to a roomy one: its reason, or `unneeded`. */
function verdict(
  node: NodeOptions,
  pods: readonly PodOptions[] = [],
  policy: Partial<ScaleDownPolicy> = {},
  world: Partial<WorldOptions> = {},
): string {
  const subject: Node = buildNode('subject', node);
  const decision = plan(
    {
      nodes: [subject, buildNode('roomy', { cpuMilli: 64_000 })],
      groupOf: { roomy: null },
      pods: pods.map((pod, index) => runningPod(`p${index}`, 'subject', pod)),
      ...world,
    },
    { policy },
  );
  const { unremovable, unneeded } = summary(decision);
  return unneeded.includes('subject') ? 'unneeded' : (unremovable.subject ?? 'unknown');
}

function marked(secondsAgo: number, value?: string): NodeOptions {
  const time = value ?? ((T0 - secondsAgo * 1_000) / 1_000).toString();
  return { taints: [{ key: TO_BE_DELETED_TAINT, value: time, effect: 'NoSchedule' }] };
}

describe('eligibility', () => {
  it.each<[string, NodeOptions, string]>([
    // scale-down 13.4/42
    ['marked a moment ago', marked(1), 'CurrentlyBeingDeleted'],
    ['marked 5 minutes ago', marked(300), 'unneeded'],
    ['with a mark that can not be read', marked(0, 'yesterday'), 'unneeded'],
    // scale-down 13.4/43
    ['annotated against scale-down', { scaleDownDisabled: 'true' }, 'ScaleDownDisabledAnnotation'],
    ['with another value of the annotation', { scaleDownDisabled: 'True' }, 'unneeded'],
    // scale-down 13.4/46
    ['without memory', { memoryBytes: 0 }, 'UnexpectedError'],
    ['without CPU', { cpuMilli: 0 }, 'UnexpectedError'],
    // scale-down 13.4/47
    ['that is not ready', { conditions: NOT_READY }, 'unneeded'],
  ])('a node %s', (_what, options, expected) => {
    expect(verdict(options)).toBe(expected);
  });

  it('keeps unready nodes where they are not scaled down', () => {
    // scale-down 13.4/47
    expect(verdict({ conditions: NOT_READY }, [], { unreadyEnabled: false })).toBe(
      'ScaleDownUnreadyDisabled',
    );
    expect(verdict({}, [], { unreadyEnabled: false })).toBe('unneeded');
  });

  it.each([
    // scale-down 13.4/44
    [2_001, 'NotUnderutilized'],
    // scale-down 13.4/45
    [2_000, 'unneeded'],
  ])('a node of 4 cores of which %i millicores are asked for', (cpuMilli, expected) => {
    expect(verdict({}, [{ cpuMilli }])).toBe(expected);
  });

  it('tells utilization and threshold of a node that is used', () => {
    // scale-down 13.4/44
    const decision = plan({
      nodes: [buildNode('busy')],
      pods: [runningPod('p', 'busy', { cpuMilli: 3_000 })],
    });
    expect(decision.plan.unremovable).toEqual([
      expect.objectContaining({
        nodeName: 'busy',
        groupId: 'ng',
        reason: {
          rule: 'NotUnderutilized',
          text: 'utilization is above the threshold',
          subject: 'cpu',
          asked: 0.75,
          limit: 0.5,
          measure: 'utilization',
        },
      }),
    ]);
    expect(decision.plan.utilization.get('busy')?.value).toBe(0.75);
  });

  describe('of a node filled by DaemonSet pods', () => {
    const daemon: PodOptions = { cpuMilli: 3_000, owner: { kind: 'DaemonSet', apiVersion: 'x/v1' } };

    it.each<[string, Partial<ScaleDownPolicy>, Partial<WorldOptions>, string]>([
      // scale-down 13.4/49
      ['that count', {}, {}, 'NotUnderutilized'],
      ['that are ignored everywhere', { ignoreDaemonSetsUtilization: true }, {}, 'unneeded'],
      [
        'that its group ignores',
        {},
        { groups: { ng: { options: { ignoreDaemonSetsUtilization: true } } } },
        'unneeded',
      ],
      [
        'that its group counts',
        { ignoreDaemonSetsUtilization: true },
        { groups: { ng: { options: { ignoreDaemonSetsUtilization: false } } } },
        'NotUnderutilized',
      ],
      // scale-down 13.4/50
      [
        'that are ignored, with threshold 0',
        { ignoreDaemonSetsUtilization: true, utilizationThreshold: 0 },
        {},
        'unneeded',
      ],
    ])('%s', (_what, policy, world, expected) => {
      expect(verdict({}, [daemon], policy, world)).toBe(expected);
    });
  });

  it.each<[Partial<ScaleDownPolicy>, Record<string, number>, string]>([
    // scale-down 13.11/145
    [{ utilizationThreshold: 0.2 }, {}, 'NotUnderutilized'],
    [{ utilizationThreshold: 0.2 }, { scaleDownUtilizationThreshold: 0.3 }, 'unneeded'],
    [{}, { scaleDownUtilizationThreshold: 0.1 }, 'NotUnderutilized'],
  ])('holds a node at 0.25 against policy %j and group options %j: %s', (policy, options, expected) => {
    expect(verdict({}, [{ cpuMilli: 1_000 }], policy, { groups: { ng: { options } } })).toBe(expected);
  });

  it('holds GPU nodes against their own threshold', () => {
    const node = { labels: { [GPU_LABEL]: 'a100' }, allocatable: { 'nvidia.com/gpu': 4 } };
    const pod = {
      cpuMilli: 10,
      requests: { 'nvidia.com/gpu': 1 },
      owner: { kind: 'DaemonSet', apiVersion: 'x/v1' },
    };
    expect(verdict(node, [pod], { gpuUtilizationThreshold: 0.2 })).toBe('NotUnderutilized');
    expect(verdict(node, [pod], { utilizationThreshold: 0.1 })).toBe('unneeded');
  });

  it('is not given to nodes that the snapshot lacks', () => {
    const nodes = [buildNode('a'), buildNode('b')];
    const decision = plan({ nodes }, { snapshot: snapshotOf({ nodes: [nodes[0]!], pods: [] }) });
    expect(summary(decision).unremovable.b).toBe('UnexpectedError');
  });
});

describe('a recheck', () => {
  const lone = () => buildNode('lone');
  const pod = runningPod('p', 'lone');
  const first = () => plan({ nodes: [lone()], pods: [pod] });

  it('keeps a node unremovable with the first reason until its time is over', () => {
    const { memory, plan: firstPlan } = first();
    expect(firstPlan.unremovable[0]?.reason.rule).toBe('NoPlaceToMovePods');
    const world = { nodes: [lone()], pods: [pod] };
    const second = plan({ ...world, nowMs: T0 + MINUTE }, { memory });
    expect(second.plan.unremovable[0]?.reason).toMatchObject({
      rule: 'RecentlyUnremovable',
      subject: 'default/p',
      text: expect.stringContaining('looked at again in 240s: pod default/p fits on no other node'),
    });
    const third = plan({ ...world, nowMs: T0 + 5 * MINUTE }, { memory: second.memory });
    expect(third.plan.unremovable[0]?.reason.rule).toBe('NoPlaceToMovePods');
  });

  it('ends early when a node joins or a pod leaves', () => {
    const { memory } = first();
    const nodes = [lone(), buildNode('new')];
    const joined = plan({ nodes, groupOf: { new: null }, pods: [pod], nowMs: T0 + MINUTE }, { memory });
    expect(summary(joined).unneeded).toContain('lone');
    const left = plan({ nodes: [lone()], nowMs: T0 + MINUTE }, { memory });
    expect(summary(left).unneeded).toEqual(['lone']);
    expect(left.memory.rechecks).toEqual({});
  });

  it('ends early when the blocking pod leaves', () => {
    const blocker = runningPod('blocker', 'lone', { owner: null });
    const world = { nodes: [lone(), buildNode('other')], groupOf: { other: null } };
    const blocked = plan({ ...world, pods: [blocker] });
    expect(blocked.plan.unremovable.find(({ nodeName }) => nodeName === 'lone')?.blockingPod?.key).toBe(
      'default/blocker',
    );
    const other = runningPod('other', 'lone');
    const after = plan({ ...world, pods: [other], nowMs: T0 + MINUTE }, { memory: blocked.memory });
    expect(summary(after).unneeded).toContain('lone');
  });

  it('is kept only while its deadline is ahead and its node exists', () => {
    // scale-down 13.3/40
    const { memory } = first();
    const recheck = memory.rechecks.lone!;
    const rechecks = {
      lone: recheck,
      past: { ...recheck, deadlineMs: T0 },
      gone: recheck,
    };
    const nodes = [lone(), buildNode('past', { scaleDownDisabled: 'true' })];
    const after = plan(
      { nodes, pods: [pod, runningPod('q', 'past')] },
      { memory: { ...memory, rechecks: { ...rechecks, lone: { ...recheck, nodeCount: 2 } } } },
    );
    expect(Object.keys(after.memory.rechecks)).toEqual(['lone']);
  });
});
