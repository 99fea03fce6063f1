import { decodeObject, UnknownMessageError } from '../../../src/sandbox/kubernetes/protobuf/decode-object.js';
import { WireError } from '../../../src/sandbox/kubernetes/protobuf/wire-reader.js';
import { wireMessage, wireObject } from '../../support/protobuf.js';
import { send, stage } from './support.js';

/** What kubectl 1.32 sends for `create deployment web --image=nginx --replicas=0 --port=80`. */
const DEPLOYMENT =
  'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErgBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEoYBCAASDAoKCgNhcHASA3dlYh' +
  'psChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAa' +
  'ADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=';
/** `create pdb p --selector=app=web --max-unavailable=0`. */
const BUDGET =
  'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSNwoRCgFwEgAaACIAKgAyADgAQgASFhIMCgoKA2FwcBIDd2ViGgYIABAAGgAa' +
  'CggAGAAgACgAMAAaACIA';
/** `create role r --verb=get --resource=pods`. */
const ROLE =
  'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEiIKEQoBchIAGgAiACoAMgA4AEIAEg0KA2dldBIAGgRwb2RzGgAiAA==';

function decoded(base64: string): unknown {
  return decodeObject(Buffer.from(base64, 'base64'));
}

describe('objects in protobuf', () => {
  it('reads a deployment as JSON would have it', () => {
    expect(decoded(DEPLOYMENT)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        // A pointer to zero is no absence.
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }] },
        },
      },
    });
  });

  it('tells zero from nothing, and keeps the core group of a rule', () => {
    expect(decoded(BUDGET)).toMatchObject({ spec: { maxUnavailable: 0 } });
    expect(decoded(BUDGET)).not.toHaveProperty('spec.minAvailable');
    expect(decoded(ROLE)).toMatchObject({
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    });
  });

  it.each<[string, Buffer, unknown]>([
    [
      'quantities',
      wireMessage([2, wireMessage([1, wireMessage([1, 'cpu'], [2, wireMessage([1, '100m'])])])]),
      { hard: { cpu: '100m' } },
    ],
    ['lists of text', wireMessage([2, wireMessage([2, 'a'], [2, 'b'])]), { scopes: ['a', 'b'] }],
  ])('reads %s', (_what, object, spec) => {
    expect(decodeObject(wireObject('v1', 'ResourceQuota', object))).toMatchObject({ spec });
  });

  it('reads times, bytes, numbers or texts', () => {
    const secret = wireMessage([2, wireMessage([1, 'key'], [2, 'value'])]);
    expect(decodeObject(wireObject('v1', 'Secret', secret))).toMatchObject({ data: { key: 'dmFsdWU=' } });
    const port = wireMessage([3, 80], [4, wireMessage([1, 1], [2, 0], [3, 'http'])]);
    expect(decodeObject(wireObject('v1', 'Service', wireMessage([2, wireMessage([1, port])])))).toMatchObject(
      {
        spec: { ports: [{ port: 80, targetPort: 'http' }] },
      },
    );
    const lease = wireMessage([2, wireMessage([4, wireMessage([1, 1_767_225_600], [2, 5_000_000])])]);
    expect(decodeObject(wireObject('coordination.k8s.io/v1', 'Lease', lease))).toMatchObject({
      spec: { renewTime: '2026-01-01T00:00:00.005000Z' },
    });
  });

  it('loses nothing silently', () => {
    const unknownField = wireObject('v1', 'ConfigMap', wireMessage([99, 'x']));
    expect(() => decodeObject(unknownField)).toThrow(UnknownMessageError);
    expect(() => decodeObject(wireObject('v1', 'Strange', Buffer.alloc(0)))).toThrow(UnknownMessageError);
  });

  it.each([
    ['no object', Buffer.from('{}')],
    ['a message that ends too early', wireObject('v1', 'ConfigMap', Buffer.from([10, 200]))],
    ['a number without an end', wireObject('v1', 'ConfigMap', Buffer.alloc(12, 0xff))],
  ])('refuses %s', (_what, bytes) => {
    expect(() => decodeObject(bytes)).toThrow(WireError);
  });

  it('is taken by the API, or refused with the reason', async () => {
    const { cluster } = stage();
    const post = async (bytes: Buffer): Promise<[number, string]> => {
      const path = '/api/v1/namespaces/default/configmaps';
      const type = 'application/vnd.kubernetes.protobuf';
      const request = {
        method: 'POST',
        path,
        query: new URLSearchParams(),
        headers: { 'content-type': type },
      };
      const signal = new AbortController().signal;
      const response = await cluster.front.handle({ ...request, body: bytes.toString('latin1'), signal });
      return [response.status, JSON.parse(response.body as string).message ?? ''];
    };
    const map = wireMessage([1, wireMessage([1, 'm'])], [2, wireMessage([1, 'ä'], [2, 'ö'])]);
    expect(await post(wireObject('v1', 'ConfigMap', map))).toEqual([201, '']);
    expect((await send(cluster, 'GET', '/api/v1/namespaces/default/configmaps/m')).body).toContain(
      '"data":{"ä":"ö"}',
    );
    expect(await post(wireObject('v1', 'ConfigMap', wireMessage([99, 'x'])))).toEqual([
      415,
      expect.stringContaining('the sandbox knows no field 99 of ConfigMap in protobuf'),
    ]);
    expect((await post(Buffer.from('x')))[0]).toBe(400);
  });
});
