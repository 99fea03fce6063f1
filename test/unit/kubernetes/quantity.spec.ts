import fc from 'fast-check';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  readQuantity,
  roundToMilli,
  toMilli,
  toUnits,
} from '../../../src/domain/kubernetes/quantity.js';
import { formatAmount } from '../../../src/domain/kubernetes/format-amount.js';

const canonical = (text: string): string => formatQuantity(parseQuantity(text));
const value = (text: string): number => toUnits(parseQuantity(text).nano);
const milliValue = (text: string): number => toMilli(parseQuantity(text).nano);

function codeOf(text: string): string {
  try {
    parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return error.code;
    throw error;
  }
  return 'parsed';
}

describe('parseQuantity', () => {
  it('takes fractions of binary suffixes', () => {
    // scheduling 6.A/1
    expect([value('1.5Gi'), canonical('1.5Gi')]).toEqual([1_610_612_736, '1536Mi']);
  });

  it('rounds up to milli and keeps the exact text', () => {
    // scheduling 6.A/2
    expect([milliValue('0.5m'), canonical('0.5m')]).toEqual([1, '500u']);
  });

  it('rounds away from zero at nano', () => {
    // scheduling 6.A/3
    expect([canonical('0.1n'), canonical('-0.1n')]).toEqual(['1n', '-1n']);
  });

  it('rounds value and milliValue up', () => {
    // scheduling 6.A/4
    expect([milliValue('1500u'), value('1500u'), canonical('1500u')]).toEqual([2, 1, '1500u']);
  });

  it.each(['1E3', '1e3', '1e+3'])('reads %s as an exponent', (text) => {
    // scheduling 6.A/5
    expect([value(text), canonical(text)]).toEqual([1_000, '1e3']);
  });

  it('reads a bare E as exa', () => {
    // scheduling 6.A/5
    expect(parseQuantity('1E').nano).toBe(10n ** 27n);
    expect(canonical('1E')).toBe('1E');
  });

  // scheduling 6.A/6
  it.each([
    ['1e', 'suffix'],
    ['1K', 'suffix'],
    ['1MB', 'format'],
    ['1mi', 'suffix'],
    ['1gi', 'format'],
    ['1 Gi', 'format'],
    ['1..2', 'format'],
    ['1.2.3', 'format'],
    ['0x10', 'format'],
    ['', 'format'],
  ])('refuses %p', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it.each(['.', '+', '-', 'Ki', 'm'])('refuses %p, which has no digit', (text) => {
    expect(codeOf(text)).toBe('number');
  });

  it.each(['1e999999999', '1e-129', `1${'0'.repeat(200)}`])('refuses %p, which no object reaches', (text) => {
    expect(codeOf(text)).not.toBe('parsed');
  });

  it('takes numbers with a bare point, leading zeros and a plus', () => {
    // scheduling 6.A/7
    expect([milliValue('.5'), value('1.'), value('00001'), value('+2')]).toEqual([500, 1, 1, 2]);
  });

  it('turns a broken binary fraction into a decimal text', () => {
    // scheduling 6.A/8
    expect([value('0.1Ki'), milliValue('0.1Ki'), canonical('0.1Ki')]).toEqual([103, 102_400, '102400m']);
  });

  it('saturates binary values', () => {
    // scheduling 6.A/9
    expect(canonical('8Ei')).toBe('9223372036854775807');
    expect(value('8Ei')).toBe(Number.MAX_SAFE_INTEGER);
    expect(milliValue('1E')).toBe(Number.MAX_SAFE_INTEGER);
  });

  // scheduling 6.A/10
  it.each([
    ['100000', '100k'],
    ['1024Mi', '1Gi'],
    ['1025Ki', '1025Ki'],
    ['12e6', '12e6'],
    ['1e2', '100'],
    ['5e-1', '500e-3'],
    ['1000m', '1'],
    ['0', '0'],
    ['-1500m', '-1500m'],
    ['512Ki', '512Ki'],
    ['1023', '1023'],
    ['0.5Mi', '512Ki'],
    ['100Gi', '100Gi'],
  ])('prints %s as %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('reads its own canonical text as the same amount', () => {
    const number = fc.tuple(fc.bigInt(0n, 10n ** 12n), fc.nat(999_999_999)).map(([a, b]) => `${a}.${b}`);
    const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e2', 'E-3');
    fc.assert(
      fc.property(number, suffix, (digits, unit) => {
        const parsed = parseQuantity(digits + unit);
        expect(parseQuantity(formatQuantity(parsed)).nano).toBe(parsed.nano);
      }),
    );
  });
});

describe('readQuantity', () => {
  it('reads JSON as the decoder of the API does', () => {
    expect([' 1Gi ', 3, null].map((json) => formatQuantity(readQuantity(json)))).toEqual(['1Gi', '3', '0']);
  });

  it('refuses values that are neither text nor number', () => {
    expect(() => readQuantity({})).toThrow(QuantityError);
  });
});

describe('arithmetic', () => {
  it('compares across formats', () => {
    const compare = (left: string, right: string): number =>
      compareQuantities(parseQuantity(left), parseQuantity(right));
    expect([compare('1Ki', '1024'), compare('1k', '1Ki'), compare('2', '1999m')]).toEqual([0, -1, 1]);
  });

  it('keeps the format of the first operand, or of the second after a zero', () => {
    const add = (left: string, right: string): string =>
      formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)));
    expect([add('1Gi', '1024M'), add('0', '1Gi'), add('1k', '1Ki')]).toEqual(['2048576Ki', '1Gi', '2024']);
  });

  it('rounds lists up to milli', () => {
    expect(['500u', '-500u', '1.5'].map((text) => formatQuantity(roundToMilli(parseQuantity(text))))).toEqual(
      ['1m', '-1m', '1500m'],
    );
  });
});

describe('formatAmount', () => {
  it('writes amounts as people do', () => {
    expect([
      formatAmount('cpu', 750),
      formatAmount('cpu', 2_000),
      formatAmount('memory', 1536 * 1024 * 1024),
      formatAmount('memory', -1),
      formatAmount('nvidia.com/gpu', 2),
    ]).toEqual(['750m', '2', '1536Mi', '-1', '2']);
  });
});
