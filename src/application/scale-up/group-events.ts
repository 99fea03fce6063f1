import { inject, injectable } from 'inversify';
import type { EventText } from '../../domain/readiness/index.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { ScaleUpOptions } from './scale-up-options.js';

/** Records events about groups and the cluster; without a status ConfigMap there is nothing to record them on. */
@injectable()
export class GroupEvents {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(ScaleUpOptions) private readonly options: ScaleUpOptions,
  ) {}

  record(text: EventText): void {
    const subject = this.options.statusSubject();
    if (subject !== null) this.writer.recordEvent({ subject, ...text });
  }
}
