import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import type { ServerRecord } from '../../../src/sandbox/hetzner/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { Front } from '../../../src/sandbox/world/front.js';
import { buildHarness } from '../../integration/hetzner/hetzner-harness.js';
import type { Harness } from '../../integration/hetzner/hetzner-harness.js';
import { dyingFront } from './dying-front.js';
import type { CloudControl, CloudMachine, CloudProviderSubject } from './cloud-provider-subject.js';

const API = 'https://api.hetzner.cloud';
const POOL_LABEL = 'hcloud/node-group';
const NODES = ['0:5:cx33:fsn1:alpha', '1:5:cpx32:nbg1:beta'];
const OFFERS: Record<string, [string, string]> = { alpha: ['cx33', 'fsn1'], beta: ['cpx32', 'nbg1'] };

/** The Hetzner adapter on the simulated Hetzner Cloud; `alpha` uses the subnet flow, the longest of all. */
export async function makeHetznerSubject(): Promise<CloudProviderSubject> {
  const world = buildWorld();
  const harness = buildOn(world);
  await harness.run(harness.provider.start(harness.signal));
  await harness.run(harness.provider.refresh(harness.signal));
  return subjectOf(harness, controlOf(world));
}

type World = Pick<Harness, 'clock' | 'cloud' | 'dispatcher'>;

function buildWorld(): World {
  const { clock, cloud, dispatcher } = buildOn();
  return { clock, cloud, dispatcher };
}

let serial = 0;

function buildOn(world?: World): Harness {
  return buildHarness({
    nodes: NODES,
    pools: { alpha: { subnetIPRange: '10.20.1.0/24' }, beta: {} },
    variables: { HCLOUD_NETWORK: 'cluster-net' },
    seed: `contract-${serial++}`,
    ...(world === undefined ? {} : { world }),
  });
}

function subjectOf(harness: Harness, cloud: CloudControl): CloudProviderSubject {
  return {
    provider: harness.provider,
    cloud,
    secrets: [DEFAULT_TOKEN, 'top.secret'],
    logText: () => harness.log.text(),
    nowMs: () => harness.clock.now(),
    advance: (ms) => harness.clock.advance(ms),
    complete: (work) => harness.run(work),
    crashAfter: (requests) => {
      harness.dispatcher.mount(API, dyingFront(harness.cloud.front, requests));
      return {
        restart: async () => {
          const { clock, cloud: world } = harness;
          const next = buildOn({ clock, cloud: world, dispatcher: dispatcherFor(harness, world.front) });
          await next.run(next.provider.start(next.signal));
          await next.run(next.provider.refresh(next.signal));
          return subjectOf(next, cloud);
        },
      };
    },
  };
}

function dispatcherFor(harness: Harness, front: Front): InProcessDispatcher {
  return new InProcessDispatcher({ clock: harness.clock }).mount(API, front);
}

function controlOf({ cloud, dispatcher }: World): CloudControl {
  const seed = (label: string | null, count: number): readonly CloudMachine[] =>
    Array.from({ length: count }, () => {
      const [type, location] = OFFERS[label ?? 'alpha']!;
      const name = `${label ?? 'foreign'}-seed-${serial++}`;
      const labels = label === null ? {} : { [POOL_LABEL]: label };
      return machineOf(cloud.seedServer({ name, type, location, labels }));
    });
  return {
    seed,
    seedForeign: (count) => seed(null, count),
    machines: () => cloud.servers().map(machineOf),
    removeBehindBack: (machine) => cloud.vanishServer(machine.name),
    setStock: (groupId, count) => cloud.setStock(...OFFERS[groupId]!, count),
    exhaustQuota: () => cloud.setQuotas({ servers: cloud.servers().length }),
    loseNextOrderReply: () => void cloud.loseNextReply('POST', '/servers'),
    failOrdersLater: () => {
      cloud.behaviour.failActions('create_server', { code: 'resource_unavailable', message: 'no' }, 99);
    },
    cutApi: () => dispatcher.unmount(API),
    mendApi: () => void dispatcher.mount(API, cloud.front),
    delayOrders: (ms) => {
      cloud.faults.add({ match: { method: 'POST', path: '/v1/servers' }, action: { kind: 'delay', ms } });
    },
    calls: () => {
      const calls = cloud.calls();
      const reads = calls.filter((call) => call.method === 'GET').length;
      return { reads, writes: calls.length - reads };
    },
    brokenInvariants: () => cloud.invariants(),
  };
}

function machineOf(server: ServerRecord): CloudMachine {
  return {
    providerId: `hcloud://${server.id}`,
    name: server.name,
    groupId: server.labels[POOL_LABEL] ?? null,
    isRunning: server.status === 'running',
  };
}
