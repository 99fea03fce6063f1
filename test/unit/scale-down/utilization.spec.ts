import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { UtilizationRules } from '../../../src/domain/scale-down/utilization.js';
import { nodeUtilization } from '../../../src/domain/scale-down/utilization.js';
import { buildNode, buildPod, T0 } from '../../support/builders.js';
import { GPU_LABEL } from './world.js';

const NODE = buildNode('n', { cpuMilli: 2_000, memoryBytes: 2_000_000 });
const worker = (name: string) => buildPod(name, { cpuMilli: 100, memoryBytes: 200_000, nodeName: 'n' });
const MIRROR = buildPod('m', { memoryBytes: 200_000, shape: { directives: { mirror: 'x' } } });
const DAEMON = buildPod('d', { memoryBytes: 200_000, owner: { kind: 'DaemonSet' } });

function utilization(node: Node, pods: readonly Pod[], rules: Partial<UtilizationRules> = {}) {
  return nodeUtilization(node, pods, {
    nowMs: T0,
    ignoreDaemonSets: false,
    ignoreMirrorPods: false,
    gpuLabel: GPU_LABEL,
    ...rules,
  });
}

describe('utilization of CPU and memory', () => {
  it('is the larger of both shares', () => {
    // scale-down 13.5/51
    const result = utilization(NODE, [worker('a'), worker('b')]);
    expect(result).toEqual({ cpu: 0.1, memory: 0.2, gpu: 0, resource: 'memory', value: 0.2 });
  });

  it('leaves ignored mirror pods out of both sides', () => {
    // scale-down 13.5/52
    const pods = [worker('a'), worker('b'), MIRROR];
    expect(utilization(NODE, pods, { ignoreMirrorPods: true })?.value).toBeCloseTo(2 / 9, 10);
    expect(utilization(NODE, pods)?.value).toBeCloseTo(0.3, 10);
  });

  it('leaves ignored DaemonSet pods out of both sides', () => {
    // scale-down 13.5/53
    const pods = [worker('a'), DAEMON, MIRROR];
    const rules = { ignoreDaemonSets: true, ignoreMirrorPods: true };
    expect(utilization(NODE, pods, rules)?.value).toBeCloseTo(1 / 8, 10);
  });

  it('does not count a pod that should be gone, and counts one that still shuts down', () => {
    // scale-down 13.5/54
    const leaving = (secondsAgo: number) => ({ ...worker('t'), deletionMs: T0 - secondsAgo * 1_000 });
    expect(utilization(NODE, [worker('a'), leaving(90)])?.value).toBeCloseTo(0.1, 10);
    expect(utilization(NODE, [worker('a'), leaving(10)])?.value).toBeCloseTo(0.2, 10);
  });

  it('counts the effective request, however large the init step makes it', () => {
    // scale-down 13.5/55
    const pod = buildPod('init', { cpuMilli: 50_250, memoryBytes: 1 });
    expect(utilization(NODE, [pod])?.cpu).toBe(25.125);
  });

  it('counts what a resized pod is charged', () => {
    const pod = { ...worker('a'), charged: new Map([['cpu', 1_000]]) };
    expect(utilization(NODE, [pod])?.cpu).toBe(0.5);
  });

  it('can not be told without CPU or memory', () => {
    expect(utilization(buildNode('n', { memoryBytes: 0 }), [])).toBeNull();
    expect(utilization(buildNode('n', { cpuMilli: 0 }), [])).toBeNull();
  });

  it('names memory on a tie', () => {
    expect(utilization(NODE, [])?.resource).toBe('memory');
  });

  it('is infinite where ignored pods leave nothing, and 0 where nothing is asked either', () => {
    const filling = buildPod('d', { cpuMilli: 2_000, memoryBytes: 2_000_000, owner: { kind: 'DaemonSet' } });
    const rules = { ignoreDaemonSets: true };
    expect(utilization(NODE, [filling], rules)?.value).toBe(0);
    expect(utilization(NODE, [filling, worker('a')], rules)?.value).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('utilization of GPU nodes', () => {
  const gpuNode = (gpus: number) =>
    buildNode('g', { labels: { [GPU_LABEL]: 'a100' }, allocatable: { 'nvidia.com/gpu': gpus } });

  it('is 0 while the driver shows no device, so that a broken node can go', () => {
    // scale-down 13.5/56
    expect(utilization(gpuNode(0), [buildPod('p', { cpuMilli: 4_000 })])?.value).toBe(0);
  });

  it('looks at GPUs only', () => {
    // scale-down 13.5/57
    const pod = buildPod('p', { cpuMilli: 4_000, requests: { 'nvidia.com/gpu': 1 } });
    expect(utilization(gpuNode(4), [pod])).toEqual({
      cpu: 0,
      memory: 0,
      gpu: 0.25,
      resource: 'nvidia.com/gpu',
      value: 0.25,
    });
  });
});
