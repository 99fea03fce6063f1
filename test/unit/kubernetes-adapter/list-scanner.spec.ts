import { ListScanner, ListSyntaxError } from '../../../src/adapters/kubernetes/reading/list-scanner.js';
import { listJson, podJson } from './api-json.js';

interface Scan {
  readonly names: unknown[];
  readonly envelope: Record<string, unknown>;
}

function scan(body: string, cuts: readonly number[] = []): Scan {
  const bytes = Buffer.from(body);
  const scanner = new ListScanner();
  const items: unknown[] = [];
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    items.push(...scanner.push(bytes.subarray(start, end)));
    start = end;
  }
  const rest = scanner.end();
  items.push(...rest.items);
  return { names: items.map((item) => (item as any).metadata.name), envelope: rest.envelope };
}

const NASTY = [
  '"},{"metadata":{"name":"fake"',
  '\\',
  '\\"}]}',
  '],"managedFields":[',
  ']},"spec":{',
  'Grüße 世界 😀 \u2028',
  '{{{[[[',
  '\u0000\n\t',
];

const tricky = NASTY.map((text, index) =>
  podJson(`tricky-${index}`, { metadata: { annotations: { [`key${text}`]: text, other: text } } }),
);

describe('ListScanner', () => {
  const body = listJson([podJson('a'), ...tricky, podJson('z')], { continue: 'token' });
  const expected = ['a', ...tricky.map((pod: any) => pod.metadata.name), 'z'];

  test('finds every item in one piece', () => {
    const { names, envelope } = scan(body);
    expect(names).toEqual(expected);
    expect(envelope).toEqual({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '900', continue: 'token' },
    });
  });

  test('finds every item wherever the stream is cut in two', () => {
    const whole = scan(body);
    const length = Buffer.byteLength(body);
    for (let cut = 0; cut <= length; cut++) {
      const { names, envelope } = scan(body, [cut]);
      if (names.join() !== expected.join()) throw new Error(`cut at ${cut}: ${names.join()}`);
      if (JSON.stringify(envelope) !== JSON.stringify(whole.envelope)) throw new Error(`cut at ${cut}`);
    }
  });

  test('finds every item when each byte comes alone', () => {
    const small = listJson([podJson('a'), podJson('b')]);
    const cuts = Array.from({ length: Buffer.byteLength(small) }, (_, index) => index + 1);
    expect(scan(small, cuts).names).toEqual(['a', 'b']);
  });

  test.each<[string, string, string[]]>([
    ['an empty list', listJson([]), []],
    ['a list of null', listJson(null), []],
    ['one item', listJson([podJson('only')]), ['only']],
    ['a line feed at the end', `${listJson([podJson('a'), podJson('b')])}\n`, ['a', 'b']],
    [
      'blanks between all',
      JSON.stringify(JSON.parse(listJson([podJson('a'), podJson('b')])), null, 2),
      ['a', 'b'],
    ],
  ])('reads %s', (_what, text, names) => {
    expect(scan(text).names).toEqual(names);
    expect(scan(text, [Math.floor(text.length / 2)]).names).toEqual(names);
  });

  test('reads items that begin with different keys', () => {
    const { metadata, spec } = podJson('b');
    const items = [podJson('a'), { spec, metadata }, { kind: 'Pod', ...podJson('c') }, podJson('d')];
    expect(scan(listJson(items)).names).toEqual(['a', 'b', 'c', 'd']);
  });

  test('is not misled by objects inside an item that begin like an item', () => {
    const templates = ['data', 'logs', 'tmp'].map((name) => ({ metadata: { name }, spec: {} }));
    const set = { metadata: { name: 's', uid: 'u' }, spec: { volumeClaimTemplates: templates } };
    expect(scan(listJson([set, { ...set, metadata: { name: 't', uid: 'v' } }])).names).toEqual(['s', 't']);
  });

  test('gives the fields that follow the items', () => {
    const text = JSON.stringify({
      apiVersion: 'v1',
      items: [podJson('a'), podJson('b')],
      metadata: { continue: 'x' },
    });
    expect(scan(text)).toEqual({
      names: ['a', 'b'],
      envelope: { apiVersion: 'v1', metadata: { continue: 'x' } },
    });
  });

  test('gives a Status as it is', () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired' };
    expect(scan(JSON.stringify(status))).toEqual({ names: [], envelope: status });
  });

  test.each([
    ['inside an item', body.slice(0, -40)],
    ['between two items', body.slice(0, body.indexOf('},{"metadata":{') + 2)],
    ['before the items', body.slice(0, 20)],
    ['at once', ''],
  ])('refuses a body that breaks off %s', (_where, text) => {
    expect(() => scan(text)).toThrow(ListSyntaxError);
  });
});
