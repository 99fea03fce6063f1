import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import { SeededRandom, VirtualClock } from '../../src/sandbox/world/index.js';
import { dyingFront } from '../contract/cloud-provider/dying-front.js';
import type {
  CloudControl,
  CloudMachine,
  CloudProviderSubject,
} from '../contract/cloud-provider/cloud-provider-subject.js';
import { RecordedIncidents, RecordedLog, source } from '../support/recorders.js';
import { TinycloudApi, TinycloudProvider, readTinycloudConfiguration } from './adapter/index.js';
import { TOKEN, Tinycloud } from './fake/tinycloud.js';
import type { MachineRecord } from './fake/tinycloud.js';

const API = 'https://api.tinycloud.example';
const NODES = ['0:5:small:alpha', '1:5:large:beta'];
const SIZE_BY_POOL: Readonly<Record<string, string>> = { alpha: 'small', beta: 'large' };

/** What outlives the process: the cloud, time, and the network between. */
interface World {
  readonly clock: VirtualClock;
  readonly cloud: Tinycloud;
}

let serial = 0;

/** The adapter on its fake cloud, as the contract kit wants it. */
export function makeTinycloudSubject(): Promise<CloudProviderSubject> {
  const clock = new VirtualClock();
  return startOn({ clock, cloud: new Tinycloud(clock) });
}

async function startOn(world: World): Promise<CloudProviderSubject> {
  const { clock, cloud } = world;
  const dispatcher = new InProcessDispatcher({ clock }).mount(API, cloud.front);
  const configuration = readTinycloudConfiguration(source({ TINYCLOUD_TOKEN: TOKEN }), NODES);
  const log = new RecordedLog();
  const provider = new TinycloudProvider(
    configuration,
    new TinycloudApi(configuration, dispatcher),
    clock,
    new SeededRandom(`tinycloud-${serial++}`),
    log,
    new RecordedIncidents(),
  );
  const { signal } = new AbortController();
  await clock.complete(provider.start(signal));
  await clock.complete(provider.refresh(signal));
  return {
    provider,
    cloud: controlOf(cloud, dispatcher),
    secrets: [TOKEN],
    logText: () => log.text(),
    nowMs: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    complete: (work) => clock.complete(work),
    crashAfter: (requests) => {
      dispatcher.mount(API, dyingFront(cloud.front, requests));
      return { restart: () => startOn(world) };
    },
  };
}

function controlOf(cloud: Tinycloud, dispatcher: InProcessDispatcher): CloudControl {
  const seed = (pool: string | null, count: number): readonly CloudMachine[] =>
    Array.from({ length: count }, () => machineOf(cloud.seed(pool, SIZE_BY_POOL[pool ?? 'alpha'])));
  return {
    seed,
    seedForeign: (count) => seed(null, count),
    machines: () => [...cloud.machines.values()].map(machineOf),
    removeBehindBack: ({ name }) => {
      cloud.remove([...cloud.machines.values()].find((machine) => machine.name === name)!);
    },
    setStock: (groupId, count) => void cloud.stock.set(SIZE_BY_POOL[groupId]!, count),
    exhaustQuota: () => {
      cloud.limit = cloud.machines.size;
    },
    loseNextOrderReply: () => {
      cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-after' } });
    },
    failOrdersLater: () => {
      cloud.bootsFail = true;
    },
    cutApi: () => dispatcher.unmount(API),
    mendApi: () => void dispatcher.mount(API, cloud.front),
    delayOrders: (ms) => {
      cloud.faults.add({ match: { method: 'POST' }, action: { kind: 'delay', ms } });
    },
    calls: () => ({ ...cloud.calls }),
    brokenInvariants: () => [],
  };
}

function machineOf({ id, name, pool, status }: MachineRecord): CloudMachine {
  return { providerId: `tinycloud://${id}`, name, groupId: pool, isRunning: status === 'running' };
}
