import type { CloudProvider } from '../../src/application/ports/cloud-provider.js';
import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import { SeededRandom, VirtualClock } from '../../src/sandbox/world/index.js';
import type { Front, FrontRequest } from '../../src/sandbox/world/index.js';
import type {
  CloudControl,
  CloudMachine,
  CloudProviderSubject,
  RecordedNode,
  SubjectLayout,
} from '../contract/cloud-provider/cloud-provider-subject.js';
import { Line, Wire } from '../contract/cloud-provider/wire.js';
import type { RequestKind } from '../contract/cloud-provider/wire.js';
import { RecordedIncidents, RecordedLog, source } from '../support/recorders.js';
import { TinycloudApi, TinycloudProvider, readTinycloudConfiguration } from './adapter/index.js';
import { RECORDED_ALLOCATABLE, VOLUMES_MAX } from './fake/hardware.js';
import { BOOT_MS, TOKEN, Tinycloud, errorAnswer } from './fake/tinycloud.js';
import type { MachineRecord } from './fake/tinycloud.js';

const API = 'https://api.tinycloud.example';
const NODES = ['0:5:small:alpha', '1:5:large:beta'];
const SIZE_BY_POOL: Readonly<Record<string, string>> = { alpha: 'small', beta: 'large' };

/** What outlives the process: the cloud, time, and the network between. */
interface World {
  readonly clock: VirtualClock;
  readonly cloud: Tinycloud;
  readonly wire: Wire;
  readonly nodes: readonly string[];
}

/** Makes something else of the adapter, to see whether the kit notices. */
export interface Twist {
  readonly provider?: (provider: CloudProvider, world: World) => CloudProvider;
  /** Between adapter and wire: what the adapter sends and reads is another thing then. */
  readonly front?: (front: Front, world: World) => Front;
  readonly random?: SeededRandom;
  readonly nodes?: (nodes: readonly string[]) => readonly string[];
}

let serial = 0;

/** The adapter on its fake cloud, as the contract kit wants it. */
export function makeTinycloudSubject(
  { extraGroups = 0 }: SubjectLayout = {},
  twist: Twist = {},
): Promise<CloudProviderSubject> {
  const clock = new VirtualClock();
  const cloud = new Tinycloud(clock);
  const wire = new Wire(cloud.front, clock, { kindOf, refusal: errorAnswer });
  const extra = Array.from({ length: extraGroups }, (_, index) => `0:100:small:extra-${index}`);
  return startOn({ clock, cloud, wire, nodes: [...NODES, ...extra] }, twist);
}

async function startOn(world: World, twist: Twist): Promise<CloudProviderSubject> {
  const { clock, wire, nodes } = world;
  const line = new Line(wire);
  const front = twist.front?.(line, world) ?? line;
  const dispatcher = new InProcessDispatcher({ clock }).mount(API, front);
  const configuration = readTinycloudConfiguration(
    source({ TINYCLOUD_TOKEN: TOKEN }),
    twist.nodes?.(nodes) ?? nodes,
  );
  const [log, incidents] = [new RecordedLog(), new RecordedIncidents()];
  const honest = new TinycloudProvider(
    configuration,
    new TinycloudApi(configuration, dispatcher),
    clock,
    twist.random ?? new SeededRandom(`tinycloud-${serial++}`),
    log,
    incidents,
  );
  const provider = twist.provider?.(honest, world) ?? honest;
  const { signal } = new AbortController();
  await clock.complete(provider.start(signal));
  await clock.complete(provider.refresh(signal));
  return {
    provider,
    cloud: controlOf(world),
    wire,
    line,
    clock,
    secrets: [TOKEN],
    logText: () => `${log.text()}\n${incidents.text()}`,
    forgetLog: () => void log.lines.splice(0),
    twin: ({ without } = {}) => {
      const kept = nodes.filter((spec) => without === undefined || !spec.endsWith(`:${without}`));
      return startOn({ ...world, nodes: kept }, twist);
    },
  };
}

function controlOf({ clock, cloud, wire }: World): CloudControl {
  const find = ({ name }: CloudMachine): MachineRecord =>
    [...cloud.machines.values()].find((machine) => machine.name === name)!;
  return {
    seed: (groupId, count) => times(count, () => machineOf(cloud.seed(groupId, sizeOf(groupId)))),
    seedForeign: (count, name) => times(count, () => machineOf(cloud.seed(null, 'small', name))),
    machines: () => [...cloud.machines.values()].map(machineOf),
    removeBehindBack: (machine) => cloud.remove(find(machine)),
    offerOf: sizeOf,
    setStock: (groupId, count) => void cloud.stock.set(sizeOf(groupId), count),
    setQuota: (machinesLeft) => {
      cloud.limit = machinesLeft === null ? Infinity : cloud.machines.size + machinesLeft;
    },
    failOrdersLater: () => {
      cloud.bootsFail = true;
    },
    holdOrders: (ms) => wire.fail('order', { kind: 'late', ms }),
    slowBoots: (ms) => {
      cloud.bootMs = ms;
    },
    spoil: (groupId) => void cloud.withdrawn.add(sizeOf(groupId)),
    mend: () => {
      cloud.bootsFail = false;
      cloud.bootMs = BOOT_MS;
      cloud.withdrawn.clear();
    },
    realNode,
    brokenInvariants: () => [],
    lock: (machine, ms) => void cloud.lockedUntilMs.set(find(machine).id, clock.now() + ms),
    volumes: {
      attach: (machine) => void cloud.volumes.set(`volume-${cloud.volumes.size}`, find(machine).id),
      count: () => cloud.volumes.size,
    },
  };
}

/** As the kubelet and Tinycloud's image make it. */
function realNode({ name, groupId }: CloudMachine): RecordedNode {
  const size = sizeOf(groupId!);
  return {
    labels: {
      'kubernetes.io/hostname': name,
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': size,
      'tinycloud.example/pool': groupId!,
    },
    taints: [],
    allocatable: RECORDED_ALLOCATABLE[size]!,
    volumeLimits: { 'csi.tinycloud.example': VOLUMES_MAX },
  };
}

function kindOf({ method, path }: FrontRequest): RequestKind {
  if (method === 'POST') return 'order';
  if (method === 'DELETE') return 'release';
  return path === '/v1/machines' ? 'list' : 'read';
}

function sizeOf(groupId: string): string {
  return SIZE_BY_POOL[groupId] ?? 'small';
}

function machineOf({ id, name, pool, status }: MachineRecord): CloudMachine {
  return { providerId: `tinycloud://${id}`, name, groupId: pool, isRunning: status === 'running' };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
