import { DEFAULT_TOKEN, HetznerCloud } from '../../../src/sandbox/hetzner/index.js';
import type { ServerRecord } from '../../../src/sandbox/hetzner/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { buildHarness } from '../../integration/hetzner/hetzner-harness.js';
import type {
  CloudControl,
  CloudMachine,
  CloudProviderSubject,
  RecordedNode,
  SubjectLayout,
} from './cloud-provider-subject.js';
import { Line, Wire } from './wire.js';
import type { RequestKind } from './wire.js';

const API = 'https://api.hetzner.cloud';
const POOL_LABEL = 'hcloud/node-group';
const NODES = ['0:5:cx33:fsn1:alpha', '1:5:cpx32:nbg1:beta'];
const OFFERS: Readonly<Record<string, readonly [type: string, location: string]>> = {
  alpha: ['cx33', 'fsn1'],
  beta: ['cpx32', 'nbg1'],
};
const TAINT = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' } as const;
/** Entries of `nodeConfigs`. */
const POOLS: Readonly<Record<string, object>> = {
  alpha: { subnetIPRange: '10.20.1.0/24' },
  beta: { labels: { team: 'b' }, taints: [TAINT] },
};
/** More than any rule needs; the real default of 100 is no subject here. */
const SERVERS_MAX = 100_000;
const MIB = 1024 ** 2;

/** What outlives the process. */
interface World {
  readonly clock: VirtualClock;
  readonly cloud: HetznerCloud;
  readonly wire: Wire;
  readonly nodes: readonly string[];
}

let serial = 0;

/** The Hetzner adapter on the simulated Hetzner Cloud; `alpha` uses the subnet flow, the longest of all. */
export function makeHetznerSubject({ extraGroups = 0 }: SubjectLayout = {}): Promise<CloudProviderSubject> {
  const clock = new VirtualClock();
  const random = new SeededRandom(`contract-${serial++}`);
  const settings = { strictFields: true };
  const cloud = new HetznerCloud({ clock, random, fleet: new MachineFleet(), settings });
  cloud.setQuotas({ servers: SERVERS_MAX });
  const wire = new Wire(cloud.front, clock, { kindOf, refusal: (...error) => refusal(cloud, ...error) });
  const extra = Array.from({ length: extraGroups }, (_, index) => `0:100:cx33:fsn1:extra-${index}`);
  return startOn({ clock, cloud, wire, nodes: [...NODES, ...extra] });
}

async function startOn(world: World): Promise<CloudProviderSubject> {
  const { clock, cloud, wire, nodes } = world;
  const line = new Line(wire);
  const dispatcher = new InProcessDispatcher({ clock }).mount(API, line);
  const pools = nodes.map((spec) => spec.split(':').at(-1)!);
  const { provider, log, incidents, run, signal } = buildHarness({
    nodes,
    pools: Object.fromEntries(pools.map((id) => [id, POOLS[id] ?? {}])),
    variables: { HCLOUD_NETWORK: 'cluster-net' },
    seed: `contract-${serial++}`,
    world: { clock, cloud, dispatcher },
  });
  await run(provider.start(signal));
  await run(provider.refresh(signal));
  return {
    provider,
    cloud: controlOf(world),
    wire,
    line,
    clock,
    secrets: [DEFAULT_TOKEN, 'top.secret'],
    logText: () => `${log.text()}\n${incidents.text()}`,
    forgetLog: () => void log.lines.splice(0),
    twin: ({ without } = {}) => {
      const kept = nodes.filter((spec) => without === undefined || !spec.endsWith(`:${without}`));
      return startOn({ ...world, nodes: kept });
    },
  };
}

