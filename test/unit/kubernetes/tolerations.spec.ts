import type { Taint, Toleration } from '../../../src/domain/kubernetes/taint.js';
import { firstUntoleratedTaint, tolerates } from '../../../src/domain/kubernetes/tolerations.js';

const taint = (fields: Partial<Taint>): Taint => ({ key: 'k', value: 'v', effect: 'NoSchedule', ...fields });
const toleration = (fields: Partial<Toleration>): Toleration => ({
  key: '',
  operator: '',
  value: '',
  effect: '',
  ...fields,
});

describe('tolerates', () => {
  it.each<[string, Partial<Toleration>, Partial<Taint>, boolean]>([
    ['missing operator means Equal', { key: 'k', value: 'v' }, {}, true],
    ['missing value is the empty one', { key: 'k', operator: 'Equal' }, { value: '' }, true],
    ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, {}, false],
    ['empty key with Exists', { operator: 'Exists' }, { key: 'other' }, true],
    ['empty key with Equal compares values', { value: 'v' }, {}, true],
    ['another key', { key: 'x', operator: 'Exists' }, {}, false],
    ['unknown operator', { key: 'k', operator: 'In', value: 'v' }, {}, false],
  ])('%s', (_, given, on, expected) => {
    expect(tolerates(toleration(given), taint(on))).toBe(expected);
  });

  it.each([
    ['Gt', '900', '950', true],
    ['Gt', '950', '950', false],
    ['Lt', '900', '950', false],
    ['Lt', '-1', '-2', true],
    ['Gt', '0900', '950', false],
    ['Gt', '900', '+950', false],
    ['Gt', '-0', '1', false],
    ['Gt', '1', '9223372036854775808', false],
  ])('with the comparison gate on, %s %s on a taint of %s: %p', (operator, value, actual, expected) => {
    const given = toleration({ key: 'k', operator, value });
    expect(tolerates(given, taint({ value: actual }), { comparisonOperators: true })).toBe(expected);
    expect(tolerates(given, taint({ value: actual }))).toBe(false);
  });
});

describe('firstUntoleratedTaint', () => {
  it('names the first taint that blocks', () => {
    const taints = [
      taint({ key: 'soft', effect: 'PreferNoSchedule' }),
      taint({ key: 'a' }),
      taint({ key: 'b', effect: 'NoExecute' }),
      taint({ key: 'c' }),
    ];
    expect(firstUntoleratedTaint(taints, [toleration({ key: 'a', operator: 'Exists' })])?.key).toBe('b');
    expect(firstUntoleratedTaint(taints, [toleration({ operator: 'Exists' })])).toBeUndefined();
  });
});
