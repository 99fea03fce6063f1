import fc from 'fast-check';
import { PatternError } from '../../../src/domain/expansion/patterns/expression.js';
import { Pattern } from '../../../src/domain/expansion/patterns/pattern.js';

describe('a pattern', () => {
  it.each([
    ['pool', 'my-pool-1', true],
    ['^pool', 'my-pool-1', false],
    ['^my-.*-\\d+$', 'my-pool-1', true],
    ['a|b', 'xbx', true],
    ['^(a|bc){2,3}$', 'abcbc', true],
    ['^(a|bc){2,3}$', 'a', false],
    ['^a{2}$', 'aaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^[a-c_-]+$', 'a-b_c', true],
    ['^[^a-c]+$', 'xyz', true],
    ['^[^a-c]+$', 'xaz', false],
    ['^[]a]+$', ']a', true],
    ['^[[:alpha:]]+[[:^alpha:]]$', 'abc1', true],
    ['^[\\d.]+$', '1.2', true],
    ['(?i)POOL', 'my-pool', true],
    ['(?i:P)ool', 'pool', true],
    ['(?i:P)ool', 'pOOL', false],
    ['^[^A]$', 'a', true],
    ['(?i)^[^A]$', 'a', false],
    ['(?P<name>gpu)', 'gpu-1', true],
    ['\\bgpu\\b', 'a gpu b', true],
    ['\\bgpu\\b', 'gpus', false],
    ['\\Bpu', 'gpu', true],
    ['\\x41\\x{42}', 'AB', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['', 'anything', true],
    ['()', '', true],
    ['a*?b+?', 'b', true],
    ['x{2', 'x{2', true],
    ['^.$', '😀', true],
  ])('%j in %j: %s', (source, text, expected) => {
    expect(Pattern.of(source).occursIn(text)).toBe(expected);
  });

  it.each([
    'a(',
    'a)',
    '[a',
    '*a',
    'a**',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(a)\\1',
    '\\',
    '\\p{L}',
    '\\q',
    '[b-a]',
    '[[:nosuch:]]',
    'a{2000}',
    'a{3,2}',
    '(?m)^a',
    '((a{1000}){1000}){1000}',
    '('.repeat(60) + ')'.repeat(60),
  ])('%j is refused, as by RE2', (source) => {
    expect(() => Pattern.of(source)).toThrow(PatternError);
  });

  it('is never slow, however it is nested', () => {
    const text = 'a'.repeat(2_000);
    for (const source of ['^(a+)+b$', '^(a|a)*b$', '^(a?){200}b$', '(.*)*(.*)*c']) {
      expect(Pattern.of(source).occursIn(text)).toBe(false);
    }
  });

  it('agrees with the language where both can read it', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(?:ab)', '\\w', '^', '$', '\\b');
    const quantified = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}'))
      .map(([part, count]) => (/^[\^$]|\\b/u.test(part) ? part : part + count));
    const source = fc
      .array(fc.array(quantified, { minLength: 0, maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((branches) => branches.map((parts) => parts.join('')).join('|'));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 8 });
    fc.assert(
      fc.property(source, text, (pattern, sample) => {
        expect(Pattern.of(pattern).occursIn(sample)).toBe(new RegExp(pattern, 'u').test(sample));
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
