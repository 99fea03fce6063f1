import { inject, injectable } from 'inversify';
import { gpuMetricLabels } from '../../domain/node-group/index.js';
import type { SizeChange } from '../../domain/node-group/index.js';
import type { CloudFailure, NodeTemplate } from '../../domain/node-group/node-group.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { failureOf } from './cloud-failure.js';
import { GroupEvents } from './group-events.js';
import { ScaleUpOptions } from './scale-up-options.js';

const ACCEPTED_LEVEL = 2;

/** What became of the growth of one group. */
export interface GroupGrowth {
  readonly change: SizeChange;
  readonly accepted: number;
  /** Why not all were accepted, or null. */
  readonly failure: CloudFailure | null;
}

export interface Execution {
  /** In the order of the plan. */
  readonly growths: readonly GroupGrowth[];
  /** Changes that were not tried because one before them failed. */
  readonly notTried: readonly SizeChange[];
}

/** Asks the cloud for the machines of a plan (`scale-up` 5.9). Never throws for a cloud that refuses. */
@injectable()
export class ScaleUpExecutor {
  constructor(
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(Logger) private readonly logger: Logger,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(ScaleUpOptions) private readonly options: ScaleUpOptions,
  ) {}

  async execute(
    changes: readonly SizeChange[],
    templates: ReadonlyMap<string, NodeTemplate>,
    signal: AbortSignal,
  ): Promise<Execution> {
    if (this.options.parallel) {
      const growths = await Promise.all(changes.map((change) => this.grow(change, templates, signal)));
      return { growths, notTried: [] };
    }
    const growths: GroupGrowth[] = [];
    for (const [index, change] of changes.entries()) {
      if (signal.aborted) return { growths, notTried: changes.slice(index) };
      const growth = await this.grow(change, templates, signal);
      growths.push(growth);
      if (growth.failure !== null) return { growths, notTried: changes.slice(index + 1) };
    }
    return { growths, notTried: [] };
  }

  private async grow(
    change: SizeChange,
    templates: ReadonlyMap<string, NodeTemplate>,
    signal: AbortSignal,
  ): Promise<GroupGrowth> {
    const { groupId, currentSize, newSize, maxSize } = change;
    const sizes = `instead of ${currentSize} (max: ${maxSize})`;
    this.announce(`Scale-up: setting group ${groupId} size to ${newSize} ${sizes}`);
    const growth = await this.ask(change, signal);
    const template = templates.get(groupId)?.node;
    const labels = { ...gpuMetricLabels(template, this.cloud.gpuLabel), dra_drivers: '' };
    if (growth.accepted > 0) {
      this.announce(`Scale-up: group ${groupId} size set to ${currentSize + growth.accepted} ${sizes}`);
      this.metrics.add('scaled_up_nodes_total', growth.accepted, labels);
      // The decision was said already, and what was not accepted is.
      const fields = { group: groupId, from: currentSize, to: currentSize + growth.accepted };
      const text = `the cloud accepted ${growth.accepted} machines for group ${groupId}`;
      this.logger.info('scale-up-accepted', text, { ...fields, v: ACCEPTED_LEVEL });
    }
    if (growth.failure !== null) this.reportFailure(growth, growth.failure, labels);
    return growth;
  }

  private async ask(change: SizeChange, signal: AbortSignal): Promise<GroupGrowth> {
    const delta = change.newSize - change.currentSize;
    try {
      const { accepted, failure } = await this.cloud.increaseSize(change.groupId, delta, signal);
      return { change, accepted, failure };
    } catch (error) {
      return { change, accepted: 0, failure: failureOf(error) };
    }
  }

  private announce(message: string): void {
    this.events.record({ type: 'Normal', reason: 'ScaledUpGroup', message });
  }

  private reportFailure(
    growth: GroupGrowth,
    failure: CloudFailure,
    labels: Readonly<Record<string, string>>,
  ): void {
    const { groupId, currentSize, newSize } = growth.change;
    const message = `Scale-up failed for group ${groupId}: ${failure.message}`;
    const missing = newSize - currentSize - growth.accepted;
    this.events.record({ type: 'Warning', reason: 'FailedToScaleUpGroup', message });
    this.metrics.add('failed_scale_ups_total', 1, { reason: failure.code, ...labels });
    this.metrics.add('failed_node_creations_total', missing, { reason: failure.code });
    this.logger.warn('scale-up-refused', message, {
      group: groupId,
      kind: failure.kind,
      code: failure.code,
      missing,
    });
  }
}
