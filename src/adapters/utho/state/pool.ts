import { default as pLimit } from 'p-limit';
import type { Clock } from '../../../application/ports/clock.js';
import type { NodeGroup, NodeGroupOptions } from '../../../domain/node-group/node-group.js';
import type { PoolRecord } from '../client/records.js';
import type { KubernetesNodes } from './kubernetes-nodes.js';
import { boundsOf, livingWorkers, withDeletion } from './pool-snapshot.js';
import type { PoolSnapshot, Worker } from './pool-snapshot.js';
import { instanceIdOf } from './provider-id.js';
import type { ReleaseBlock } from './release-block.js';
import { Slots } from './slots.js';
import { WorkerMemory } from './worker-memory.js';
import { workerFailure, workerPhase, workerState } from './worker-state.js';

/**
 * A count that we wrote and did not see yet is believed for so long. Our decision: reads lag behind writes by seconds,
 * and the engine asks a second time after its first back-off of five minutes.
 */
const UNSEEN_MS = 10 * 60_000;

export interface PoolSettings {
  readonly allowScaleToZero: boolean;
  readonly options: NodeGroupOptions;
}

/** A growth under way: it shows in the target before anything is sent. */
export interface Reservation {
  /** The absolute count to be written is known now. */
  aim(count: number): void;
  end(): void;
}

/** One node pool across refreshes: the last snapshot, and what this process did and saw beside it. */
export class Pool {
  /** One mutation at a time. */
  readonly lock = pLimit(1);
  /** A mutation is under way: only its own reads may change the snapshot. */
  isChanging = false;
  /** Reads that began before this one know less than we do. */
  freshFrom = 0;
  /** When a worker was last ordered in the place of a dead one. */
  replacedMs = -Infinity;

  private current: PoolSnapshot;
  private readonly memory = new WorkerMemory();
  private readonly slots: Slots;
  private unseen: { count: number; readonly untilMs: number } | null = null;
  private queuedGrowth = 0;
  /** Count that the growth under way is about; 0 where there is none. */
  private aimedAt = 0;
  private block: ReleaseBlock | null = null;

  constructor(
    record: PoolRecord,
    nodes: KubernetesNodes,
    private readonly clock: Clock,
    private readonly settings: PoolSettings,
  ) {
    this.slots = new Slots(record.id);
    this.current = this.snapshotOf(record, nodes);
    this.take(record, nodes, () => null);
  }

  get id(): string {
    return this.current.id;
  }

  get snapshot(): PoolSnapshot {
    return this.current;
  }

  /** Workers asked for, growths under way included. */
  get target(): number {
    return Math.max(this.current.count, this.aimedAt) + this.queuedGrowth;
  }

  /** The count that we wrote and no read has shown yet; 0 where there is none. */
  get unseenCount(): number {
    return this.unseen !== null && this.unseen.untilMs > this.clock.now() ? this.unseen.count : 0;
  }

  /** Null: workers may be released. */
  get releaseBlock(): ReleaseBlock | null {
    return this.block !== null && this.block.untilMs > this.clock.now() ? this.block : null;
  }

  blockReleases(block: ReleaseBlock): void {
    this.block = block;
  }

  /** How a record looks with what is known beside it; changes nothing. */
  snapshotOf(record: PoolRecord, nodes: KubernetesNodes): PoolSnapshot {
    const { minSize, maxSize, problem } = boundsOf(record, this.settings.allowScaleToZero);
    const workers = record.workers
      .map((worker) => this.workerOf(worker, nodes))
      .filter((worker) => worker !== null);
    const { id, planId, count } = record;
    return {
      id,
      planId,
      count,
      minSize,
      maxSize,
      workers,
      unreadable: record.problems.length,
      frozen: problem,
    };
  }

  /** Takes over what was read. */
  adopt(record: PoolRecord, nodes: KubernetesNodes): void {
    const nowMs = this.clock.now();
    this.take(record, nodes, () => nowMs);
  }

