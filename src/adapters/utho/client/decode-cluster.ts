import type { Answer } from './answers.js';
import { decodePool } from './decode-pool.js';
import { readDigits, readList, readMap, readObject, readText } from './lenient.js';
import type { Members } from './lenient.js';
import type { BrokenPool, ClusterRecord, PoolRecord } from './records.js';
import { UthoError } from './utho-error.js';

export interface ClusterSummary {
  readonly id: string;
  readonly label: string;
}

/**
 * Throws UthoError where the answer is about no cluster or another one: without pools and without a word it would pass
 * for an empty cluster (`utho` 0.6, E5). A pool or worker that can't be read takes nothing else with it.
 */
export function decodeCluster(answer: Answer, clusterId: string): ClusterRecord {
  const info = readObject(answer['info']) ?? {};
  const cluster = readObject(info['cluster']) ?? {};
  checkIdentity(readDigits(cluster['id']), clusterId);
  const pools = new Map<string, PoolRecord>();
  const brokenPools: BrokenPool[] = [];
  for (const [id, value] of Object.entries(readPools(answer))) {
    const decoded = decodePool(id, value);
    if ('problem' in decoded) brokenPools.push(decoded);
    else pools.set(id, decoded);
  }
  return {
    id: clusterId,
    label: readText(cluster['label']),
    dcslug: readText(cluster['dcslug']) || readText(readObject(cluster['dclocation'])?.['dc']),
    vpc: readText(cluster['vpc']) || firstVpc(answer),
    status: readText(cluster['status']),
    powerStatus: readText(cluster['powerstatus']),
    masterId: readDigits(readObject(info['master'])?.['cloudid']),
    pools,
    brokenPools,
  };
}

function checkIdentity(given: string, asked: string): void {
  if (given === asked) return;
  if (given === '') {
    const message = `no cluster ${asked} found, or the API key has no access to it`;
    throw new UthoError({ class: 'notFound', code: 'not_found', message, outcome: 'refused', status: 200 });
  }
  const message = `the API answered about cluster ${given} instead of ${asked}`;
  throw new UthoError({ class: 'api', code: 'wrong_cluster', message, outcome: 'refused', status: 200 });
}

function readPools(answer: Answer): Members {
  const pools = readMap(answer['nodepools']);
  if (pools !== undefined) return pools;
  const message = 'the node pools of the answer are no object';
  throw new UthoError({ class: 'api', code: 'bad_response', message, outcome: 'refused', status: 200 });
}

function firstVpc(answer: Answer): string {
  return readText(readObject(readList(answer['vpc'])?.[0])?.['id']);
}

export function decodeClusterList(answer: Answer): readonly ClusterSummary[] {
  return (readList(answer['k8s']) ?? []).flatMap((value) => {
    const cluster = readObject(value) ?? {};
    const id = readDigits(cluster['id']);
    const label = readText(cluster['label']) || readText(cluster['hostname']);
    return id === '' ? [] : [{ id, label }];
  });
}
