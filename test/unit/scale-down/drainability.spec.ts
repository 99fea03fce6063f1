import type { Pod, PodVolume } from '../../../src/domain/kubernetes/pod.js';
import type { Workload } from '../../../src/domain/kubernetes/workload.js';
import type { DrainContext, DrainRule } from '../../../src/domain/scale-down/index.js';
import {
  collectPods,
  DEFAULT_SCALE_DOWN_POLICY,
  DisruptionTracker,
  WorkloadIndex,
} from '../../../src/domain/scale-down/index.js';
import { DRAINABILITY_RULES, judgeDrainability } from '../../../src/domain/scale-down/drainability/rules.js';
import type { PodOptions } from '../../support/builders.js';
import { buildPod, MINUTE, T0 } from '../../support/builders.js';
import { buildBudget, buildWorkload } from './world.js';

const HOUR = 60 * MINUTE;

function context(fields: Partial<DrainContext> & { workloads?: WorkloadIndex | null } = {}): DrainContext {
  return {
    nowMs: T0,
    policy: DEFAULT_SCALE_DOWN_POLICY,
    workloads: new WorkloadIndex(KNOWN),
    budgets: new DisruptionTracker([]),
    ...fields,
  };
}

const KNOWN: readonly Workload[] = (
  ['ReplicationController', 'ReplicaSet', 'Job', 'StatefulSet'] as const
).flatMap((kind) => [
  buildWorkload('owner', { kind }),
  buildWorkload('owner', { kind, namespace: 'kube-system' }),
]);

/** `movable`, `skipped`, `waits`, `daemon-set`, or the blocking reason. */
function judge(pod: Pod, judgeContext = context()): string {
  const pods = collectPods([pod], judgeContext);
  if (pods.blocked) return pods.blocker.reason;
  if (pods.toMove.length > 0) return 'movable';
  if (pods.daemonSet.length > 0) return 'daemon-set';
  return pods.onCompletion.length > 0 ? 'waits' : 'skipped';
}

function pod(options: PodOptions = {}): Pod {
  return buildPod('p', {
    nodeName: 'n',
    owner: { kind: 'ReplicaSet' },
    createdMs: T0 - 2 * HOUR,
    ...options,
  });
}

function safeToEvict(value: string): PodOptions {
  return { shape: { directives: { safeToEvict: value } } };
}

function volumes(list: readonly PodVolume[], evictable?: string): PodOptions {
  const directives = evictable === undefined ? {} : { safeToEvictLocalVolumes: evictable };
  return { shape: { volumes: list, directives } };
}

const EMPTY_DIR: PodVolume = { name: 'scratch', kind: 'emptyDir' };
const HOST_PATH: PodVolume = { name: 'logs', kind: 'hostPath' };

describe('rules about controllers', () => {
  it.each([
    // scale-down 13.7/74
    ['a pod without controller', pod({ owner: null }), 'NotReplicated'],
    [
      'a pod without controller that is safe to evict',
      pod({ owner: null, ...safeToEvict('true') }),
      'movable',
    ],
    // scale-down 13.7/75
    ['a pod of a ReplicationController', pod({ owner: { kind: 'ReplicationController' } }), 'movable'],
    ['a pod of a ReplicaSet', pod(), 'movable'],
    ['a pod of a Job', pod({ owner: { kind: 'Job', apiVersion: 'batch/v1' } }), 'movable'],
    ['a pod of a StatefulSet', pod({ owner: { kind: 'StatefulSet' } }), 'movable'],
    // scale-down 13.7/76
    ['a pod whose ReplicaSet is missing', pod({ owner: { name: 'gone' } }), 'ControllerNotFound'],
    ['a pod whose Job is missing', pod({ owner: { kind: 'Job', name: 'gone' } }), 'ControllerNotFound'],
    [
      'a pod whose StatefulSet is missing',
      pod({ owner: { kind: 'StatefulSet', name: 'gone' } }),
      'ControllerNotFound',
    ],
    [
      'a pod whose controller is missing although it is safe to evict',
      pod({ owner: { name: 'gone' }, ...safeToEvict('true') }),
      'ControllerNotFound',
    ],
    // scale-down 13.7/79
    [
      'a StatefulSet pod of a foreign group',
      pod({ owner: { kind: 'StatefulSet', apiVersion: 'foreign.example/v1', name: 'gone' } }),
      'movable',
    ],
    [
      'a DaemonSet pod of a foreign group',
      pod({ owner: { kind: 'DaemonSet', apiVersion: 'foreign.example/v1', name: 'gone' } }),
      'daemon-set',
    ],
    [
      'a DaemonSet pod whose DaemonSet is missing',
      pod({ owner: { kind: 'DaemonSet' } }),
      'ControllerNotFound',
    ],
    [
      'a pod whose controller version can not be parsed',
      pod({ owner: { apiVersion: 'a/b/c', name: 'gone' } }),
      'movable',
    ],
    // scale-down 13.7/80
    ['a pod of an unknown controller', pod({ owner: { kind: 'GameServer' } }), 'NotReplicated'],
  ])('%s', (_what, subject, expected) => {
    expect(judge(subject)).toBe(expected);
  });

  it('lets pods of a terminating ReplicaSet move', () => {
    // scale-down 13.7/78
    const workloads = new WorkloadIndex([buildWorkload('owner', { terminating: true })]);
    expect(judge(pod(), context({ workloads }))).toBe('movable');
  });

  it('keeps pods of a ReplicaSet below the minimum of replicas', () => {
    // scale-down 13.7/77
    const workloads = new WorkloadIndex([buildWorkload('owner', { replicas: 1 })]);
    const policy = { ...DEFAULT_SCALE_DOWN_POLICY, minReplicaCount: 2 };
    expect(judge(pod(), context({ workloads, policy }))).toBe('MinReplicasReached');
    const ignoring = { ...policy, skipNodesWithCustomControllerPods: false };
    expect(judge(pod(), context({ workloads, policy: ignoring }))).toBe('movable');
  });

  it('takes any controller while custom controllers are not skipped', () => {
    // scale-down 13.7/80
    const policy = { ...DEFAULT_SCALE_DOWN_POLICY, skipNodesWithCustomControllerPods: false };
    expect(judge(pod({ owner: { kind: 'GameServer' } }), context({ policy }))).toBe('movable');
    expect(judge(pod({ owner: null }), context({ policy }))).toBe('NotReplicated');
  });

  it('does not look for controllers where none are known', () => {
    expect(judge(pod({ owner: { name: 'gone' } }), context({ workloads: null }))).toBe('movable');
  });
});

