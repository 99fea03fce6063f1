import {
  unknownWords,
  workerFailure,
  workerPhase,
  workerState,
} from '../../../src/adapters/utho/state/worker-state.js';

const NEW = { wasRunning: false, hasNode: false };

describe('state of a worker by the words of the platform', () => {
  // utho 8/42
  it.each([
    ['Active', 'Active', 'running'],
    ['Active', 'Installed', 'running'],
    ['Installed', 'Installed', 'running'],
    ['READY', '', 'running'],
    ['Pending', 'Pending', 'creating'],
    ['Active', 'Installing', 'creating'],
    ['Queued', '', 'creating'],
    ['', '', 'creating'],
    [' ', '', 'creating'],
    ['Failed', 'Installed', 'failed'],
    ['Active', 'error', 'failed'],
    ['Deleting', 'Failed', 'failed'],
    ['Destroying', 'Installed', 'deleting'],
    ['Active', 'Removing', 'deleting'],
    ['Terminated', 'Installed', 'gone'],
    ['Stopped', 'Stopped', 'unclear'],
    ['Dreaming', '', 'unclear'],
  ])('reads %p and %p as %p', (status, appStatus, phase) => {
    expect(workerPhase(status, appStatus)).toBe(phase);
  });

  // utho 8/42
  it.each([
    ['running', NEW, { state: 'running', hasFailed: false }],
    ['unclear', NEW, { state: 'running', hasFailed: false }],
    ['creating', NEW, { state: 'creating', hasFailed: false }],
    ['deleting', NEW, { state: 'deleting', hasFailed: false }],
    ['gone', NEW, null],
    ['failed', NEW, { state: 'creating', hasFailed: true }],
    ['failed', { wasRunning: true, hasNode: false }, { state: 'running', hasFailed: false }],
    ['failed', { wasRunning: false, hasNode: true }, { state: 'running', hasFailed: false }],
  ] as const)('takes a worker that is %p, with %p, as %p', (phase, facts, state) => {
    expect(workerState(phase, facts)).toEqual(state);
  });

  it('names words that it has no meaning for', () => {
    expect(unknownWords('Active', 'Dreaming')).toEqual(['Dreaming']);
    expect(unknownWords('Stopped', '')).toEqual([]);
  });

  it.each([
    ['', 'transient', 'worker 7 could not be made: its status is Failed'],
    ['Account limit reached', 'quota', 'worker 7 could not be made: Account limit reached'],
    ['The plan is out of stock', 'stock-out', 'worker 7 could not be made: The plan is out of stock'],
  ])('takes the message %p for %p', (said, kind, message) => {
    expect(workerFailure('7', 'Failed', said)).toEqual({ kind, code: 'UTHO_WORKER_FAILED', message });
  });
});
