import { admit } from '../../../src/adapters/utho/release/admit.js';
import type { AdmissionPolicy, Request } from '../../../src/adapters/utho/release/admit.js';
import type { InstanceState } from '../../../src/domain/node-group/node-group.js';
import { worker } from './pool-records.js';

function request(id: string, state: InstanceState = 'running'): Request {
  const machine = { instanceId: `utho://${id}`, name: '', cause: 'scale-down' as const };
  return { machine, judged: { kind: 'worker', worker: worker(id, { state }) } };
}

const order: Request = {
  machine: { instanceId: 'utho-order://p/1', name: '', cause: 'unregistered' },
  judged: { kind: 'slot', slotId: 'utho-order://p/1' },
};

const BLOCKED = { kind: 'configuration', code: 'blocked', message: 'not now' } as const;

function codes(requests: readonly Request[], policy: Partial<AdmissionPolicy>): readonly (string | null)[] {
  const defaults = {
    poolId: 'p',
    count: 5,
    minSize: 1,
    force: false,
    allowScaleToZero: false,
    block: null,
  };
  return admit(requests, { ...defaults, ...policy }).map(({ judged }) =>
    judged.kind === 'refused' ? judged.failure.code : null,
  );
}

describe('which deletions the size of a pool allows', () => {
  // utho 8/39
  it.each([
    ['all above the minimum', [request('1'), request('2')], { minSize: 3 }, [null, null]],
    ['none that runs below it', [request('1'), request('2')], { minSize: 4 }, ['min-size', 'min-size']],
    ['one machine named twice counts once', [request('1'), request('1')], { minSize: 4 }, [null, null]],
    ['pending ones always', [request('1', 'creating'), request('2')], { minSize: 4 }, [null, 'min-size']],
    ['orders always', [order], { minSize: 5 }, [null]],
    ['those that run when forced', [request('1'), request('2')], { minSize: 4, force: true }, [null, null]],
    ['never the last one', [request('1'), request('2')], { count: 2, force: true }, [null, 'zero-count']],
    [
      'rather pending ones than running ones',
      [request('1'), request('2', 'creating')],
      { count: 2, force: true },
      ['zero-count', null],
    ],
    [
      'the last one where that is allowed',
      [request('1')],
      { count: 1, minSize: 0, allowScaleToZero: true },
      [null],
    ],
    [
      'none that runs in a blocked pool',
      [request('1'), request('2', 'creating')],
      { block: { untilMs: 1, failure: BLOCKED, holds: 'running' } },
      ['blocked', null],
    ],
    [
      'none at all where any deletion may hit another',
      [request('1'), request('2', 'creating'), order],
      { block: { untilMs: 1, failure: BLOCKED, holds: 'all' } },
      ['blocked', 'blocked', null],
    ],
  ] as const)('%s', (_, requests, policy, expected) => {
    expect(codes(requests, policy)).toEqual(expected);
  });
});