describe('rules about kinds of pods', () => {
  it.each([
    // scale-down 13.7/81
    [
      'daemonset-pod "true"',
      pod({ owner: null, shape: { directives: { daemonSetPod: 'true' } } }),
      'daemon-set',
    ],
    [
      'daemonset-pod "yes"',
      pod({ owner: null, shape: { directives: { daemonSetPod: 'yes' } } }),
      'NotReplicated',
    ],
    [
      'a DaemonSet pod that is not safe to evict',
      pod({ owner: { kind: 'DaemonSet', apiVersion: 'x/v1' }, ...safeToEvict('false') }),
      'daemon-set',
    ],
    // scale-down 13.7/94
    [
      'owner kind DaemonSet of any group',
      pod({ owner: { kind: 'DaemonSet', apiVersion: 'x/v1' } }),
      'daemon-set',
    ],
    // scale-down 13.7/82
    ['a mirror pod', pod({ owner: null, shape: { directives: { mirror: '' } } }), 'skipped'],
    // scale-down 13.7/87
    ['safe-to-evict "false"', pod(safeToEvict('false')), 'NotSafeToEvictAnnotation'],
    // scale-down 13.7/88
    ['safe-to-evict "on-completion"', pod({ owner: null, ...safeToEvict('on-completion') }), 'waits'],
    ['another value of safe-to-evict', pod(safeToEvict('maybe')), 'movable'],
    // scale-down 13.7/89
    ['a failed pod', pod({ owner: null, phase: 'Failed' }), 'movable'],
    [
      'a succeeded pod that is not restarted',
      pod({ owner: null, phase: 'Succeeded', shape: { restartPolicy: 'Never' } }),
      'movable',
    ],
    ['a succeeded pod that is restarted', pod({ owner: null, phase: 'Succeeded' }), 'NotReplicated'],
  ])('%s', (_what, subject, expected) => {
    expect(judge(subject)).toBe(expected);
  });

  it.each([
    // scale-down 13.7/90
    ['grace 0, deleted 60 s ago', 0, 60, 'skipped'],
    ['grace 0, deleted just now', 0, 0, 'movable'],
    // scale-down 13.7/91
    ['grace 2 m, deleted 60 s ago', 120, 60, 'movable'],
    ['grace 2 m, deleted 3 m ago', 120, 180, 'skipped'],
    ['default grace, deleted 90 s ago', null, 90, 'skipped'],
    ['default grace, deleted exactly 60 s ago', null, 60, 'movable'],
  ])('long termination: %s', (_what, grace, secondsAgo, expected) => {
    const shape = { terminationGracePeriodSeconds: grace };
    expect(judge(pod({ shape, deletionMs: T0 - secondsAgo * 1_000 }))).toBe(expected);
  });
});

