import type { Node } from '../../../src/domain/kubernetes/node.js';
import {
  DEFAULT_TAINT_POLICY,
  RESOURCE_NOT_READY,
  STARTUP_TAINT_REASON,
  withNotReadyCopies,
} from '../../../src/domain/readiness/index.js';
import type { NotReadyRules } from '../../../src/domain/readiness/index.js';
import { taintMetricType } from '../../../src/domain/readiness/taint-classes.js';
import { MINUTE, T0, buildNode } from '../../support/builders.js';

const GPU_LABEL = 'example.com/gpu';
const taint = (key: string) => ({ key, value: '', effect: 'NoSchedule' as const });

function judge(node: Node, rules: Partial<NotReadyRules> = {}): Node {
  return withNotReadyCopies([node], {
    nowMs: T0,
    taints: DEFAULT_TAINT_POLICY,
    gpuLabel: GPU_LABEL,
    groupIdByNode: new Map([[node.name, 'g']]),
    promisedByGroup: new Map(),
    maxNodeStartupTimeMs: () => 15 * MINUTE,
    ...rules,
  })[0]!;
}

const readyReason = (node: Node) => [node.conditions.ready?.status, node.conditions.ready?.reason];

describe('nodes that look ready too early', () => {
  // scale-up 14/94
  it.each([
    ['a built-in startup prefix', 'startup-taint.cluster-autoscaler.kubernetes.io/cni', DEFAULT_TAINT_POLICY],
    ['the deprecated prefix', 'ignore-taint.cluster-autoscaler.kubernetes.io/x', DEFAULT_TAINT_POLICY],
    ['a configured key', 'my-startup', { ...DEFAULT_TAINT_POLICY, startupTaints: ['my-startup'] }],
    ['a configured prefix', 'boot.x/y', { ...DEFAULT_TAINT_POLICY, startupTaintPrefixes: ['boot.x/'] }],
  ])('are not ready with %s', (_, key, taints) => {
    const node = buildNode('n', { taints: [taint(key)], createdMs: T0 - 3 * MINUTE });
    const copy = judge(node, { taints });
    expect(readyReason(copy)).toEqual(['False', STARTUP_TAINT_REASON]);
    expect(copy.conditions.ready?.changedMs).toBe(node.createdMs);
    expect(node.conditions.ready?.status).toBe('True');
  });

  it('stay as they are with status and other taints, or when nothing is odd', () => {
    const node = buildNode('n', {
      taints: [taint('status-taint.cluster-autoscaler.kubernetes.io/s'), taint('dedicated')],
    });
    expect(judge(node)).toBe(node);
  });

  it('are not ready with a GPU label but without GPU', () => {
    const bare = buildNode('n', { labels: { [GPU_LABEL]: 'a100' } });
    const fitted = buildNode('n', { labels: { [GPU_LABEL]: 'a100' }, allocatable: { 'nvidia.com/gpu': 1 } });
    expect(readyReason(judge(bare))).toEqual(['False', RESOURCE_NOT_READY]);
    expect(judge(fitted)).toBe(fitted);
  });

  it('wait for any device that the template promises, but only for the startup time', () => {
    const rules = { promisedByGroup: new Map([['g', new Map([['vendor.io/dev', 1]])]]) };
    const fresh = buildNode('n', { createdMs: T0 - 2 * MINUTE, allocatable: { 'vendor.io/dev': 0 } });
    const old = buildNode('n', { createdMs: T0 - 15 * MINUTE });
    expect(readyReason(judge(fresh, rules))).toEqual(['False', RESOURCE_NOT_READY]);
    expect(judge(old, rules)).toBe(old);
  });

  it('are not looked at when they are cordoned or unready anyway', () => {
    const cordoned = buildNode('n', { unschedulable: true, labels: { [GPU_LABEL]: 'x' } });
    expect(judge(cordoned)).toBe(cordoned);
  });
});

it.each([
  ['ToBeDeletedByClusterAutoscaler', 'ToBeDeletedByClusterAutoscaler'],
  ['node.kubernetes.io/not-ready', 'node.kubernetes.io/not-ready'],
  ['ignore-taint.cluster-autoscaler.kubernetes.io/x', 'ignore-taint.cluster-autoscaler.kubernetes.io/'],
  ['startup-taint.cluster-autoscaler.kubernetes.io/x', 'startup-taint'],
  ['status-taint.cluster-autoscaler.kubernetes.io/x', 'status-taint'],
  ['dedicated', 'other'],
])('taint %s is counted as %s', (key, type) => {
  expect(taintMetricType(taint(key), DEFAULT_TAINT_POLICY)).toBe(type);
});
