import type { CloudErrorKind, CloudFailure, InstanceState } from '../../../domain/node-group/node-group.js';
import { classify } from '../client/error-class.js';

/** What the platform's words say, before anything else that is known counts. */
export type WorkerPhase = 'failed' | 'deleting' | 'gone' | 'creating' | 'running' | 'unclear';

const WORDS: readonly (readonly [phase: WorkerPhase, words: readonly string[]])[] = [
  ['failed', ['failed', 'error']],
  ['deleting', ['deleting', 'destroying', 'terminating', 'removing']],
  ['gone', ['deleted', 'destroyed', 'terminated']],
  ['creating', ['pending', 'installing', 'deploying', 'creating', 'provisioning', 'building', 'queued']],
  ['running', ['active', 'installed', 'running', 'ready']],
];
/** A real node may exist, so such a worker counts as running; the words are known all the same. */
const UNCLEAR_WORDS = ['stopped', 'suspended', ''];
const KNOWN_WORDS = new Set([...WORDS.flatMap(([, words]) => words), ...UNCLEAR_WORDS]);

/** Reads `status` and `app_status` together (`utho` 4.3): the first phase that either names. */
export function workerPhase(status: string, appStatus: string): WorkerPhase {
  const said = [normalised(status), normalised(appStatus)];
  if (said.every((word) => word === '')) return 'creating';
  return WORDS.find(([, words]) => said.some((word) => words.includes(word)))?.[0] ?? 'unclear';
}

/** Words that this adapter has no meaning for. */
export function unknownWords(status: string, appStatus: string): readonly string[] {
  return [status, appStatus].filter((word) => !KNOWN_WORDS.has(normalised(word)));
}

function normalised(word: string): string {
  return word.trim().toLowerCase();
}

export interface WorkerFacts {
  readonly wasRunning: boolean;
  readonly hasNode: boolean;
}

export interface WorkerState {
  readonly state: InstanceState;
  /** The worker will never come. */
  readonly hasFailed: boolean;
}

/**
 * Null: the worker is gone. A failed worker that may run pods counts as running: the engine deletes failed machines
 * without a drain.
 */
export function workerState(phase: WorkerPhase, facts: WorkerFacts): WorkerState | null {
  switch (phase) {
    case 'failed':
      return facts.wasRunning || facts.hasNode
        ? { state: 'running', hasFailed: false }
        : { state: 'creating', hasFailed: true };
    case 'deleting':
      return { state: 'deleting', hasFailed: false };
    case 'gone':
      return null;
    case 'creating':
      return { state: 'creating', hasFailed: false };
    case 'running':
    case 'unclear':
      return { state: 'running', hasFailed: false };
  }
}

export const WORKER_FAILED_CODE = 'UTHO_WORKER_FAILED';

/** Why a worker failed: only the platform's own words can tell a lack of machines from other faults. */
export function workerFailure(workerId: string, status: string, message: string): CloudFailure {
  const detail = message === '' ? `its status is ${status}` : message;
  return {
    kind: kindOf(message),
    code: WORKER_FAILED_CODE,
    message: `worker ${workerId} could not be made: ${detail}`,
  };
}

function kindOf(message: string): CloudErrorKind {
  const meaning = classify(200, message);
  if (meaning.class !== 'capacity') return 'transient';
  return meaning.code === 'quota' ? 'quota' : 'stock-out';
}
