import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterStorage, PersistentVolumeClaim } from '../../../src/domain/kubernetes/storage.js';
import { VolumeClasses, classifyPods } from '../../../src/domain/simulation/index.js';
import { GIB, buildPod } from '../../support/builders.js';
import {
  HCLOUD_LOCATION,
  buildBoundClaim,
  buildClaim,
  buildClass,
  buildStorage,
  buildVolume,
  nodesWith,
} from '../../support/storage-builders.js';

function sizes(
  pods: readonly Pod[],
  storage: Partial<ClusterStorage>,
  others: readonly Pod[] = [],
): number[] {
  const volumes = new VolumeClasses(buildStorage(storage), [...pods, ...others]);
  return classifyPods(pods, null, volumes).classes.map((each) => each.pods.length);
}

const using = (...claims: string[]): Pod => buildPod(`p-${claims.join('-')}`, { claims });
const classes = [buildClass(), buildClass({ name: 'other' })];
const inZone = (location: string) => ({ nodeAffinity: nodesWith(HCLOUD_LOCATION, location) });

// scheduling 5.3 item 9
describe('classes of pods with volumes', () => {
  it.each<[string, Partial<PersistentVolumeClaim>, number[]]>([
    ['the name alone', {}, [2]],
    ['the phase that nobody reads', { phase: 'Bound' }, [2]],
    ['the class', { className: 'other' }, [1, 1]],
    ['the size', { requestBytes: 20 * GIB }, [1, 1]],
    ['the access modes', { accessModes: ['ReadOnlyMany'] }, [1, 1]],
    ['the mode', { volumeMode: 'Block' }, [1, 1]],
    ['the attributes', { attributesClassName: 'fast' }, [1, 1]],
    ['the selector', { selector: { matchLabels: new Map(), matchExpressions: [] } }, [1, 1]],
    ['the node where the volume is being made', { selectedNode: 'n1' }, [1, 1]],
    ['what is wrong with it', { terminating: true }, [1, 1]],
  ])('of unbound claims are told apart by more than names: %s', (_, fields, expected) => {
    expect(
      sizes([using('a'), using('b')], { classes, claims: [buildClaim('a'), buildClaim('b', fields)] }),
    ).toEqual(expected);
  });

  it.each<[string, Parameters<typeof buildVolume>[1], number[]]>([
    ['the name alone', inZone('fsn1'), [2]],
    ['the size that is settled', { ...inZone('fsn1'), capacityBytes: 1 }, [2]],
    ['nodes that reach it', inZone('nbg1'), [1, 1]],
    ['zone labels', { ...inZone('fsn1'), labels: new Map([['topology.kubernetes.io/zone', 'a']]) }, [1, 1]],
    ['other labels', { ...inZone('fsn1'), labels: new Map([['disk', 'ssd']]) }, [2]],
    ['the driver', { ...inZone('fsn1'), csi: { driver: 'other', volumeHandle: 'x' } }, [1, 1]],
    ['having no driver', { ...inZone('fsn1'), csi: null }, [1, 1]],
  ])('of bound claims are told apart by what their volumes ask for: %s', (_, fields, expected) => {
    const claims = [buildBoundClaim('a'), buildBoundClaim('b')];
    const volumes = [buildVolume('pv-a', inZone('fsn1')), buildVolume('pv-b', fields)];
    expect(sizes([using('a'), using('b')], { classes, claims, volumes })).toEqual(expected);
  });

  it('tell a shared claim from one of their own', () => {
    const storage = { classes, claims: ['a', 'b', 'c'].map((name) => buildClaim(name)) };
    const pods = [using('a'), using('b'), using('c'), using('c')];
    expect(sizes(pods, storage)).toEqual([2, 2]);
    expect(sizes(pods.slice(0, 2), storage, [using('a')])).toEqual([1, 1]);
  });

  it('tell a claim for one pod that is in use from one that is free', () => {
    const csi = null;
    const claims = ['a', 'b'].map((name) => buildBoundClaim(name, { accessModes: ['ReadWriteOncePod'] }));
    const storage = {
      classes,
      claims,
      volumes: [buildVolume('pv-a', { csi }), buildVolume('pv-b', { csi })],
    };
    expect(sizes([using('a'), using('b')], storage)).toEqual([2]);
    expect(sizes([using('a'), using('b')], storage, [using('b')])).toEqual([1, 1]);
  });

  it('count one volume under two claims once', () => {
    const csi = { driver: 'csi.hetzner.cloud', volumeHandle: 'same' };
    const claims = ['a', 'b', 'c', 'd'].map((name) => buildBoundClaim(name));
    const volumes = [
      ...['pv-a', 'pv-b'].map((name) => buildVolume(name, { csi })),
      ...['pv-c', 'pv-d'].map((name) => buildVolume(name)),
    ];
    expect(sizes([using('a', 'b'), using('c', 'd')], { classes, claims, volumes })).toEqual([1, 1]);
  });

  it('tell pods without a claim apart by the claim that is missing', () => {
    expect(sizes([using('a'), using('a'), using('b')], { classes })).toEqual([2, 1]);
  });

  it('know the volume that is reserved for a claim', () => {
    const claims = [buildClaim('a'), buildClaim('b')];
    const claimRef = { namespace: 'default', name: 'a', uid: '' };
    const volumes = [buildVolume('named', { claimRef })];
    expect(sizes([using('a'), using('b')], { classes, claims, volumes })).toEqual([1, 1]);
  });
});
