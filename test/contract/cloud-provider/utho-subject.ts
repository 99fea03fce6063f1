import type { Node } from '../../../src/domain/kubernetes/node.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import { DEFAULT_CLUSTER, DEFAULT_TOKEN, UthoCloud } from '../../../src/sandbox/utho/index.js';
import type { Worker } from '../../../src/sandbox/utho/index.js';
import type { FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { ORIGIN, buildHarness } from '../../integration/utho/utho-harness.js';
import { buildNode } from '../../support/builders.js';
import type {
  CloudControl,
  CloudMachine,
  CloudProviderSubject,
  RecordedNode,
  SubjectLayout,
} from './cloud-provider-subject.js';
import { Line, Wire } from './wire.js';
import type { RequestKind } from './wire.js';

/** Pools that are not autoscaled: their workers are nobody's. The one of the system has a node from the beginning. */
const STATIC_POOL = 'static-pool';
const SYSTEM_POOL = 'system-pool';
const PLAN_BY_POOL: Readonly<Record<string, string>> = { alpha: '10355', beta: '10364' };
const TAINT = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' } as const;
const TIMINGS = {
  visibleAfterMs: 2_000,
  activeAfterMs: 20_000,
  deleteTakesMs: 5_000,
  recreateAfterMs: 45_000,
};
const OUT_OF_STOCK = 'The selected plan is out of stock in this location.';
const OVER_QUOTA = 'Your account has reached its quota of cloud instances.';
const MIB = 1024 ** 2;
const GB = 1_000 ** 3;

/** What outlives the process. */
interface World {
  readonly clock: VirtualClock;
  readonly cloud: UthoCloud;
  readonly wire: Wire;
}

let serial = 0;

/** The Utho adapter on the simulated Utho. The last worker of `alpha` may go, by name. */
export function makeUthoSubject({ extraGroups = 0 }: SubjectLayout = {}): Promise<CloudProviderSubject> {
  const clock = new VirtualClock();
  const random = new SeededRandom(`contract-${serial++}`);
  const settings = { timings: TIMINGS };
  const cloud = new UthoCloud({ clock, random, fleet: new MachineFleet(), settings });
  cloud.seedCluster();
  cloud.seedPool({ id: 'alpha', planId: planOf('alpha'), min: 0, max: 5, workers: 0 });
  cloud.seedPool({ id: 'beta', planId: planOf('beta'), min: 1, max: 5, workers: 0 });
  for (let index = 0; index < extraGroups; index++) {
    cloud.seedPool({ id: `extra-${index}`, planId: planOf(''), min: 0, max: 100, workers: 0 });
  }
  cloud.seedPool({ id: STATIC_POOL, autoScale: false, workers: 0 });
  cloud.seedPool({ id: SYSTEM_POOL, autoScale: false, workers: 1 });
  return startOn({ clock, cloud, wire: new Wire(cloud.front, clock, { kindOf, refusal }) });
}

async function startOn(world: World): Promise<CloudProviderSubject> {
  const { clock, cloud, wire } = world;
  const line = new Line(wire);
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, line);
  const { provider, log, incidents, run, signal } = buildHarness({
    config: {
      allow_scale_to_zero: true,
      node_templates: { beta: { labels: { team: 'b' }, taints: [TAINT] } },
    },
    nodes: [systemNode(cloud)],
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
    secrets: [DEFAULT_TOKEN],
    logText: () => `${log.text()}\n${incidents.text()}`,
    forgetLog: () => void log.lines.splice(0),
    twin: ({ without } = {}) => {
      if (without !== undefined) cloud.setAutoScale(without, false);
      return startOn(world);
    },
  };
}

function controlOf({ cloud }: World): CloudControl {
  const setCapacity = (capacity: 'none' | 'reject', message: string, poolIds: readonly string[]): void => {
    cloud.settings.capacityMessage = message;
    for (const poolId of poolIds) cloud.setCapacity(capacity, poolId);
  };
  return {
    seed: (groupId, count) => times(count, () => machineOf(groupId, cloud.seedWorker(groupId))),
    seedForeign: (count, name) =>
      times(count, () =>
        machineOf(null, cloud.seedWorker(STATIC_POOL, name === undefined ? {} : { hostname: name })),
      ),
    machines: () => machinesOf(cloud),
    removeBehindBack: ({ providerId, groupId }) => {
      const poolId = groupId ?? STATIC_POOL;
      const { count } = cloud.pool(poolId);
      cloud.destroyWorker(idOf(providerId));
      // With the count lowered after it, nothing replaces it and nobody else goes.
      cloud.resizePool(poolId, count - 1);
    },
    offerOf: planOf,
    setStock: (groupId, count) => setCapacity(count === 0 ? 'reject' : 'none', OUT_OF_STOCK, [groupId]),
    setQuota: (left) =>
      setCapacity(left === null ? 'none' : 'reject', OVER_QUOTA, [...cloud.cluster().pools.keys()]),
    failOrdersLater: () => cloud.setCapacity('fail'),
    // Workers that nothing runs on yet can be taken back by name; what is not listed can't.
    holdOrders: (ms) => cloud.configure({ timings: { visibleAfterMs: 0, activeAfterMs: ms } }),
    slowBoots: (ms) => cloud.configure({ timings: { activeAfterMs: ms } }),
    spoil: (groupId) => cloud.distortPool(groupId, { count: 'many' }),
    mend: () => {
      cloud.setCapacity('none');
      cloud.configure({ timings: TIMINGS });
      for (const poolId of cloud.cluster().pools.keys()) cloud.distortPool(poolId, {});
    },
    realNode: (machine) => realNode(cloud, machine),
    brokenInvariants: () => cloud.invariants(),
  };
}

function machinesOf(cloud: UthoCloud): readonly CloudMachine[] {
  const pools = [...cloud.cluster().pools.values()].filter(({ id }) => id !== SYSTEM_POOL);
  return pools.flatMap(({ id, workers }) =>
    workers
      .filter(({ cloudId }) => cloudId !== null)
      .map((worker) => machineOf(id === STATIC_POOL ? null : id, worker)),
  );
}

/** No worker of the groups has joined, as far as the cluster's watch shows. */
function systemNode(cloud: UthoCloud): Node {
  const machine = machineOf(SYSTEM_POOL, cloud.workers(SYSTEM_POOL)[0]!);
  const { labels } = realNode(cloud, machine);
  return buildNode(machine.name, { providerId: machine.providerId, labels });
}

/** As kubelet, platform and cloud controller make it. */
function realNode(cloud: UthoCloud, { providerId, name, groupId }: CloudMachine): RecordedNode {
  const { dcslug, vpc } = cloud.cluster();
  const planId = planOf(groupId ?? '');
  const { cpu, ramMb, diskGb } = cloud.world.plans.get(planId)!;
  return {
    labels: {
      'kubernetes.io/hostname': name.toLowerCase(),
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': planId,
      'topology.kubernetes.io/region': dcslug,
      node_id: idOf(providerId),
      nodepool_id: groupId ?? STATIC_POOL,
      cluster_id: DEFAULT_CLUSTER,
      cluster_dcslug: dcslug,
      cluster_vpc: vpc,
      ...(groupId === 'beta' ? { team: 'b' } : {}),
    },
    taints: groupId === 'beta' ? [TAINT] : [],
    // Nobody has measured one: what is sold, less what every kubelet keeps by default.
    allocatable: {
      cpu: cpu * 1_000,
      memory: (ramMb - 100) * MIB,
      'ephemeral-storage': diskGb * GB * 0.9,
      pods: 110,
    },
    volumeLimits: {},
  };
}

/** Errors of `utho` 3.3 by what they mean: status, and the body's message. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  'out of stock': [200, OUT_OF_STOCK],
  'quota exceeded': [200, OVER_QUOTA],
  'credit used up': [200, 'Insufficient credit balance.'],
  unauthorized: [401, 'Unauthorized access. Please provide a valid API key.'],
  'read-only key': [403, 'This API key has no write permission.'],
  'no such pool': [404, 'Node pool not found.'],
  'bad request': [400, 'The count is invalid.'],
  'slow down': [429, 'Too many requests.'],
  'out of cheese': [200, 'We are out of cheese.'],
};

function refusal(error: string, retryAfterMs?: number): FrontResponse {
  const [status, message] = REFUSALS[error]!;
  const advice = retryAfterMs === undefined ? {} : { 'retry-after': `${Math.ceil(retryAfterMs / 1_000)}` };
  const headers = { 'content-type': 'application/json', ...advice };
  return { status, headers, body: JSON.stringify({ status: 'error', message }) };
}

function kindOf({ method, path }: FrontRequest): RequestKind {
  if (method === 'POST') return 'order';
  if (method === 'DELETE') return 'release';
  return /^\/v2\/kubernetes\/\d+$/.test(path) ? 'list' : 'read';
}

function machineOf(groupId: string | null, { cloudId, hostname, state }: Worker): CloudMachine {
  return { providerId: `utho://${cloudId ?? ''}`, name: hostname, groupId, isRunning: state === 'active' };
}

function planOf(groupId: string): string {
  return PLAN_BY_POOL[groupId] ?? '10355';
}

function idOf(providerId: string): string {
  return providerId.replace('utho://', '');
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
