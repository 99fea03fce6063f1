import { POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';
import { kinds } from '../../src/sandbox/kubernetes/index.js';
import type { Kind } from '../../src/sandbox/kubernetes/index.js';
import type { SeededRandom } from '../../src/sandbox/world/index.js';
import type { History } from './history.js';
import { POOLS } from './pools.js';
import { budgetsOf, drawWorkload, manifestsOf } from './workloads.js';
import type { Workload } from './workloads.js';

const SECOND = 1_000;
const WATCHED: readonly (Kind | undefined)[] = [undefined, kinds.PODS, kinds.NODES, kinds.DISRUPTION_BUDGETS];
const KIND_OF = {
  Deployment: kinds.DEPLOYMENTS,
  StatefulSet: kinds.STATEFUL_SETS,
  Job: kinds.JOBS,
  Pod: kinds.PODS,
} as const;
/** Demand in turmoil may exceed what there is; at rest it leaves room for pods that don't fit together well. */
const RESTING_SHARE = 0.4;
/** Nothing that works takes so long from its order to a running server. */
const STUCK_MS = 120 * SECOND;

/** Does things to the world at random: to its workloads, its cloud, its API server and the program itself. */
export class Chaos {
  private readonly random: SeededRandom;
  private readonly workloads: Workload[] = [];
  private serial = 0;
  /** What ends a trouble that lasts. */
  private readonly remedies = new Set<() => void>();

  constructor(private readonly history: History) {
    this.random = history.random.fork('chaos');
  }

  async act(): Promise<void> {
    const dice = this.random.next();
    if (dice < 0.28) this.deploy();
    else if (dice < 0.45) this.scale();
    else if (dice < 0.56) this.remove();
    else if (dice < 0.78) this.troubleCloud();
    else if (dice < 0.92) this.troubleApiServer();
    else await this.troubleProgram();
  }

  /** All faults end, and demand falls to what the pools can hold with ease. */
  calm(): void {
    const { sandbox } = this.history;
    for (const remedy of this.remedies) remedy();
    this.remedies.clear();
    sandbox.cloud.faults.clear();
    sandbox.cloud.behaviour.clear();
    this.freeStuckServers();
    this.history.clock.schedule(STUCK_MS, () => this.freeStuckServers());
    for (const { type, location } of POOLS) sandbox.cloud.setStock(type, location, Infinity);
    sandbox.cloud.setQuotas({ servers: 100, dedicatedCores: 64 });
    while (this.isTooMuch()) this.removeOne(this.workloads[0]!);
    this.history.note('calm');
  }

  /** An action that never ends keeps its server locked for ever; some day the provider's staff sees to it. */
  private freeStuckServers(): void {
    const { cloud, clock } = this.history.sandbox;
    const stuck = cloud
      .servers()
      .filter(({ status, createdMs }) => status !== 'running' && clock.now() - createdMs >= STUCK_MS);
    for (const { name } of stuck) cloud.vanishServer(name);
  }

  private isTooMuch(): boolean {
    const loadOf = (of: readonly Workload[]): number =>
      of.reduce((sum, { cpuMilli, replicas }) => sum + cpuMilli * replicas, 0);
    const roomOf = (names: readonly string[]): number =>
      POOLS.filter(({ name }) => names.includes(name)).reduce(
        (sum, pool) => sum + pool.max * pool.cpuMilli,
        0,
      );
    const pinned = POOLS.some(
      ({ name }) =>
        loadOf(this.workloads.filter(({ pool }) => pool === name)) > RESTING_SHARE * roomOf([name]),
    );
    return pinned || loadOf(this.workloads) > RESTING_SHARE * roomOf(POOLS.map(({ name }) => name));
  }

  private deploy(): void {
    const smallest = Math.min(...POOLS.map(({ cpuMilli }) => cpuMilli));
    const names = POOLS.map(({ name }) => name);
    const workload = drawWorkload(this.random, ++this.serial, names, smallest);
    this.workloads.push(workload);
    this.history.note(`deploy ${JSON.stringify(workload)}`);
    this.history.sandbox.cluster.apply(...manifestsOf(workload, this.random));
  }

  private scale(): void {
    const scalable = this.workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    if (scalable.length === 0) return this.deploy();
    const workload = this.random.pick(scalable);
    workload.replicas = this.random.int(9);
    this.history.note(`scale ${workload.name} to ${workload.replicas}`);
    const ref = { namespace: workload.namespace, name: workload.name };
    const kind = workload.kind === 'Deployment' ? kinds.DEPLOYMENTS : kinds.STATEFUL_SETS;
    this.history.sandbox.cluster.modify(kind, ref, (draft) => (draft.spec.replicas = workload.replicas));
  }

  private remove(): void {
    if (this.workloads.length > 0) this.removeOne(this.random.pick(this.workloads));
  }

  private removeOne(workload: Workload): void {
    this.workloads.splice(this.workloads.indexOf(workload), 1);
    this.history.note(`remove ${workload.name}`);
    const { cluster } = this.history.sandbox;
    const { kind, name, namespace } = workload;
    if (cluster.get<never>(KIND_OF[kind] as Kind<never>, name, namespace) !== undefined)
      cluster.delete(KIND_OF[kind], name, namespace, { propagationPolicy: 'Background' });
    if (budgetsOf(workload).length > 0) cluster.delete(kinds.DISRUPTION_BUDGETS, name, namespace);
  }

  private troubleCloud(): void {
    const { cloud } = this.history.sandbox;
    const { random } = this;
    const troubles: Readonly<Record<string, () => void>> = {
      stock: () => {
        const { type, location } = random.pick(POOLS);
        cloud.setStock(type, location, random.int(3));
        this.later(() => cloud.setStock(type, location, Infinity), 600);
      },
      quota: () => {
        cloud.setQuotas({ servers: cloud.servers().length + random.int(2) });
        this.later(() => cloud.setQuotas({ servers: 100 }), 600);
      },
      lostReplies: () => {
        cloud.loseNextReply('POST', '/servers', 1 + random.int(3));
      },
      lostDeletion: () => {
        cloud.loseNextReply('DELETE', /^\/v1\/servers\/\d+$/, 1 + random.int(2));
      },
      failingActions: () => {
        const command = random.pick(['create_server', 'start_server', 'delete_server']);
        cloud.behaviour.failActions(
          command,
          { code: 'action_failed', message: 'Action failed' },
          1 + random.int(3),
        );
      },
      stuckAction: () => cloud.behaviour.stickActions(random.pick(['create_server', 'start_server'])),
      hiddenActions: () => cloud.behaviour.hideAction(null, 1 + random.int(6)),
      errors: () => {
        const [status, code] = random.pick([
          [500, 'server_error'],
          [503, 'unavailable'],
          [429, 'rate_limit_exceeded'],
          [423, 'locked'],
        ] as const);
        const body = JSON.stringify({ error: { code, message: code } });
        const probability = random.pick([0.2, 0.7, 1]);
        const id = cloud.faults.add({
          match: { path: /^\/v1\// },
          probability,
          action: { kind: 'answer', status, body },
        });
        this.later(() => void cloud.faults.remove(id), 240);
      },
      slow: () => {
        const id = cloud.faults.add({
          match: { path: /^\/v1\// },
          probability: 0.5,
          action: { kind: 'delay', ms: random.int(40 * SECOND) },
        });
        this.later(() => void cloud.faults.remove(id), 240);
      },
      cut: () => {
        const kind = random.pick(['cut-before', 'cut-after'] as const);
        const id = cloud.faults.add({ match: { path: /^\/v1\// }, probability: 0.5, action: { kind } });
        this.later(() => void cloud.faults.remove(id), 120);
      },
      nodeless: () => cloud.behaviour.keepNodesAway(() => true, 1 + random.int(2)),
      dropped: () => {
        const servers = cloud.servers();
        if (servers.length > 0) cloud.behaviour.dropFromList(random.pick(servers).id, 1 + random.int(2));
      },
      vanished: () => {
        const server = this.anyPoolServer();
        if (server !== undefined) cloud.vanishServer(server);
      },
      off: () => {
        const server = this.anyPoolServer();
        if (server !== undefined) cloud.setServerStatus(server, 'off');
      },
      locked: () => {
        const server = this.anyPoolServer();
        if (server !== undefined) cloud.lockServer(server, random.int(180) * SECOND);
      },
    };
    this.one(troubles);
  }

  private anyPoolServer(): string | undefined {
    const running = this.history.sandbox.cloud
      .servers()
      .filter(({ labels, status }) => labels[POOL_LABEL] !== undefined && status === 'running');
    return running.length === 0 ? undefined : this.random.pick(running).name;
  }

  private troubleApiServer(): void {
    const { faults } = this.history.sandbox.cluster;
    const { random } = this;
    const kind = random.pick(WATCHED);
    this.one({
      down: () => {
        faults.down = true;
        faults.cutWatches();
        this.later(() => (faults.down = false), 60);
      },
      cut: () => faults.cutWatches(kind),
      ended: () => faults.cutWatches(kind, 'cleanly'),
      expired: () => faults.expireWatches(kind),
      refused: () => (faults.expiredWatches = 1 + random.int(3)),
      silent: () => faults.silenceWatches(kind === kinds.PODS ? undefined : kind),
      doubled: () => {
        faults.duplicates = 1;
        this.later(() => (faults.duplicates = 0), 300);
      },
      forbidden: () => {
        const resource = random.pick(['nodes', 'pods', 'events', 'configmaps']);
        const isWrite = (verb: string): boolean => !['get', 'list', 'watch'].includes(verb);
        faults.forbids = (access) => access.resource.startsWith(resource) && isWrite(access.verb);
        this.later(() => (faults.forbids = () => false), 240);
      },
    });
  }

  private async troubleProgram(): Promise<void> {
    const { history, random } = this;
    if (random.next() < 0.5) await history.crash();
    else await history.stop();
    if (random.next() < 0.3) await history.pass(random.int(300) * SECOND);
    if (!history.isRunning) await history.start();
  }

  private one(troubles: Readonly<Record<string, () => unknown>>): void {
    const name = this.random.pick(Object.keys(troubles));
    this.history.note(name);
    troubles[name]!();
  }

  /** Within so many seconds, or when the world comes to rest. */
  private later(remedy: () => void, secondsMax: number): void {
    this.remedies.add(remedy);
    this.history.clock.schedule(this.random.int(secondsMax) * SECOND, () => {
      if (this.remedies.delete(remedy)) remedy();
    });
  }
}
