import type { CloudFailure, MachineTemplate, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type {
  CloudProvider,
  GrowthResult,
  MachineReference,
  ReleaseResult,
} from '../../../src/application/ports/cloud-provider.js';
import type {
  ClusterEvent,
  ClusterWriter,
  EventSubject,
} from '../../../src/application/ports/cluster-writer.js';
import type { Logger } from '../../../src/application/ports/logger.js';
import type { MetricLabels, Metrics } from '../../../src/application/ports/metrics.js';
import type { Random } from '../../../src/application/ports/random.js';
import { T0, buildInstance } from '../../support/builders.js';

export const STATUS: EventSubject = {
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'cluster-autoscaler-status',
  uid: 'uid-status',
};

/** How a group answers: accepts so many machines at most, and refuses the rest for a reason. */
export interface Refusal {
  readonly accepts?: number;
  readonly failure: CloudFailure;
}

/** A cloud that reads its own writes and refuses what it is told to refuse. */
export class FakeCloud implements CloudProvider {
  readonly name = 'fake';
  readonly gpuLabel = 'example.com/gpu';
  readonly ignoredSimilarityLabels: readonly string[] = [];
  readonly calls: string[] = [];
  readonly refusals = new Map<string, Refusal>();
  /** Problems of deletion and of lowering targets, by group. */
  readonly problems = new Map<string, CloudFailure>();
  /** Problems of single machines, by instance id. */
  readonly machineProblems = new Map<string, CloudFailure>();
  private serial = 0;

  constructor(private groups: readonly NodeGroup[]) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  nodeGroups(): readonly NodeGroup[] {
    return this.groups;
  }

  nodeGroupIdForNode(): string | null {
    return null;
  }

  existence(): Promise<'unknown'> {
    return Promise.resolve('unknown');
  }

  template(): MachineTemplate {
    throw new CloudError({ kind: 'configuration', code: 'no-template', message: 'no template' });
  }

  increaseSize(groupId: string, delta: number): Promise<GrowthResult> {
    this.calls.push(`increase ${groupId} ${delta}`);
    const refusal = this.refusals.get(groupId);
    const accepted = refusal === undefined ? delta : Math.min(delta, refusal.accepts ?? 0);
    this.change(groupId, (group) => ({
      ...group,
      targetSize: group.targetSize + accepted,
      instances: [...group.instances, ...this.ordered(groupId, accepted)],
    }));
    if (accepted === 0 && refusal !== undefined) throw new CloudError(refusal.failure);
    return Promise.resolve({ accepted, failure: accepted < delta ? refusal!.failure : null });
  }

  deleteInstances(
    groupId: string,
    machines: readonly MachineReference[],
    options: { readonly force: boolean },
  ): Promise<readonly ReleaseResult[]> {
    const named = machines.map((machine) => machine.instanceId).join(',');
    this.calls.push(`delete ${groupId} ${named} ${machines[0]!.cause}${options.force ? ' force' : ''}`);
    this.failIfTold(groupId);
    return Promise.resolve(
      machines.map(({ instanceId }) => ({
        instanceId,
        failure: this.machineProblems.get(instanceId) ?? null,
      })),
    );
  }

  decreaseTargetSize(groupId: string, count: number): Promise<void> {
    this.calls.push(`decrease ${groupId} ${count}`);
    this.failIfTold(groupId);
    this.change(groupId, (group) => ({ ...group, targetSize: group.targetSize - count }));
    return Promise.resolve();
  }

  cleanup(): Promise<void> {
    return Promise.resolve();
  }

  private failIfTold(groupId: string): void {
    const problem = this.problems.get(groupId);
    if (problem !== undefined) throw new CloudError(problem);
  }

  private change(groupId: string, edit: (group: NodeGroup) => NodeGroup): void {
    this.groups = this.groups.map((group) => (group.id === groupId ? edit(group) : group));
  }

  private ordered(groupId: string, count: number) {
    return Array.from({ length: count }, () =>
      buildInstance(`${groupId}-new-${this.serial++}`, { state: 'creating', createdMs: T0 }),
    );
  }
}

/** Collects events; everything else is out of reach for scale-up. */
export class FakeWriter implements ClusterWriter {
  readonly events: ClusterEvent[] = [];

  recordEvent(event: ClusterEvent): void {
    this.events.push(event);
  }

  patchNode = unexpected;
  evict = unexpected;
  isPodGone = unexpected;
  readNode = unexpected;
  podsOn = unexpected;
  writeStatus = unexpected;
  deleteStatus = unexpected;
  flush = unexpected;
}

function unexpected(): never {
  throw new Error('not a thing that scale-up does');
}

export class FakeMetrics implements Metrics {
  readonly counters: Record<string, number> = {};

  add(name: string, amount: number, labels: MetricLabels = {}): void {
    const shown = Object.entries(labels).filter(([, value]) => value !== '');
    const key = [name, ...shown.map(([label, value]) => `${label}=${value}`)].join(' ');
    this.counters[key] = (this.counters[key] ?? 0) + amount;
  }

  set(): void {}
  observe(): void {}
  reset(): void {}
}

export class FakeClock implements Clock {
  yields = 0;

  constructor(
    private nowMs = T0,
    /** Time that passes with each look at the clock. */
    private readonly stepMs = 0,
  ) {}

  now(): number {
    this.nowMs += this.stepMs;
    return this.nowMs;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }

  yield(): Promise<void> {
    this.yields++;
    return Promise.resolve();
  }
}

export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };
export const FIRST: Random = { next: () => 0, hex: (digits) => '0'.repeat(digits) };
