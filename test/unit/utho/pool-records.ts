import type { PoolRecord, WorkerRecord } from '../../../src/adapters/utho/client/records.js';
import type { PoolSnapshot, Worker } from '../../../src/adapters/utho/state/pool-snapshot.js';

/** Records for tests: say what matters. */
export function workerRecord(id: string, more: Partial<WorkerRecord> = {}): WorkerRecord {
  return {
    ...{ id, hostname: `host-${id}`, status: 'Active', appStatus: 'Installed', planId: '10355' },
    ...{ cpu: 4, ramMb: 8_192, diskGb: 160, cost: 730, message: '' },
    ...more,
  };
}

export function poolRecord(id: string, more: Partial<PoolRecord> = {}): PoolRecord {
  const workers = more.workers ?? [workerRecord('1')];
  return {
    ...{ id, planId: '10355', count: workers.length, autoScale: true, minSize: 1, maxSize: 9 },
    ...{ policyCount: 0, workers, problems: [] },
    ...more,
  };
}

export function worker(id: string, more: Partial<Worker> = {}): Worker {
  const state = more.state ?? 'running';
  return {
    ...{ record: workerRecord(id), name: `host-${id}`, state, failure: null, createdMs: null },
    mayRun: state === 'running',
    ...more,
  };
}

export function snapshot(workers: readonly Worker[], more: Partial<PoolSnapshot> = {}): PoolSnapshot {
  return {
    ...{ id: 'pool-123', planId: '10355', count: workers.length, minSize: 1, maxSize: 9 },
    ...{ workers, unreadable: 0, frozen: null },
    ...more,
  };
}
