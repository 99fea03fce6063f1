import type { Pod, SchedulingState } from '../../../src/domain/kubernetes/pod.js';
import {
  DEFAULT_PENDING_PODS_POLICY,
  fillSnapshot,
  findPendingPods,
  noTimeLimit,
  runToEnd,
  triagePods,
} from '../../../src/domain/scale-up/index.js';
import type { PendingPods, PendingPodsInput, PendingPodsPolicy } from '../../../src/domain/scale-up/index.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/index.js';
import { MINUTE, T0, buildNode, buildPod } from '../../support/builders.js';

const names = (pods: readonly Pod[]) => pods.map((pod) => pod.name);
type TriagePolicy = Pick<PendingPodsPolicy, 'allowedSchedulers' | 'bypassedSchedulers'>;
const ANY: TriagePolicy = { allowedSchedulers: [], bypassedSchedulers: [] };

function snapshotOf(...nodes: Parameters<typeof buildNode>[]): ClusterSnapshot {
  const snapshot = createSnapshot();
  for (const node of nodes) snapshot.addNode(buildNode(...node));
  return snapshot;
}

interface Options extends Partial<PendingPodsInput> {
  policy?: Partial<PendingPodsPolicy>;
}

function find(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  { policy, ...input }: Options = {},
): PendingPods {
  return runToEnd(
    findPendingPods(
      {
        nowMs: T0,
        snapshot,
        triaged: { scheduled: [], unschedulable: pods, unprocessed: [] },
        drainedNodes: [],
        hints: {},
        startTimer: noTimeLimit,
        ...input,
      },
      { ...DEFAULT_PENDING_PODS_POLICY, ...policy },
    ),
  );
}

describe('room that expendable pods take up', () => {
  const low = buildPod('low', { nodeName: 'n', cpuMilli: 3_000, shape: { priority: -20 } });
  const kept = (pod: Pod): readonly string[] => {
    const options = { triaged: { scheduled: [low], unschedulable: [pod], unprocessed: [] } };
    return find(snapshotOf(['n']), [], options).pods.map(({ name }) => name);
  };
  const waiting = (shape: object, cpuMilli = 2_000): Pod => buildPod('p', { cpuMilli, shape });

  // case U097
  it.each([
    ['is free for a pod that preempts', waiting({}), []],
    ['is not free for one that may not', waiting({ preemptionPolicy: 'Never' }), ['p']],
    ['leaves the rest to one that may not', waiting({ preemptionPolicy: 'Never' }, 1_000), []],
  ])('%s', (_what, pod, expected) => {
    expect(kept(pod)).toEqual(expected);
  });

  it('is not free for a pod of no higher priority', () => {
    const even = buildPod('even', { nodeName: 'n', cpuMilli: 3_000, shape: { priority: 5 } });
    const options = { triaged: { scheduled: [even], unschedulable: [waiting({})], unprocessed: [] } };
    const policy = { expendablePriorityCutoff: 10 };
    expect(find(snapshotOf(['n']), [], { ...options, policy }).pods).toHaveLength(1);
  });

  it('is not given to two pods that may not preempt', () => {
    const shape = { preemptionPolicy: 'Never' };
    const pair = ['p', 'q'].map((name) => buildPod(name, { cpuMilli: 1_000, shape }));
    const triaged = { scheduled: [low], unschedulable: pair, unprocessed: [] };
    expect(find(snapshotOf(['n']), [], { triaged }).pods.map(({ name }) => name)).toEqual(['q']);
  });
});

