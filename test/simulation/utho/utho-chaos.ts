import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { SeededRandom } from '../../../src/sandbox/world/index.js';
import { NODE_POOL_LABEL } from '../../../src/sandbox/utho-sandbox.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { manifestsOf } from '../workloads.js';
import type { Workload } from '../workloads.js';
import { POOLS } from './utho-pools.js';
import type { UthoHistory } from './utho-history.js';

const SECOND = 1_000;
const API = /^\/v2\//;
/** Demand at rest leaves room for pods that don't fit together well. */
const RESTING_PODS = 4;

/** Does things at random to the workloads, the platform, its API, and the program itself. */
export class UthoChaos {
  private readonly random: SeededRandom;
  private workloads: Workload[] = [];
  private serial = 0;
  private readonly remedies = new Set<() => void>();

  constructor(private readonly history: UthoHistory) {
    this.random = history.random.fork('chaos');
  }

  async act(): Promise<void> {
    const dice = this.random.next();
    if (dice < 0.25) this.deploy();
    else if (dice < 0.42) this.scale();
    else if (dice < 0.65) this.changePool();
    else if (dice < 0.9) this.troubleApi();
    else await this.troubleProgram();
  }

  /** All trouble ends, pools are as they were meant, and demand fits into them with ease. */
  calm(): void {
    const { cloud, cluster } = this.history.sandbox;
    for (const remedy of this.remedies) remedy();
    this.remedies.clear();
    cloud.faults.clear();
    cloud.setCapacity('none');
    for (const { id, min, max } of POOLS) {
      cloud.setAutoScale(id, true);
      cloud.setBounds(id, { min, max });
    }
    for (const { name } of this.workloads) cluster.delete(kinds.DEPLOYMENTS, name, 'default');
    this.workloads = [];
    this.deploy(RESTING_PODS);
    this.history.note('calm');
  }

  private deploy(replicas = 1 + this.random.int(6)): void {
    const workload: Workload = {
      ...{ kind: 'Deployment', name: `load-${++this.serial}`, namespace: 'default', stickiness: 'none' },
      pool: this.random.next() < 0.3 ? this.random.pick(POOLS).id : null,
      cpuMilli: 200 + this.random.int(1_200),
      replicas,
    };
    this.workloads.push(workload);
    this.history.note(`deploy ${JSON.stringify(workload)}`);
    this.history.sandbox.cluster.apply(...manifestsOf(workload, this.random, NODE_POOL_LABEL));
  }

  private scale(): void {
    if (this.workloads.length === 0) return this.deploy();
    const workload = this.random.pick(this.workloads);
    workload.replicas = this.random.int(7);
    this.history.note(`scale ${workload.name} to ${workload.replicas}`);
    this.history.sandbox.cluster.scaleDeployment(workload.name, workload.replicas);
  }

  /** What people and the platform do behind our back. */
  private changePool(): void {
    const { cloud, cluster } = this.history.sandbox;
    const { id, min, max } = this.random.pick(POOLS);
    const { count } = cloud.pool(id);
    this.one({
      grown: () => cloud.resizePool(id, count + 1 + this.random.int(3)),
      shrunk: () => cloud.resizePool(id, Math.max(1, count - 1 - this.random.int(2))),
      policy: () => this.scaleByItself(id, this.random.pick([-1, 1, 2])),
      destroyed: () => this.onWorker(id, (cloudId) => cloud.destroyWorker(cloudId)),
      nodeDeleted: () => {
        const node = cluster.nodes().find(({ metadata }) => metadata.labels?.[NODE_POOL_LABEL] === id);
        if (node !== undefined) cluster.delete(kinds.NODES, node.metadata.name);
      },
      failing: () => cloud.failNextWorkers(1 + this.random.int(2), { pool: id, message: 'It failed.' }),
      scarce: () => {
        cloud.setCapacity(this.random.pick(['reject', 'clip', 'fail'] as const));
        this.later(() => cloud.setCapacity('none'), 300);
      },
      switchedOff: () => {
        cloud.setAutoScale(id, false);
        this.later(() => cloud.setAutoScale(id, true), 240);
      },
      bounds: () => {
        cloud.setBounds(
          id,
          this.random.pick([{ max: max + 2 }, { min: 0 }, { max: null }, { min: 9, max: 3 }]),
        );
        this.later(() => cloud.setBounds(id, { min, max }), 240);
      },
    });
  }

  /** The platform's own scaling rules change their mind twice, at any time. They never remove the pool. */
  private scaleByItself(pool: string, change: number): void {
    const { cloud, clock } = this.history.sandbox;
    for (const step of [change, this.random.pick([-1, 1])]) {
      clock.schedule(this.random.int(90) * SECOND, () =>
        cloud.resizePool(pool, Math.max(1, cloud.pool(pool).count + step)),
      );
    }
  }

  private troubleApi(): void {
    const { cloud } = this.history.sandbox;
    const { random } = this;
    const method = random.pick(['GET', 'POST', 'DELETE', undefined]);
    const match = { path: API, ...(method !== undefined && { method }) };
    const lasting = (rule: Omit<Parameters<typeof cloud.faults.add>[0], 'match'>, seconds: number): void => {
      const id = cloud.faults.add({ match, ...rule });
      this.later(() => void cloud.faults.remove(id), seconds);
    };
    this.one({
      late: () => lasting({ probability: 0.6, action: { kind: 'delay', ms: random.int(50) * SECOND } }, 180),
      cut: () => {
        const kind = random.pick(['cut-before', 'cut-after'] as const);
        lasting({ probability: 0.6, action: { kind } }, 120);
      },
      errors: () => {
        const status = random.pick([200, 429, 500, 502, 503]);
        const body = random.pick(['{"status":"error","message":"Something went wrong"}', '<html>', '', 'x']);
        lasting({ probability: random.pick([0.3, 1]), action: { kind: 'answer', status, body } }, 180);
      },
      afterwards: () => {
        const action = { kind: 'commit-then-answer', status: 502, body: '<html>' } as const;
        lasting({ probability: 0.7, action }, 120);
      },
      readOnly: () => {
        cloud.setTokenWritable(DEFAULT_TOKEN, false);
        this.later(() => cloud.setTokenWritable(DEFAULT_TOKEN, true), 180);
      },
    });
  }

  private async troubleProgram(): Promise<void> {
    const { history, random } = this;
    if (random.next() < 0.5) await history.crash();
    else await history.stop();
    if (random.next() < 0.3) await history.pass(random.int(120) * SECOND);
    if (!history.isRunning) await history.start();
  }

  private onWorker(pool: string, deed: (cloudId: string) => void): void {
    const known = this.history.sandbox.cloud
      .workers(pool)
      .filter(({ cloudId, state }) => cloudId !== null && state !== 'deleting');
    if (known.length > 0) deed(this.random.pick(known).cloudId!);
  }

  private one(troubles: Readonly<Record<string, () => unknown>>): void {
    const name = this.random.pick(Object.keys(troubles));
    this.history.note(name);
    troubles[name]!();
  }

  private later(remedy: () => void, secondsMax: number): void {
    this.remedies.add(remedy);
    this.history.clock.schedule(this.random.int(secondsMax) * SECOND, () => {
      if (this.remedies.delete(remedy)) remedy();
    });
  }
}
