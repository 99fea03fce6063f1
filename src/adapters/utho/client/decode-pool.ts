import { readDecimal, readDigits, readFlag, readInteger, readList, readObject, readText } from './lenient.js';
import type { Members } from './lenient.js';
import type { BrokenPool, PoolRecord, WorkerRecord } from './records.js';

/** Kubernetes is made for 5,000 nodes. A number beyond all reason must not become as many placeholders. */
const COUNT_MAX = 10_000;

/** The id is the pool's key in the answer: the object often does not repeat it. */
export function decodePool(id: string, value: unknown): PoolRecord | BrokenPool {
  const pool = readObject(value);
  if (pool === undefined) return { id, problem: 'it is no object' };
  const count = readInteger(pool['count']);
  if (count === undefined || count < 0 || count > COUNT_MAX) {
    return { id, problem: `its count ${shown(pool['count'])} is not a number of workers` };
  }
  const workers = readList(pool['workers']);
  if (workers === undefined) return { id, problem: `its workers ${shown(pool['workers'])} are no list` };
  const problems: string[] = [];
  return {
    id,
    planId: planOf(pool),
    count,
    autoScale: readFlag(pool['auto_scale']),
    minSize: readInteger(pool['min_size']) ?? readInteger(pool['min_nodes']),
    maxSize: readInteger(pool['max_size']) ?? readInteger(pool['max_nodes']),
    policyCount: readList(pool['policies'])?.length ?? 0,
    workers: decodeWorkers(workers, problems),
    problems,
  };
}

function decodeWorkers(values: readonly unknown[], problems: string[]): readonly WorkerRecord[] {
  const workers = new Map<string, WorkerRecord>();
  values.forEach((value, index) => {
    const worker = readObject(value);
    const id = readDigits(worker?.['cloudid']);
    if (worker === undefined || !/[1-9]/u.test(id)) {
      problems.push(`worker ${index + 1} has no usable cloudid: ${shown(worker?.['cloudid'] ?? value)}`);
    } else if (!workers.has(id)) {
      workers.set(id, decodeWorker(id, worker));
    }
  });
  return [...workers.values()];
}

function decodeWorker(id: string, worker: Members): WorkerRecord {
  return {
    id,
    hostname: readText(worker['hostname']),
    status: readText(worker['status']),
    appStatus: readText(worker['app_status']),
    planId: planOf(worker),
    cpu: readSize(worker['cpu']),
    ramMb: readSize(worker['ram']),
    diskGb: readSize(worker['disksize']),
    cost: readDecimal(worker['cost']),
    message: readText(worker['message']) || readText(worker['error']),
  };
}

function planOf(value: Members): string {
  return readText(value['planid']) || readText(value['size']);
}

/** 0 stands for not known yet. */
function readSize(value: unknown): number | undefined {
  const size = readInteger(value);
  return size !== undefined && size > 0 ? size : undefined;
}

/** Longest piece of an odd value in a problem. */
const SHOWN_CHARACTERS_MAX = 60;

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? '(missing)').slice(0, SHOWN_CHARACTERS_MAX);
}