describe('triage of listed pods', () => {
  const kindOf = (pod: Pod, policy = ANY) => {
    const triaged = triagePods([pod], policy);
    return (
      (Object.keys(triaged) as (keyof typeof triaged)[]).find((kind) => triaged[kind].length > 0) ?? 'ignored'
    );
  };
  const state = (scheduling: SchedulingState) => buildPod('p', { scheduling });

  // scheduling 6.L/138-142, scale-up 14/79
  it.each<[string, Pod, string]>([
    ['a terminating pod on a node', buildPod('p', { nodeName: 'n', deletionMs: T0 }), 'scheduled'],
    ['a terminating pod without node', buildPod('p', { deletionMs: T0 }), 'ignored'],
    ['a nominated pod', buildPod('p', { nominatedNodeName: 'n' }), 'nominated'],
    ['an unschedulable pod', state('unschedulable'), 'unschedulable'],
    ['a gated pod', state('other'), 'ignored'],
    ['a pod that the scheduler has not seen', state('absent'), 'ignored'],
  ])('%s', (_, pod, kind) => {
    expect(kindOf(pod)).toBe(kind);
  });

  // scheduling 6.L/143, scale-up 14/81
  it('takes unseen pods of bypassed schedulers', () => {
    const mine = { ...ANY, bypassedSchedulers: ['mine', 'default-scheduler'] };
    const of = (schedulerName: string, scheduling: SchedulingState = 'absent') =>
      buildPod('p', { scheduling, shape: { schedulerName } });
    expect(kindOf(of('mine'), mine)).toBe('unprocessed');
    expect(kindOf(of('mine', 'false-without-reason'), mine)).toBe('unprocessed');
    expect(kindOf(of('mine', 'other'), mine)).toBe('ignored');
    expect(kindOf(of(''), mine)).toBe('unprocessed');
    expect(kindOf(of('theirs'), mine)).toBe('ignored');
  });

  // scale-up 15/25
  it('ignores pending pods of other schedulers but not the room that their pods take', () => {
    const policy = { ...ANY, allowedSchedulers: ['mine'] };
    expect(kindOf(buildPod('p'), policy)).toBe('ignored');
    expect(kindOf(buildPod('p', { nodeName: 'n' }), policy)).toBe('scheduled');
    expect(kindOf(buildPod('p', { shape: { schedulerName: 'mine' } }), policy)).toBe('unschedulable');
  });
});

describe('filling a snapshot', () => {
  // scheduling 6.L/140, 6.L/145, scale-up 14/79
  it('charges scheduled and nominated pods, leaves out expendable ones, doubles and orphans', () => {
    const snapshot = createSnapshot();
    const twice = buildPod('twice', { nodeName: 'n' });
    const pods = [
      twice,
      twice,
      buildPod('dying', { nodeName: 'n', deletionMs: T0 }),
      buildPod('nominated', { nominatedNodeName: 'n' }),
      buildPod('orphan', { nodeName: 'gone' }),
      buildPod('lost', { nominatedNodeName: 'gone' }),
      buildPod('expendable', { nodeName: 'n', shape: { priority: -11 } }),
      buildPod('lowest', { nodeName: 'n', shape: { priority: -10 } }),
    ];
    runToEnd(fillSnapshot(snapshot, [buildNode('n'), buildNode('n')], triagePods(pods, ANY), -10));
    expect(names(snapshot.podsOn('n'))).toEqual(['twice', 'dying', 'lowest', 'nominated']);
  });

  it('can be interrupted after each 64 nodes', () => {
    const nodes = Array.from({ length: 640 }, (_, index) => buildNode(`n${index}`));
    const filling = fillSnapshot(createSnapshot(), nodes, { scheduled: [], nominated: [] }, -10);
    expect([...filling]).toHaveLength(10);
  });
});

describe('placing on free room', () => {
  // scale-up 14/89
  it('leaves what does not fit', () => {
    const snapshot = snapshotOf(['n', { cpuMilli: 2000 }]);
    const pods = [200, 500, 1800].map((cpuMilli) => buildPod(`p${cpuMilli}`, { cpuMilli }));
    expect(names(find(snapshot, pods).pods)).toEqual(['p1800']);
    expect(names(snapshot.podsOn('n'))).toEqual(['p200', 'p500']);
  });

  // scale-up 14/89
  it('gives the highest priority the first pick', () => {
    const snapshot = snapshotOf(['n', { cpuMilli: 2000 }]);
    const pods = [
      buildPod('none', { cpuMilli: 200 }),
      buildPod('ten', { cpuMilli: 500, shape: { priority: 10 } }),
      buildPod('twenty', { cpuMilli: 1800, shape: { priority: 20 } }),
    ];
    expect(names(find(snapshot, pods).pods)).toEqual(['ten']);
    expect(names(snapshot.podsOn('n'))).toEqual(['twenty', 'none']);
  });

  it('uses neither cordoned nor virtual nodes', () => {
    const snapshot = snapshotOf(
      ['cordoned', { unschedulable: true }],
      ['virtual', { labels: { type: 'virtual-kubelet' } }],
    );
    expect(names(find(snapshot, [buildPod('p')]).pods)).toEqual(['p']);
  });

  // scheduling 6.L/152, 6.L/153
  it('tries the place of last time first, and searches when that is gone or full', () => {
    const pod = buildPod('p', { cpuMilli: 3000 });
    const three = () => snapshotOf(['a'], ['b'], ['c']);
    const hinted = three();
    expect(find(hinted, [pod], { hints: { [pod.uid]: 'c' } }).hints).toEqual({ [pod.uid]: 'c' });
    expect(names(hinted.podsOn('c'))).toEqual(['p']);
    expect(find(three(), [pod], { hints: { [pod.uid]: 'gone' } }).pods).toEqual([]);
    const full = three();
    full.addPod(buildPod('busy', { cpuMilli: 2000, nodeName: 'c' }), 'c');
    expect(find(full, [pod], { hints: { [pod.uid]: 'c' } }).pods).toEqual([]);
    // A pass without use forgets the hint.
    expect(find(three(), [], { hints: { [pod.uid]: 'c' } }).hints).toEqual({});
  });

  it('lets pods with a hint keep their place before others search', () => {
    const searching = buildPod('searching', { cpuMilli: 4000 });
    const hinted = buildPod('hinted', { cpuMilli: 4000 });
    const snapshot = snapshotOf(['n']);
    const { pods } = find(snapshot, [searching, hinted], { hints: { [hinted.uid]: 'n' } });
    expect(names(pods)).toEqual(['searching']);
  });

  // scale-up 14/90
  it('drops pods that the time does not suffice for, with graceful degradation only', () => {
    const snapshot = snapshotOf(['n']);
    const startTimer = () => () => true;
    const policy = { gracefulDegradation: true };
    expect(find(snapshot, [buildPod('p')], { startTimer, policy })).toMatchObject({
      pods: [],
      unexamined: 1,
    });
    expect(find(snapshot, [buildPod('p')], { startTimer })).toMatchObject({ unexamined: 0 });
  });
});

