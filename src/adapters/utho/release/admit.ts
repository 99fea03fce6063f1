import type { MachineReference } from '../../../application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import { refusal, zeroRefusal } from '../refusal.js';
import type { ReleaseBlock } from '../state/release-block.js';
import type { Judged } from './judge-request.js';

export interface Request {
  readonly machine: MachineReference;
  readonly judged: Judged;
}

export interface AdmissionPolicy {
  readonly poolId: string;
  /** Workers asked for. */
  readonly count: number;
  readonly minSize: number;
  readonly force: boolean;
  readonly allowScaleToZero: boolean;
  readonly block: ReleaseBlock | null;
}

/**
 * Refuses what the pool's size does not allow (`utho` 4.6 step 3). Machines that never came up don't count against the
 * minimum, or a pool at its minimum could never get rid of them; the zero guard holds for all.
 */
export function admit(requests: readonly Request[], policy: AdmissionPolicy): readonly Request[] {
  return guardZero(keepMinimum(keepBlocked(requests, policy.block), policy), policy);
}

function keepBlocked(requests: readonly Request[], block: ReleaseBlock | null): readonly Request[] {
  if (block === null) return requests;
  const isHeld = block.holds === 'all' ? isWorker : isRunning;
  return requests.map((request) => (isHeld(request) ? refuse(request, block.failure) : request));
}

function keepMinimum(requests: readonly Request[], policy: AdmissionPolicy): readonly Request[] {
  const { poolId, count, minSize, force } = policy;
  const leaving = distinctMachines(requests).size;
  if (force || !requests.some(isRunning) || count - leaving >= minSize) return requests;
  const message =
    `min size reached for node pool ${poolId}: ${count} workers, ` +
    `deleting ${leaving} would go below ${minSize}`;
  return requests.map((request) => refuseRunning(request, refusal('min-size', message)));
}

/** The count never becomes 0: of the machines that may go, the first ones go. */
function guardZero(requests: readonly Request[], policy: AdmissionPolicy): readonly Request[] {
  if (policy.allowScaleToZero) return requests;
  const going = new Set([...distinctMachines(requests)].slice(0, Math.max(0, policy.count - 1)));
  return requests.map((request) => {
    const key = keyOf(request);
    return key === null || going.has(key) ? request : refuse(request, zeroRefusal(policy.poolId));
  });
}

/** Failed and pending machines first: they are the better ones to lose. */
function distinctMachines(requests: readonly Request[]): ReadonlySet<string> {
  const sorted = [...requests.filter((one) => !isRunning(one)), ...requests.filter(isRunning)];
  return new Set(sorted.map(keyOf).filter((key) => key !== null));
}

function isWorker({ judged }: Request): boolean {
  return judged.kind === 'worker';
}

function isRunning({ judged }: Request): boolean {
  return judged.kind === 'worker' && judged.worker.state === 'running';
}

/** Null: nothing would be taken off the count. */
export function keyOf({ judged }: Request): string | null {
  if (judged.kind === 'worker') return judged.worker.record.id;
  return judged.kind === 'slot' ? judged.slotId : null;
}

function refuseRunning(request: Request, failure: CloudFailure): Request {
  return isRunning(request) ? refuse(request, failure) : request;
}

function refuse({ machine }: Request, failure: CloudFailure): Request {
  return { machine, judged: { kind: 'refused', failure } };
}
