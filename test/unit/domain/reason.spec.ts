import { renderReason } from '../../../src/domain/reason.js';
import type { Reason } from '../../../src/domain/reason.js';

describe('renderReason', () => {
  it.each<[string, Omit<Reason, 'rule'>]>([
    ['its pods fit nowhere else', { text: 'its pods fit nowhere else' }],
    [
      'the node group is at its minimum (pool, asked 0, limit 1)',
      { text: 'the node group is at its minimum', subject: 'pool', asked: 0, limit: 1 },
    ],
    [
      'Insufficient cpu (asked 750m, free 300m, limit 2)',
      { text: 'Insufficient cpu', subject: 'cpu', asked: '750m', free: '300m', limit: '2' },
    ],
    ['Insufficient cpu (u, asked 1)', { text: 'Insufficient cpu', subject: 'u', asked: 1 }],
    [
      'pod default/web must not be moved: it has no controller',
      { text: 'pod default/web must not be moved: it has no controller', subject: 'default/web' },
    ],
    [
      'unneeded for 6s (cpu utilization 30.5%, threshold 50%)',
      { text: 'unneeded for 6s', subject: 'cpu', asked: 0.305, limit: 0.5, measure: 'utilization' },
    ],
    [
      'not unneeded for long enough (8s of 10m0s)',
      { text: 'not unneeded for long enough', asked: '8s', limit: '10m0s', measure: 'duration' },
    ],
  ])('%s', (line, reason) => {
    expect(renderReason({ rule: 'Any', ...reason })).toBe(line);
  });
});
