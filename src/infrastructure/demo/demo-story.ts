import type { AutoscalerProcess } from './autoscaler-process.js';
import { PLATFORM } from './demo-world.js';
import type { DemoWorld } from './demo-world.js';
import { tell } from './telling.js';

/** The story must be over by then. */
const LIMIT_MS = 110_000;
const LOOK_EVERY_MS = 250;

/** Why the story did not end as it should. */
export class DemoFailure extends Error {}

/** A growth and a shrink. What happens is told as it is seen in the world, not as the autoscaler says it. */
export class DemoStory {
  private readonly startedMs: number;
  private readonly load: string;
  private readonly replicas: number;
  private autoscaler: AutoscalerProcess | null = null;

  constructor(
    private readonly world: DemoWorld,
    private readonly startAutoscaler: () => AutoscalerProcess,
    private readonly stop: AbortSignal,
  ) {
    this.startedMs = world.clock.now();
    this.load = world.load.metadata?.name ?? '';
    this.replicas = (world.load['spec'] as { readonly replicas: number }).replicas;
  }

  /** Throws {@link DemoFailure}. */
  async play(): Promise<void> {
    const { cluster, load, circumstance, minimum } = this.world;
    const platform = PLATFORM.metadata!.name!;
    await this.until('all machines have joined', () => cluster.nodes().length === this.world.machines());
    this.autoscaler = this.startAutoscaler();
    await this.until('the first worker is ready and its pod runs', () => this.runningPods(platform) === 1);
    tell('world', `The deployment ${this.load} appears: ${this.replicas} pods of 750m CPU. ${circumstance}`);
    cluster.apply(load);
    await this.until(`all ${this.replicas} pods run`, () => this.runningPods(this.load) === this.replicas);
    this.expectNone(this.world.objectionsToGrowth());
    tell('world', `All pods run, on ${this.world.workers()} workers. The deployment shrinks to 1 pod.`);
    cluster.scaleDeployment(this.load, 1);
    await this.until(`${minimum} worker is left`, () => this.world.workers() === minimum && this.isTidy());
    await this.until(
      'the remaining pods run',
      () => this.runningPods(this.load) === 1 && this.runningPods(platform) === 1,
    );
    await this.endAutoscaler();
    this.expectNone(this.world.objections());
  }

  /** Leaves nothing running, wherever the story was. */
  async abandon(): Promise<void> {
    await this.autoscaler?.stop();
  }

  private async endAutoscaler(): Promise<void> {
    const exitCode = await this.autoscaler?.stop();
    if (exitCode !== 0) {
      throw new DemoFailure(`the autoscaler ended with exit code ${exitCode ?? 'of a signal'}`);
    }
  }

  private runningPods(app: string): number {
    return this.world.cluster
      .pods('default')
      .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
      .filter((pod) => pod.metadata.deletionTimestamp === undefined).length;
  }

  /** No node is left without a machine, and none carries a mark of deletion. */
  private isTidy(): boolean {
    const nodes = this.world.cluster.nodes();
    const isMarked = nodes.some(({ spec }) => spec?.taints?.some(({ key }) => key.startsWith('ToBeDeleted')));
    return nodes.length === this.world.machines() && !isMarked;
  }

  private async until(what: string, isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.stop.aborted) throw new DemoFailure('interrupted');
      if (this.autoscaler?.hasEnded === true) throw new DemoFailure('the autoscaler ended by itself');
      if (this.world.clock.now() - this.startedMs > LIMIT_MS) {
        throw new DemoFailure(`after ${LIMIT_MS / 1000} s it is not so that ${what}`);
      }
      await this.world.clock.sleep(LOOK_EVERY_MS);
    }
    tell('world', `So it is: ${what}.`);
  }

  private expectNone(objections: readonly string[]): void {
    if (objections.length > 0) throw new DemoFailure(objections.join('; '));
  }
}
