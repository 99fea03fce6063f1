import {
  labelSelectorMatches,
  nodeSelectorMatches,
  requirementMatches,
} from '../../../src/domain/kubernetes/match-selector.js';
import { isQualifiedName } from '../../../src/domain/kubernetes/qualified-name.js';
import type { Requirement } from '../../../src/domain/kubernetes/selectors.js';

const labels = (entries: Record<string, string>): ReadonlyMap<string, string> =>
  new Map(Object.entries(entries));
const requirement = (key: string, operator: string, ...values: string[]): Requirement => ({
  key,
  operator,
  values,
});

describe('requirementMatches', () => {
  it.each<[string, Requirement, Record<string, string>, boolean]>([
    ['In', requirement('a', 'In', '1', '2'), { a: '2' }, true],
    ['In, key absent', requirement('a', 'In', '1'), {}, false],
    ['NotIn', requirement('a', 'NotIn', '1'), { a: '1' }, false],
    ['NotIn, key absent', requirement('a', 'NotIn', '1'), {}, true],
    ['Exists with an empty value', requirement('a', 'Exists'), { a: '' }, true],
    ['DoesNotExist', requirement('a', 'DoesNotExist'), { a: '' }, false],
    ['Gt with sign and leading zeros', requirement('a', 'Gt', '005'), { a: '+06' }, true],
    ['Gt beyond 53 bits', requirement('a', 'Gt', '9223372036854775806'), { a: '9223372036854775807' }, true],
    ['Gt on a label beyond 64 bits', requirement('a', 'Gt', '1'), { a: '9223372036854775808' }, false],
    ['Gt on a negative label', requirement('a', 'Gt', '1'), { a: '-3' }, false],
    ['Lt on a negative label', requirement('a', 'Lt', '1'), { a: '-3' }, true],
  ])('%s', (_, given, on, expected) => {
    expect(requirementMatches(given, labels(on))).toBe(expected);
  });

  it.each<[string, Requirement]>([
    ['unknown operator', requirement('a', 'Near', '1')],
    ['NotIn without values', requirement('a', 'NotIn')],
    ['DoesNotExist with a value', requirement('a', 'DoesNotExist', '1')],
    ['Gt with two values', requirement('a', 'Gt', '1', '2')],
    ['negative bound', requirement('a', 'Lt', '-5')],
    ['illegal value', requirement('a', 'NotIn', 'a b')],
    ['illegal key', requirement('-a', 'NotIn', '1')],
  ])('takes a malformed requirement for false: %s', (_, given) => {
    expect(requirementMatches(given, labels({}))).toBe(false);
  });
});

describe('labelSelectorMatches', () => {
  const selector = (matchLabels: Record<string, string>, ...matchExpressions: Requirement[]) => ({
    matchLabels: labels(matchLabels),
    matchExpressions,
  });

  it('tells null from empty', () => {
    expect([labelSelectorMatches(null, labels({})), labelSelectorMatches(selector({}), labels({}))]).toEqual([
      false,
      true,
    ]);
  });

  it('wants all parts to hold', () => {
    const both = selector({ app: 'w' }, requirement('tier', 'In', 'web'));
    expect(labelSelectorMatches(both, labels({ app: 'w', tier: 'web' }))).toBe(true);
    expect(labelSelectorMatches(both, labels({ app: 'w', tier: 'db' }))).toBe(false);
    expect(labelSelectorMatches(both, labels({ tier: 'web' }))).toBe(false);
  });

  it('knows no comparison', () => {
    expect(labelSelectorMatches(selector({}, requirement('a', 'Gt', '1')), labels({ a: '2' }))).toBe(false);
  });
});

describe('nodeSelectorMatches', () => {
  const named = (name: string) => ({ name, labels: labels({ zone: 'a' }) });
  const term = (...matchFields: Requirement[]) => ({ matchExpressions: [], matchFields });

  it.each<[string, Requirement, boolean]>([
    ['name In', requirement('metadata.name', 'In', 'n1'), true],
    ['name NotIn', requirement('metadata.name', 'NotIn', 'n1'), false],
    ['another field compares as empty', requirement('metadata.uid', 'NotIn', 'n1'), true],
    ['two values are malformed', requirement('metadata.name', 'In', 'n1', 'n2'), false],
    ['another operator is malformed', requirement('metadata.name', 'Exists'), false],
  ])('field requirement: %s', (_, field, expected) => {
    expect(nodeSelectorMatches({ terms: [term(field)] }, named('n1'))).toBe(expected);
  });

  it('does not judge fields of an object without a name', () => {
    const selector = { terms: [term(requirement('metadata.name', 'In', 'n1'))] };
    expect(nodeSelectorMatches(selector, named(''))).toBe(true);
  });
});

describe('isQualifiedName', () => {
  it.each([
    ['a', true],
    ['example.com/a_b.C-1', true],
    ['', false],
    ['/a', false],
    ['Example.com/a', false],
    ['a/b/c', false],
    ['a/', false],
    ['x'.repeat(64), false],
  ])('%p: %p', (name, expected) => {
    expect(isQualifiedName(name)).toBe(expected);
  });
});