describe('rules about system pods, storage and budgets', () => {
  const systemPod = (ageMs: number) =>
    pod({ namespace: 'kube-system', labels: { app: 'dns' }, createdMs: T0 - ageMs });
  const budgets = (labels: Record<string, string>, namespace: string, left = 1) =>
    new DisruptionTracker([buildBudget('b', left, labels, { namespace })]);

  it.each([
    // scale-down 13.7/83
    ['young without budget', systemPod(HOUR), context(), 'UnmovableKubeSystemPod'],
    ['older than an hour', systemPod(HOUR + 1), context(), 'movable'],
    [
      'young with budget',
      systemPod(0),
      context({ budgets: budgets({ app: 'dns' }, 'kube-system') }),
      'movable',
    ],
    [
      'young with a budget of another namespace',
      systemPod(0),
      context({ budgets: budgets({ app: 'dns' }, 'default') }),
      'UnmovableKubeSystemPod',
    ],
    // scale-down 13.7/84
    [
      'young with a budget for other pods',
      systemPod(0),
      context({ budgets: budgets({ app: 'other' }, 'kube-system') }),
      'UnmovableKubeSystemPod',
    ],
    [
      'young while system pods are not skipped',
      systemPod(0),
      context({ policy: { ...DEFAULT_SCALE_DOWN_POLICY, skipNodesWithSystemPods: false } }),
      'movable',
    ],
  ])('system pod %s', (_what, subject, judgeContext, expected) => {
    expect(judge(subject, judgeContext)).toBe(expected);
  });

  it.each([
    // scale-down 13.7/85
    ['an emptyDir', volumes([EMPTY_DIR]), 'LocalStorageRequested'],
    ['a hostPath', volumes([HOST_PATH]), 'LocalStorageRequested'],
    ['an emptyDir in memory', volumes([{ name: 'm', kind: 'memoryEmptyDir' }]), 'movable'],
    ['a claim', volumes([{ name: 'c', kind: 'claim' }]), 'movable'],
    ['local volumes that may all be lost', volumes([EMPTY_DIR, HOST_PATH], 'scratch,logs'), 'movable'],
    [
      'local volumes of which one may be lost',
      volumes([EMPTY_DIR, HOST_PATH], 'scratch'),
      'LocalStorageRequested',
    ],
    ['an empty list of volumes that may be lost', volumes([EMPTY_DIR], ''), 'LocalStorageRequested'],
    ['a list with spaces', volumes([EMPTY_DIR, HOST_PATH], 'logs, scratch'), 'LocalStorageRequested'],
    ['a list of other names', volumes([EMPTY_DIR], 'wrong'), 'LocalStorageRequested'],
  ])('pod with %s', (_what, options, expected) => {
    expect(judge(pod(options))).toBe(expected);
  });

  it.each([
    // scale-down 13.7/86
    ['without disruptions left', 0, 'default', 'NotEnoughPdb'],
    ['with one left', 1, 'default', 'movable'],
    ['of another namespace', 0, 'elsewhere', 'movable'],
  ])('budget %s', (_what, left, namespace, expected) => {
    const judgeContext = context({ budgets: budgets({ app: 'web' }, namespace, left) });
    expect(judge(pod({ labels: { app: 'web' } }), judgeContext)).toBe(expected);
  });

  it('lets the owner override budgets, storage and missing replication', () => {
    const subject = pod({
      owner: null,
      labels: { app: 'web' },
      shape: { volumes: [EMPTY_DIR], directives: { safeToEvict: 'true' } },
    });
    const judgeContext = context({ budgets: budgets({ app: 'web' }, 'default', 0) });
    expect(judge(subject, judgeContext)).toBe('movable');
  });
});

describe('own rules', () => {
  const allow: DrainRule = () => ({ kind: 'drain' });
  const forbid: DrainRule = () => ({ kind: 'block', reason: 'UnexpectedError', details: '' });
  const silent: DrainRule = () => undefined;
  const loner = pod({ owner: null });

  it.each([
    // scale-down 13.7/92
    ['allow what the stock rules forbid', allow, loner, 'drain'],
    ['forbid what the stock rules allow', forbid, pod(), 'block'],
    ['leave the decision to the stock rules', silent, loner, 'block'],
  ])('%s', (_what, rule, subject, expected) => {
    const verdict = judgeDrainability(subject, context(), [rule, ...DRAINABILITY_RULES]);
    expect(verdict?.kind).toBe(expected);
  });

  it('decide by their order: the first that speaks is the last that is asked', () => {
    // scale-down 13.7/93: what overrides another rule stands before it
    const unreached = (): never => {
      throw new Error('asked');
    };
    expect(judgeDrainability(pod(), context(), [silent, allow, forbid, unreached])?.kind).toBe('drain');
    expect(judgeDrainability(pod(), context(), [silent, forbid, allow, unreached])?.kind).toBe('block');
    const waiting = pod({ owner: null, shape: { directives: { safeToEvict: 'on-completion' } } });
    expect(judgeDrainability(waiting, context())?.kind).toBe('wait');
  });
});

describe('collecting pods', () => {
  it('stops at the first pod that blocks and names it with its reason', () => {
    const blocker = pod(volumes([EMPTY_DIR]));
    const pods = collectPods([pod(), blocker, pod({ owner: null })], context());
    expect(pods).toEqual({
      blocked: true,
      pod: blocker,
      blocker: {
        uid: blocker.uid,
        key: 'default/p',
        reason: 'LocalStorageRequested',
        details: 'volume scratch',
      },
    });
  });
});
