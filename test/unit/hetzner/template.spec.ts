import type { PoolConfiguration } from '../../../src/adapters/hetzner/configuration/hetzner-configuration.js';
import type { ServerType } from '../../../src/adapters/hetzner/client/records.js';
import { Secret } from '../../../src/adapters/cloud-configuration/index.js';
import { buildTemplate } from '../../../src/adapters/hetzner/state/template.js';
import { GIB, MIB } from '../../support/builders.js';

const POOL: PoolConfiguration = {
  id: 'arm',
  minSize: 0,
  maxSize: 5,
  serverType: 'cax11',
  location: 'fsn1',
  userData: new Secret(''),
  images: { amd64: null, arm64: 'x' },
  labels: new Map([
    ['team', 'web'],
    ['topology.kubernetes.io/region', 'overridden'],
  ]),
  taints: [{ key: 'batch', value: 'true', effect: 'NoSchedule' }],
  serverLabels: new Map(),
  placementGroup: null,
  subnetIpRange: null,
  firewalls: [],
  options: {},
};
const TYPE: ServerType & { architecture: 'arm64' } = {
  id: 45,
  name: 'cax11',
  cores: 2,
  memoryGb: 4,
  diskGb: 40,
  architecture: 'arm64',
  locations: [],
  pricePerHour: new Map([['fsn1', 0.006]]),
};
const AUTO = { zoneLabelEnabled: true, memoryOverhead: { kind: 'auto' } } as const;

describe('template of a Hetzner pool', () => {
  // hetzner 7/32, without the attach limit, which a node record does not hold
  it('has the labels, taints and pod limit of a real node', () => {
    const { node, pricePerHour } = buildTemplate(POOL, TYPE, AUTO);
    expect(Object.fromEntries(node.labels)).toEqual({
      'kubernetes.io/hostname': node.name,
      'node.kubernetes.io/instance-type': 'cax11',
      'beta.kubernetes.io/instance-type': 'cax11',
      'topology.kubernetes.io/region': 'overridden',
      'failure-domain.beta.kubernetes.io/region': 'fsn1',
      'topology.kubernetes.io/zone': 'fsn1-dc14',
      'failure-domain.beta.kubernetes.io/zone': 'fsn1-dc14',
      'kubernetes.io/arch': 'arm64',
      'beta.kubernetes.io/arch': 'arm64',
      'kubernetes.io/os': 'linux',
      'beta.kubernetes.io/os': 'linux',
      'csi.hetzner.cloud/location': 'fsn1',
      'instance.hetzner.cloud/provided-by': 'cloud',
      'hcloud/node-group': 'arm',
      team: 'web',
    });
    expect(node.taints).toEqual(POOL.taints);
    expect(node).toMatchObject({
      providerId: '',
      unschedulable: false,
      conditions: { ready: { status: 'True' } },
    });
    expect(node.capacity.get('pods')).toBe(110);
    expect(node.capacity.get('cpu')).toBe(2_000);
    expect(pricePerHour).toBe(0.006);
  });

  // hetzner 7/33, the part on nominal memory
  it('promises less than the nominal size', () => {
    const { node } = buildTemplate(POOL, TYPE, AUTO);
    expect(node.capacity.get('memory')).toBe(4 * GIB - 328 * MIB);
    expect(node.allocatable.get('memory')).toBe(4 * GIB - 428 * MIB);
    // Measured on a real machine: 3907112 Ki.
    expect(node.capacity.get('memory')).toBeLessThan(3_907_112 * 1024);
    expect(node.allocatable.get('ephemeral-storage')).toBe(Math.floor(Math.floor(40 * GIB * 0.95) * 0.9));
  });

  it.each([
    [{ kind: 'none' }, 4 * GIB],
    [{ kind: 'bytes', bytes: 100 * MIB }, 4 * GIB - 100 * MIB],
    [{ kind: 'share', share: 0.5 }, 2 * GIB],
  ] as const)('obeys the overhead %j', (memoryOverhead, bytes) => {
    expect(buildTemplate(POOL, TYPE, { ...AUTO, memoryOverhead }).node.capacity.get('memory')).toBe(bytes);
  });

  it('leaves the zone out where the cloud controller does, and uses the name of a new location', () => {
    const without = buildTemplate(POOL, TYPE, { ...AUTO, zoneLabelEnabled: false });
    expect(without.node.labels.has('topology.kubernetes.io/zone')).toBe(false);
    const moved = buildTemplate({ ...POOL, location: 'muc1' }, TYPE, AUTO);
    expect(moved.node.labels.get('topology.kubernetes.io/zone')).toBe('muc1');
  });

  it('is the same for the same configuration', () => {
    expect(buildTemplate(POOL, TYPE, AUTO)).toEqual(buildTemplate(POOL, TYPE, AUTO));
  });
});
