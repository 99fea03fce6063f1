import { inject, injectable } from 'inversify';
import { Clock } from '../ports/clock.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Incidents } from '../ports/incidents.js';
import { YamlRenderer } from '../ports/yaml-renderer.js';
import { NO_STATUS_MEMORY, buildInitializingStatus, buildStatus } from '../report/build-status.js';
import type { StatusReport } from '../report/build-status.js';
import type { StatusInput } from '../report/status-input.js';
import { LoopOptions } from './loop-options.js';

/** Keeps the status ConfigMap up to date. Never throws: a status that can't be written is an incident. */
@injectable()
export class StatusWriter {
  private memory = NO_STATUS_MEMORY;

  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(YamlRenderer) private readonly yaml: YamlRenderer,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(Clock) private readonly clock: Clock,
    @inject(LoopOptions) private readonly options: LoopOptions,
  ) {}

  writeInitializing(signal: AbortSignal, message = ''): Promise<void> {
    return this.write(buildInitializingStatus(this.clock.now(), message), signal);
  }

  writeState(input: StatusInput, signal: AbortSignal): Promise<void> {
    const { report, memory } = buildStatus(input, this.memory);
    this.memory = memory;
    return this.write(report, signal);
  }

  /** At exit. */
  async remove(): Promise<void> {
    if (!this.options.writeStatus) return;
    try {
      await this.writer.deleteStatus();
    } catch (error) {
      this.incidents.happened('status-config-map', 'the status ConfigMap could not be deleted', error);
    }
  }

  private async write({ document, lastUpdated }: StatusReport, signal: AbortSignal): Promise<void> {
    if (!this.options.writeStatus) return;
    try {
      await this.writer.writeStatus({ yaml: this.yaml.render(document), lastUpdated }, signal);
      this.incidents.over('status-config-map');
    } catch (error) {
      if (signal.aborted) return;
      this.incidents.happened('status-config-map', 'the status ConfigMap could not be written', error);
    }
  }
}