  /** Nothing is changed until a refresh shows it whole again. */
  freeze(problem: string): void {
    this.current = { ...this.current, frozen: problem };
  }

  reserve(delta: number): Reservation {
    let [queued, aimed] = [0, 0];
    const change = (nextQueued: number, nextAimed: number): void => {
      this.queuedGrowth += nextQueued - queued;
      this.aimedAt += nextAimed - aimed;
      [queued, aimed] = [nextQueued, nextAimed];
      this.settleSlots(0);
    };
    change(delta, 0);
    return { aim: (count) => change(0, count), end: () => change(0, 0) };
  }

  /** A higher count is about to be written. Returns how to take that back where the API refuses it. */
  expectCount(count: number): () => void {
    const before = this.unseen;
    this.unseen = { count, untilMs: this.clock.now() + UNSEEN_MS };
    return () => {
      this.unseen = before;
    };
  }

  /** The API confirmed the deletion of a worker. */
  acceptDeletion(workerId: string): void {
    this.current = withDeletion(this.current, workerId);
    if (this.unseen !== null) this.unseen.count--;
    this.settleSlots(0);
  }

  /** Placeholders that stand for orders without a record. */
  hasSlot(id: string): boolean {
    return this.slots.has(id);
  }

  /** The count was lowered for these placeholders; the read that shows it is adopted next. */
  withdrawSlots(ids: ReadonlySet<string>): void {
    this.slots.withdraw(ids);
  }

  group(): NodeGroup {
    const { id, minSize, maxSize, workers, frozen } = this.current;
    const targetSize = this.target;
    // Nobody plans what would be refused: a node would be drained for nothing.
    const isHeld = frozen !== null || this.releaseBlock !== null;
    const bounds = {
      minSize: isHeld ? targetSize : minSize,
      maxSize: frozen === null ? maxSize : targetSize,
    };
    const machines = workers.map(({ record, name, state, failure, createdMs }) => ({
      id: instanceIdOf(record.id),
      name,
      state,
      failure,
      createdMs,
    }));
    const orders = this.slots.all().map((slot) => ({
      id: slot.id,
      name: '',
      state: 'creating' as const,
      failure: null,
      createdMs: slot.sinceMs,
    }));
    return { id, ...bounds, targetSize, instances: [...machines, ...orders], options: this.settings.options };
  }

  /** `orderedMs`: for workers that fill no placeholder. */
  private take(record: PoolRecord, nodes: KubernetesNodes, orderedMs: () => number | null): void {
    this.current = this.snapshotOf(record, nodes);
    if (record.count >= this.unseenCount) this.unseen = null;
    const arrivals = livingWorkers(this.current).filter((worker) => !this.memory.isKnown(worker.record.id));
    const filled = [...this.settleSlots(arrivals.length)];
    const listed = this.current.workers.map(({ record: { id, status, appStatus } }) => ({
      id,
      isRunning: workerPhase(status, appStatus) === 'running',
    }));
    this.memory.update(listed, () => filled.shift()?.sinceMs ?? orderedMs());
    this.current = this.snapshotOf(record, nodes);
  }

  private settleSlots(arrivals: number) {
    const existing = livingWorkers(this.current).length + this.current.unreadable;
    const needed = Math.max(0, this.target - existing);
    return this.slots.settle(needed, arrivals, this.clock.now());
  }

  private workerOf(record: PoolRecord['workers'][number], nodes: KubernetesNodes): Worker | null {
    const mayRun = nodes.mayRun(record);
    const phase = workerPhase(record.status, record.appStatus);
    const state = workerState(phase, { wasRunning: this.memory.wasRunning(record.id), hasNode: mayRun });
    if (state === null) return null;
    return {
      record,
      name: nodes.of(record)?.name ?? record.hostname.toLowerCase(),
      state: state.state,
      failure: state.hasFailed ? workerFailure(record.id, record.status, record.message) : null,
      createdMs: this.memory.createdMs(record.id),
      mayRun,
    };
  }
}