function controlOf({ cloud, wire }: World): CloudControl {
  const { createServer } = cloud.settings.timings;
  const spoiled: (() => void)[] = [];
  return {
    seed: (groupId, count) =>
      times(count, () => seed(cloud, `${groupId}-seed-${serial++}`, groupId)).map(machineOf),
    seedForeign: (count, name) =>
      times(count, () => seed(cloud, name ?? `foreign-seed-${serial++}`, null)).map(machineOf),
    machines: () => cloud.servers().map(machineOf),
    removeBehindBack: (machine) => cloud.vanishServer(machine.name),
    offerOf: (groupId) => offerOf(groupId)[0],
    setStock: (groupId, count) => cloud.setStock(...offerOf(groupId), count),
    setQuota: (left) =>
      cloud.setQuotas({ servers: left === null ? SERVERS_MAX : cloud.servers().length + left }),
    failOrdersLater: () => {
      cloud.behaviour.failActions('create_server', { code: 'resource_unavailable', message: 'no' }, 99);
    },
    holdOrders: (ms) => wire.fail('order', { kind: 'late', ms }),
    slowBoots: (ms) => {
      cloud.settings.timings.createServer = { meanMs: ms, spreadMs: 0 };
    },
    spoil: (groupId) => {
      const [type, location] = offerOf(groupId);
      const { offers } = cloud.typeOnSale(type)!;
      const offer = offers.get(location)!;
      offers.delete(location);
      spoiled.push(() => void offers.set(location, offer));
    },
    mend: () => {
      cloud.behaviour.clear();
      cloud.settings.timings.createServer = createServer;
      for (const restore of spoiled.splice(0)) restore();
    },
    realNode,
    brokenInvariants: () => cloud.invariants(),
    lock: (machine, ms) => cloud.lockServer(machine.name, ms),
    volumes: {
      attach: (machine) => void cloud.seedVolume('data', cloud.server(machine.name)),
      count: () => [...cloud.project().volumes.values()].filter(({ name }) => name === 'data').length,
    },
  };
}

function seed(cloud: HetznerCloud, name: string, groupId: string | null): ServerRecord {
  const [type, location] = offerOf(groupId ?? 'alpha');
  return cloud.seedServer({
    name,
    type,
    location,
    labels: groupId === null ? {} : { [POOL_LABEL]: groupId },
  });
}

/** As kubelet, cloud controller, volume driver and the pool's cloud-init make it. */
function realNode({ name, groupId }: CloudMachine): RecordedNode {
  const [type, location] = offerOf(groupId!);
  const zone = { fsn1: 'fsn1-dc14', nbg1: 'nbg1-dc3' }[location]!;
  const diskGib = { cx33: 80, cpx32: 160 }[type]!;
  return {
    labels: {
      'kubernetes.io/hostname': name,
      ...both('kubernetes.io/arch', 'beta.kubernetes.io/arch', 'amd64'),
      ...both('kubernetes.io/os', 'beta.kubernetes.io/os', 'linux'),
      ...both('node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type', type),
      ...both('topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region', location),
      ...both('topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone', zone),
      'csi.hetzner.cloud/location': location,
      'instance.hetzner.cloud/provided-by': 'cloud',
      [POOL_LABEL]: groupId!,
      ...(groupId === 'beta' ? { team: 'b' } : {}),
    },
    taints: groupId === 'beta' ? [TAINT] : [],
    allocatable: {
      cpu: 4_000,
      pods: 110,
      // Measured on cx33: 7,751 MiB of 8 GiB; the kubelet keeps 100 MiB.
      memory: 7_651 * MIB,
      // Measured: 37,818,813,820 bytes of 40 GiB.
      'ephemeral-storage': (37_818_813_820 / 40) * diskGib,
    },
    volumeLimits: { 'csi.hetzner.cloud': 16 },
  };
}

function both(key: string, beta: string, value: string): Record<string, string> {
  return { [key]: value, [beta]: value };
}

function refusal(cloud: HetznerCloud, error: string, retryAfterMs?: number): FrontResponse {
  const { status, body } = cloud.errorAnswer(error);
  const advice = retryAfterMs === undefined ? {} : { 'retry-after': `${Math.ceil(retryAfterMs / 1_000)}` };
  return { status, body, headers: { 'content-type': 'application/json', ...advice } };
}

function kindOf({ method, path }: FrontRequest): RequestKind {
  if (method === 'GET') return path === '/v1/servers' ? 'list' : 'read';
  if (method === 'POST' && path === '/v1/servers') return 'order';
  return method === 'DELETE' && path.startsWith('/v1/servers/') ? 'release' : 'write';
}

function offerOf(groupId: string): readonly [type: string, location: string] {
  return OFFERS[groupId] ?? ['cx33', 'fsn1'];
}

function machineOf(server: ServerRecord): CloudMachine {
  return {
    providerId: `hcloud://${server.id}`,
    name: server.name,
    groupId: server.labels[POOL_LABEL] ?? null,
    isRunning: server.status === 'running',
  };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
