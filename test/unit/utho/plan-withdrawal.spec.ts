import { planWithdrawal } from '../../../src/adapters/utho/shrink/plan-withdrawal.js';
import type { WithdrawalBasis } from '../../../src/adapters/utho/shrink/plan-withdrawal.js';
import { snapshot, worker } from './pool-records.js';

const running = ['1', '2', '3'].map((id) => worker(id));
const pending = ['9', '10', '8'].map((id) => worker(id, { state: 'creating' }));

function plan(count: number, more: Partial<WithdrawalBasis>) {
  const basis = { fresh: snapshot(running), count, minSize: 1, unseen: 0, mayCancelWorkers: true };
  const result = planWithdrawal({ ...basis, ...more });
  switch (result.kind) {
    case 'refused':
      return result.failure.code;
    case 'cancel':
      return result.workers.map(({ record }) => record.id);
    case 'lower-count':
      return result.to;
  }
}

const ordered = (count: number) => ({ fresh: snapshot([], { count }) });
const joining = worker('9', { state: 'creating', mayRun: true });
const leaving = worker('1', { state: 'deleting' });

describe('what is taken back of a pool', () => {
  it.each([
    ['the count where there is no worker', 1, ordered(3), 2],
    ['the count beside workers that leave', 1, { fresh: snapshot([leaving], { count: 3 }) }, 2],
    ['pending workers, newest first', 2, { fresh: snapshot([...running, ...pending]) }, ['10', '9']],
    // utho 8/32
    ['nothing that runs', 4, { fresh: snapshot([...running, ...pending]) }, 'existing-workers'],
    ['nothing that may have a node', 1, { fresh: snapshot([...running, joining]) }, 'existing-workers'],
    ['no order beside workers', 1, { fresh: snapshot(running, { count: 4 }) }, 'existing-workers'],
    ['no pending worker for an order', 1, { fresh: snapshot(pending, { count: 4 }) }, 'existing-workers'],
    [
      'no worker where only orders are meant',
      1,
      { fresh: snapshot([...running, ...pending]), mayCancelWorkers: false },
      'existing-workers',
    ],
    // utho 8/31
    ['nothing below the minimum', 2, { ...ordered(3), minSize: 2 }, 'min-size'],
    // utho 8/35
    ['never the last one', 3, { ...ordered(3), minSize: 0 }, 'zero-count'],
    ['nothing while an own write does not show', 1, { ...ordered(3), unseen: 5 }, 'unseen-write'],
    [
      'nothing while workers can not be read',
      1,
      { fresh: snapshot([], { count: 3, unreadable: 1 }) },
      'unreadable-workers',
    ],
  ])('%s', (_, count, more, expected) => {
    expect(plan(count, more)).toEqual(expected);
  });
});
