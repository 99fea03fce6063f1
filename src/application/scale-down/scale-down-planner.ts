import { inject, injectable } from 'inversify';
import type { ScaleDownDecision, ScaleDownInput } from '../../domain/scale-down/index.js';
import { planScaleDown } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Others (watches, lease, health) get their turn after so long. */
const SLICE_MS = 10;

/** Makes the plan in slices, so that long planning never holds up the process. */
@injectable()
export class ScaleDownPlanner {
  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(CloudProvider) private readonly cloud: Pick<CloudProvider, 'gpuLabel' | 'releaseBudget'>,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Rejects with the signal's reason when it is aborted; the snapshot is then as before. */
  async plan(
    input: Pick<ScaleDownInput, 'observation' | 'snapshot' | 'memory' | 'forbidden'>,
    signal: AbortSignal,
  ): Promise<ScaleDownDecision> {
    const { policy } = this.settings;
    const deadlineMs = this.clock.now() + policy.simulationTimeoutMs;
    const isOutOfTime = () => this.clock.now() >= deadlineMs;
    const { gpuLabel } = this.cloud;
    const releaseBudget = this.cloud.releaseBudget?.() ?? null;
    const planning = planScaleDown({ ...input, policy, gpuLabel, releaseBudget, isOutOfTime });
    try {
      return await this.drive(planning, signal);
    } finally {
      planning.return(undefined as never);
    }
  }

  private async drive(
    planning: ReturnType<typeof planScaleDown>,
    signal: AbortSignal,
  ): Promise<ScaleDownDecision> {
    let sliceEndsMs = this.clock.now() + SLICE_MS;
    for (;;) {
      const step = planning.next();
      if (step.done === true) return step.value;
      if (this.clock.now() < sliceEndsMs) continue;
      await this.clock.yield();
      signal.throwIfAborted();
      sliceEndsMs = this.clock.now() + SLICE_MS;
    }
  }
}
