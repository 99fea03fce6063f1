import type { CloudFailure, InstanceState } from '../../../domain/node-group/node-group.js';
import type { PoolRecord, WorkerRecord } from '../client/records.js';

/** A worker as last read, with what this adapter knows beside the record. */
export interface Worker {
  readonly record: WorkerRecord;
  /** Its node's name where it has one, else the host name as kubelet writes it. */
  readonly name: string;
  readonly state: InstanceState;
  readonly failure: CloudFailure | null;
  /** When it was ordered, as far as this process saw it. */
  readonly createdMs: number | null;
  /** It has a Kubernetes node, or nobody can tell. */
  readonly mayRun: boolean;
}

/** A pool at one moment. Immutable. */
export interface PoolSnapshot {
  readonly id: string;
  readonly planId: string;
  /** Workers asked for. */
  readonly count: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** Without those that are gone. */
  readonly workers: readonly Worker[];
  /** Workers that exist, but whose records can't be read. */
  readonly unreadable: number;
  /** Why nothing may be changed, or null. */
  readonly frozen: string | null;
}

export interface Bounds {
  readonly minSize: number;
  readonly maxSize: number;
  /** Why they can't be used, or null. */
  readonly problem: string | null;
}

/** The minimum is at least 1 unless the last worker may go: a pool whose count is 0 is removed (`utho` 4.2, 4.9). */
export function boundsOf(record: PoolRecord, allowScaleToZero: boolean): Bounds {
  const minSize = Math.max(record.minSize ?? 0, allowScaleToZero ? 0 : 1);
  const maxSize = record.maxSize ?? 0;
  const problem =
    maxSize >= Math.max(1, minSize)
      ? null
      : `its bounds are unusable: min_size ${record.minSize ?? 'missing'}, max_size ${record.maxSize ?? 'missing'}`;
  return { minSize, maxSize, problem };
}

/** Why a pool is left alone whose record is broken. */
export function unreadable(problem: string): string {
  return `its record can't be read: ${problem}`;
}

/** Workers that count against the target: the platform has them, and they are not on their way out. */
export function livingWorkers(snapshot: PoolSnapshot): readonly Worker[] {
  return snapshot.workers.filter((worker) => worker.state !== 'deleting');
}

export function workerOf(snapshot: PoolSnapshot, workerId: string): Worker | undefined {
  return snapshot.workers.find((worker) => worker.record.id === workerId);
}

/** Gone, or on its way out. While workers can't be read, one that is not there may be one of them. */
export function hasLeft(snapshot: PoolSnapshot, workerId: string): boolean {
  const worker = workerOf(snapshot, workerId);
  return worker === undefined ? snapshot.unreadable === 0 : worker.state === 'deleting';
}

/** After the API confirmed the deletion of a worker: it leaves the target at once (`utho` 4.6). */
export function withDeletion(snapshot: PoolSnapshot, workerId: string): PoolSnapshot {
  const workers = snapshot.workers.map((worker): Worker =>
    worker.record.id === workerId ? { ...worker, state: 'deleting', failure: null } : worker,
  );
  return { ...snapshot, workers, count: Math.max(0, snapshot.count - 1) };
}
