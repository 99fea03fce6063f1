import type { ImageRecord, NetworkRecord, PlacementGroupRecord } from './records.js';
import type { Project } from './project.js';

const DAY_MS = 24 * 3_600_000;

/** Fills a new project with what tests refer to by id (`hetzner` appendix A), except servers. */
export function addFixtures(project: Project, nowMs: number): void {
  const createdMs = nowMs - 300 * DAY_MS;
  for (const image of images(nowMs)) project.images.set(image.id, image);
  for (const network of networks(createdMs)) project.networks.set(network.id, network);
  for (const [id, name, labelSelector] of FIREWALLS) {
    project.firewalls.set(id, { id, name, createdMs, labels: {}, labelSelector });
  }
  project.sshKeys.set(3301, {
    id: 3301,
    name: 'ops',
    fingerprint: '0a:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:0f',
    publicKey: 'ssh-ed25519 AAAA ops',
    createdMs,
    labels: {},
  });
  for (const group of placementGroups(createdMs)) project.placementGroups.set(group.id, group);
}

const FIREWALLS = [
  [4711, 'cluster-fw', null],
  [4712, 'batch-extra', null],
  [4713, 'autoscaled-nodes', 'hcloud/node-group'],
] as const;

function networks(createdMs: number): readonly NetworkRecord[] {
  const eu = 'eu-central';
  return [
    {
      id: 5500,
      name: 'cluster-net',
      ipRange: '10.20.0.0/16',
      subnets: [
        { ipRange: '10.20.1.0/24', networkZone: eu },
        { ipRange: '10.20.2.0/24', networkZone: eu },
        { ipRange: '10.20.64.0/24', networkZone: 'us-east' },
      ],
      createdMs,
      labels: {},
      addresses: new Map(),
    },
    {
      id: 5501,
      name: 'tiny',
      ipRange: '10.9.0.0/29',
      subnets: [{ ipRange: '10.9.0.0/29', networkZone: eu }],
      createdMs,
      labels: {},
      addresses: new Map(),
    },
  ];
}

function placementGroups(createdMs: number): readonly PlacementGroupRecord[] {
  // Foreign members: servers that are none of anybody's business here.
  const foreign = Array.from({ length: 8 }, (_, index) => 60_000_001 + index);
  return [
    { id: 990, name: 'batch-spread', labels: {}, createdMs, members: new Set() },
    { id: 991, name: 'crowded', labels: {}, createdMs, members: new Set(foreign) },
  ];
}

function images(nowMs: number): readonly ImageRecord[] {
  const base = {
    status: 'available',
    deprecatedMs: null,
    deletedMs: null,
    labels: {},
    architecture: 'x86',
    diskGb: 40,
  } as const;
  const system = { ...base, type: 'system', diskGb: 5, createdMs: nowMs - 500 * DAY_MS } as const;
  const snapshot = { ...base, type: 'snapshot', name: null } as const;
  const ago = (days: number): number => nowMs - days * DAY_MS;
  const amd = { role: 'k8s-amd' };
  return [
    { ...system, id: 161547269, name: 'ubuntu-24.04', description: 'Ubuntu 24.04' },
    { ...system, id: 161547270, name: 'ubuntu-24.04', description: 'Ubuntu 24.04', architecture: 'arm' },
    { ...system, id: 170000001, name: 'debian-13', description: 'Debian 13' },
    { ...system, id: 170000002, name: 'debian-13', description: 'Debian 13', architecture: 'arm' },
    {
      ...system,
      id: 15512617,
      name: 'ubuntu-20.04',
      description: 'Ubuntu 20.04',
      deprecatedMs: ago(365),
      deletedMs: ago(275),
    },
    { ...snapshot, id: 233445501, description: 'node image 1', createdMs: ago(60), labels: amd },
    { ...snapshot, id: 233445502, description: 'node image 2', createdMs: ago(30), labels: amd },
    {
      ...snapshot,
      id: 233445503,
      description: 'node image 3',
      createdMs: ago(20),
      labels: amd,
      status: 'creating',
    },
    {
      ...snapshot,
      id: 233445566,
      description: 'node image arm',
      createdMs: ago(40),
      labels: { role: 'k8s-arm' },
      architecture: 'arm',
    },
    { ...snapshot, id: 233445599, description: 'unrelated', createdMs: ago(1) },
    {
      ...snapshot,
      id: 233445600,
      description: 'large',
      createdMs: ago(10),
      labels: { role: 'big' },
      diskGb: 160,
    },
  ];
}
