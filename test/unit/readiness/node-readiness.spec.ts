import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import type { NodeCondition, NodeConditions } from '../../../src/domain/kubernetes/node.js';
import type { Taint } from '../../../src/domain/kubernetes/taint.js';
import type { MachineExistence } from '../../../src/domain/observation.js';
import { classifyReadiness, rawReadiness } from '../../../src/domain/readiness/node-readiness.js';
import { MINUTE, T0, buildNode } from '../../support/builders.js';

const condition = (status: string, changedMs = T0 - 60 * MINUTE): NodeCondition => ({
  status,
  reason: `Reason${status}`,
  changedMs,
});
const taint = (key: string, timeAddedMs: number | null = null): Taint => ({
  key,
  value: '',
  effect: 'NoSchedule',
  timeAddedMs,
});

describe('raw readiness of a node', () => {
  // scale-down 13.12/165
  it.each<[string, Partial<NodeConditions>, readonly Taint[], boolean]>([
    ['is given with Ready=True alone', {}, [], true],
    ['needs a Ready condition', { ready: null }, [], false],
    ['fails with Ready=False', { ready: condition('False') }, [], false],
    ['fails with Ready=Unknown', { ready: condition('Unknown') }, [], false],
    ['fails under disk pressure', { diskPressure: condition('True') }, [], false],
    ['allows DiskPressure=False', { diskPressure: condition('False') }, [], true],
    ['fails without network', { networkUnavailable: condition('True') }, [], false],
    ['fails with a not-ready taint', {}, [taint('node.kubernetes.io/not-ready')], false],
    ['fails with a disk-pressure taint', {}, [taint('node.kubernetes.io/disk-pressure')], false],
    ['fails with a network taint', {}, [taint('node.kubernetes.io/network-unavailable')], false],
    ['does not mind other taints', {}, [taint('node.kubernetes.io/memory-pressure')], true],
  ])('%s', (_, conditions, taints, ready) => {
    const node = buildNode('n', {
      conditions: { ...NO_CONDITIONS, ready: condition('True'), ...conditions },
      taints,
    });
    expect(rawReadiness(node).ready).toBe(ready);
  });

  it('dates from the latest of conditions and taints that count', () => {
    const node = buildNode('n', {
      conditions: {
        ...NO_CONDITIONS,
        ready: condition('True', T0 - 9 * MINUTE),
        diskPressure: condition('False', T0 - 7 * MINUTE),
        suspended: condition('False', T0 - MINUTE),
      },
      taints: [taint('node.kubernetes.io/not-ready', T0 - 5 * MINUTE), taint('other', T0)],
    });
    expect(rawReadiness(node).changedMs).toBe(T0 - 5 * MINUTE);
  });
});

describe('class of a registered node', () => {
  const classOf = (
    options: Parameters<typeof buildNode>[1],
    existence: MachineExistence = 'exists',
    maxNodeStartupTimeMs = 15 * MINUTE,
  ): string => classifyReadiness(buildNode('n', options), { nowMs: T0, maxNodeStartupTimeMs, existence });
  const down = { ...NO_CONDITIONS, ready: condition('False') };

  // scale-up 14/57
  it('is not-started until the startup time is over, then unready', () => {
    const options = { conditions: down, createdMs: T0 - 30 * MINUTE };
    expect(classOf(options)).toBe('unready');
    expect(classOf(options, 'exists', 35 * MINUTE)).toBe('not-started');
  });

  // scale-up 14/58
  it('stays not-started with a not-ready taint even when Ready is True', () => {
    const options = { createdMs: T0 - MINUTE, taints: [taint('node.kubernetes.io/not-ready')] };
    expect(classOf(options)).toBe('not-started');
    expect(classOf({ createdMs: T0 - MINUTE })).toBe('ready');
  });

  // scale-up 14/61
  it('is deleted when the cloud says so, or by our mark when the cloud does not know', () => {
    const marked = { taints: [taint('ToBeDeletedByClusterAutoscaler')] };
    expect(classOf({}, 'gone')).toBe('deleted');
    expect(classOf(marked, 'unknown')).toBe('deleted');
    expect(classOf(marked, 'exists')).toBe('ready');
    expect(classOf({}, 'unknown')).toBe('ready');
    expect(classOf({}, 'foreign')).toBe('ready');
  });

  // scale-up 14/71
  it('is suspended before it is ready or unready', () => {
    expect(classOf({ conditions: { ...down, suspended: condition('True') } })).toBe('suspended');
    expect(classOf({ conditions: { ...down, suspended: condition('False') } })).toBe('unready');
  });
});
