import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HetznerSandbox } from '../../sandbox/hetzner-sandbox.js';
import { AutoscalerProcess } from './autoscaler-process.js';
import {
  DEMO_FLAGS,
  GROWING_POOL,
  POD_COUNT,
  POOL_MINIMUM,
  SOLD_OUT_POOL,
  createDemoWorld,
  demoEnvironment,
  workload,
} from './demo-world.js';

/** The story must be over by then. */
const LIMIT_MS = 110_000;
const LOOK_EVERY_MS = 250;

/** `evenkeel demo`: a growth and a shrink against the sandbox, in the open. Gives the exit code: 0 if it ended well. */
export async function demoCommand(stop: AbortSignal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-demo-'));
  const world = createDemoWorld();
  const served = await world.serve();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, world.cluster.kubeconfig(served.kubernetesUrl));
  say(`A simulated cluster on Hetzner Cloud, served on this machine. Look into it with\n`);
  say(`    kubectl --kubeconfig=${kubeconfig} get nodes,pods\n\n`);
  const autoscaler = AutoscalerProcess.start(
    [...DEMO_FLAGS, `--kubeconfig=${kubeconfig}`],
    demoEnvironment(served.hetznerUrl),
    ({ message }) => tell('autoscaler', message),
  );
  try {
    await new DemoStory(world, autoscaler, stop).play();
    const exitCode = await autoscaler.stop();
    if (exitCode !== 0)
      throw new DemoFailure(`the autoscaler ended with exit code ${exitCode ?? 'of a signal'}`);
    tell('demo', 'The world ended as it should.');
    return 0;
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    tell('demo', `FAILED: ${error.message}`);
    return 1;
  } finally {
    await autoscaler.stop();
    await served.close();
    world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class DemoFailure extends Error {}

class DemoStory {
  private readonly startedMs: number;

  constructor(
    private readonly world: HetznerSandbox,
    private readonly autoscaler: AutoscalerProcess,
    private readonly stop: AbortSignal,
  ) {
    this.startedMs = world.clock.now();
  }

  async play(): Promise<void> {
    const { cluster } = this.world;
    await this.until('the first worker is ready and its pod runs', () => this.runningPods('platform') === 1);
    tell(
      'world',
      `A deployment of ${POD_COUNT} pods of 750m CPU appears. The type of pool ${SOLD_OUT_POOL} is sold out.`,
    );
    cluster.apply(workload('web', POD_COUNT, '750m'));
    await this.until(`all ${POD_COUNT} pods run`, () => this.runningPods('web') === POD_COUNT);
    this.expect(this.askedForSoldOut(), `pool ${SOLD_OUT_POOL} was never tried`);
    this.expect(this.world.poolServers(SOLD_OUT_POOL).length === 0, `pool ${SOLD_OUT_POOL} has servers`);
    tell('world', `All pods run, on ${this.workers()} workers. The deployment shrinks to 1 pod.`);
    cluster.scaleDeployment('web', 1);
    await this.until(
      `${POOL_MINIMUM} worker is left`,
      () => this.workers() === POOL_MINIMUM && this.isTidy(),
    );
    await this.until(
      'the remaining pods run',
      () => this.runningPods('web') === 1 && this.runningPods('platform') === 1,
    );
    const broken = this.world.cloud.invariants();
    this.expect(broken.length === 0, broken.join('; '));
  }

  private runningPods(app: string): number {
    return this.world.cluster
      .pods('default')
      .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
      .filter((pod) => pod.metadata.deletionTimestamp === undefined).length;
  }

  private workers(): number {
    return this.world.poolServers(GROWING_POOL).length;
  }

  /** No node is left without a server, and none carries a mark of deletion. */
  private isTidy(): boolean {
    const nodes = this.world.cluster.nodes();
    const isMarked = nodes.some(({ spec }) => spec?.taints?.some(({ key }) => key.startsWith('ToBeDeleted')));
    return nodes.length === this.world.cloud.servers().length && !isMarked;
  }

  private askedForSoldOut(): boolean {
    const creations = this.world.cloud.calls({ method: 'POST', path: '/servers' });
    return creations.some(({ status }) => status === 412);
  }

  private async until(what: string, isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.stop.aborted) throw new DemoFailure('interrupted');
      if (this.autoscaler.hasEnded) throw new DemoFailure('the autoscaler ended by itself');
      if (this.world.clock.now() - this.startedMs > LIMIT_MS) {
        throw new DemoFailure(`after ${LIMIT_MS / 1000} s it is not so that ${what}`);
      }
      await this.world.clock.sleep(LOOK_EVERY_MS);
    }
    tell('world', `So it is: ${what}.`);
  }

  private expect(holds: boolean, otherwise: string): void {
    if (!holds) throw new DemoFailure(otherwise);
  }
}

function tell(who: string, message: string): void {
  const time = new Date().toISOString().slice(11, 19);
  say(`${time}  ${who.padEnd(10)}  ${message}\n`);
}

function say(text: string): void {
  process.stdout.write(text);
}