describe('pods that ask for new nodes', () => {
  // scale-up 14/79, scheduling 6.L/145
  it('are not expendable', () => {
    const priority = (value: number | null) =>
      buildPod(`p${value}`, { cpuMilli: 9000, shape: { priority: value } });
    const { pods } = find(snapshotOf(['n']), [priority(-11), priority(-10), priority(null)]);
    expect(names(pods).sort()).toEqual(['p-10', 'pnull']);
  });

  // scheduling 6.L/146
  it('are not DaemonSet pods, though these take room first', () => {
    const daemon = buildPod('daemon', { cpuMilli: 4000, owner: { kind: 'DaemonSet' } });
    const marked = buildPod('marked', { cpuMilli: 9000, shape: { directives: { daemonSetPod: 'true' } } });
    const app = buildPod('app', { cpuMilli: 4000 });
    expect(names(find(snapshotOf(['n']), [daemon, marked, app]).pods)).toEqual(['app']);
  });

  // scale-up 14/91
  it('include pods of nodes that are being drained', () => {
    const snapshot = snapshotOf(['full', { cpuMilli: 100 }]);
    const on = { nodeName: 'drained', cpuMilli: 500 };
    snapshot.addNode(buildNode('drained', { unschedulable: true }), [
      buildPod('moves', on),
      buildPod('dying', { ...on, deletionMs: T0 }),
      buildPod('daemon', { ...on, owner: { kind: 'DaemonSet' } }),
      buildPod('mirror', { ...on, shape: { directives: { mirror: '' } } }),
      buildPod('static', { ...on, shape: { directives: { configSource: 'file' } } }),
      buildPod('expendable', { ...on, shape: { priority: -20 } }),
    ]);
    const { pods } = find(snapshot, [], { drainedNodes: ['drained', 'vanished'] });
    expect(pods.map(({ name, nodeName }) => [name, nodeName])).toEqual([['moves', '']]);
  });

  // scale-up 14/83
  it('are older than their delay', () => {
    const pod = (name: string, ageMs: number, scaleUpDelay?: string) =>
      buildPod(name, {
        cpuMilli: 9000,
        createdMs: T0 - ageMs,
        shape: { directives: scaleUpDelay === undefined ? {} : { scaleUpDelay } },
      });
    const pods = [
      pod('now', 0),
      pod('minute', MINUTE),
      pod('waits', MINUTE, '5m'),
      pod('waited', 5 * MINUTE + 1, '5m'),
      pod('broken', MINUTE, 'soon'),
    ];
    const plain = find(snapshotOf(), pods);
    expect(names(plain.pods)).toEqual(['minute', 'waited', 'broken']);
    expect(plain.faults).toEqual(['default/broken: scale-up delay "soon" is no duration, the flag is used']);
    const policy = { newPodScaleUpDelayMs: 5 * MINUTE };
    const delayed = find(snapshotOf(), [...pods, pod('short', 5 * MINUTE, '1m')], { policy });
    expect(names(delayed.pods)).toEqual(['waited']);
    expect(delayed.faults).toHaveLength(2);
  });
});
