import { KNOWN_VOLUME_LIMITS, withVolumeLimits } from '../../../src/domain/kubernetes/volume-limits.js';
import { buildNode } from '../../support/builders.js';
import { HCLOUD_DRIVER, buildClaim } from '../../support/storage-builders.js';

describe('limits of volumes', () => {
  const claims = [buildClaim('data')];

  // scheduling 4.4 item 6
  it.each([
    [
      'what its drivers state',
      [{ nodeName: 'n1', limits: new Map([[HCLOUD_DRIVER, 8]]) }],
      [[HCLOUD_DRIVER, 8]],
    ],
    ['what is known where nothing is stated', [], [[HCLOUD_DRIVER, 16]]],
    [
      'what is known of a driver that has not registered yet',
      [{ nodeName: 'n1', limits: new Map([['other', 3]]) }],
      [
        [HCLOUD_DRIVER, 16],
        ['other', 3],
      ],
    ],
    [
      'no limit where the driver states none',
      [{ nodeName: 'n1', limits: new Map([[HCLOUD_DRIVER, Infinity]]) }],
      [[HCLOUD_DRIVER, Infinity]],
    ],
    [
      'nothing of other nodes',
      [{ nodeName: 'n2', limits: new Map([[HCLOUD_DRIVER, 8]]) }],
      [[HCLOUD_DRIVER, 16]],
    ],
  ])('a node has %s', (_, csiNodes, expected) => {
    const [node] = withVolumeLimits([buildNode('n1')], { claims, csiNodes });
    expect([...node!.volumeLimits!].sort()).toEqual(expected);
  });

  it('cost nothing in a cluster without claims', () => {
    const nodes = [buildNode('n1')];
    expect(withVolumeLimits(nodes, { claims: [], csiNodes: [] })).toBe(nodes);
  });

  it('are known of the driver of Hetzner', () => {
    expect(KNOWN_VOLUME_LIMITS).toEqual(new Map([['csi.hetzner.cloud', 16]]));
  });
});
