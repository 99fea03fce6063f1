import fc from 'fast-check';
import {
  parseObject,
  textWithoutManagedFields,
} from '../../../src/adapters/kubernetes/reading/parse-object.js';
import { MANAGED_FIELDS, podJson } from './api-json.js';

/** The object without the field that may be missing after the cut. */
function withoutManagedFields(value: any): unknown {
  const copy = structuredClone(value);
  delete (copy.object ?? copy).metadata?.managedFields;
  return copy;
}

function parse(value: unknown): unknown {
  return parseObject(Buffer.from(JSON.stringify(value)));
}

describe('parseObject', () => {
  test('cuts the managed fields out before it parses', () => {
    const bytes = Buffer.from(JSON.stringify(podJson('a')));
    const text = textWithoutManagedFields(bytes);
    expect(text).not.toContain('managedFields');
    expect(JSON.parse(text ?? '')).toEqual(withoutManagedFields(podJson('a')));
  });

  test('cuts them out of the object of a watch event', () => {
    const event = { type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...podJson('a') } };
    expect(parse(event)).toEqual(withoutManagedFields(event));
  });

  test.each<[string, unknown]>([
    [
      'they are the first field',
      { metadata: { managedFields: MANAGED_FIELDS, name: 'a', uid: 'u' }, spec: {} },
    ],
    [
      'keys are sorted',
      {
        metadata: { labels: {}, managedFields: MANAGED_FIELDS, name: 'a', ownerReferences: [], uid: 'u' },
        spec: {},
      },
    ],
    [
      'there is no spec',
      { metadata: { name: 'a', uid: 'u', managedFields: MANAGED_FIELDS }, data: { x: 'y' } },
    ],
    [
      'spec comes first',
      { spec: { a: [1] }, metadata: { name: 'a', uid: 'u', managedFields: MANAGED_FIELDS } },
    ],
    [
      'a template inside has them',
      {
        metadata: { name: 'a', uid: 'u' },
        spec: { template: { metadata: { name: 't', managedFields: [{}] }, spec: {} }, last: [{}] },
      },
    ],
    ['there are none', { metadata: { name: 'a', uid: 'u' }, spec: { x: [1] } }],
  ])('loses nothing else where %s', (_what, object) => {
    expect(withoutManagedFields(parse(object))).toEqual(withoutManagedFields(object));
  });

  test('gives the same object with the cut and without, whatever strings are in it', () => {
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom(',"managedFields":[', ']},"spec":{', '"spec":{', '\\"', 'é😀', '}}]]'),
    );
    const anyPod = fc.record({
      metadata: fc.record({
        name: nasty,
        uid: nasty,
        annotations: fc.dictionary(nasty, nasty),
        managedFields: fc.array(
          fc.record({ manager: nasty, fieldsV1: fc.dictionary(nasty, fc.constant({})) }),
        ),
      }),
      spec: fc.record({ nodeName: nasty, containers: fc.array(fc.dictionary(nasty, nasty)) }),
    });
    fc.assert(
      fc.property(anyPod, (pod) => {
        expect(withoutManagedFields(parse(pod))).toEqual(
          withoutManagedFields(JSON.parse(JSON.stringify(pod))),
        );
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test('refuses a part of an object, cut or not', () => {
    const text = JSON.stringify(podJson('a'));
    for (let length = 0; length < text.length; length += 7) {
      expect(() => parseObject(Buffer.from(text.slice(0, length)))).toThrow(SyntaxError);
    }
  });
});
