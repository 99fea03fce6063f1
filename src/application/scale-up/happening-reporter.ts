import { inject, injectable } from 'inversify';
import { eventOf } from '../../domain/readiness/index.js';
import type { Happening } from '../../domain/readiness/index.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { renderRfc3339 } from '../report/utc-time.js';
import { GroupEvents } from './group-events.js';

/** Tells events, metrics and log what the update of the cluster state noticed. */
@injectable()
export class HappeningReporter {
  constructor(
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  report(happenings: readonly Happening[]): void {
    for (const happening of happenings) {
      const event = eventOf(happening);
      if (event !== null) this.events.record(event);
      this.count(happening);
      this.log(happening);
    }
  }

  private count(happening: Happening): void {
    if (happening.kind !== 'scale-up-timed-out' && happening.kind !== 'machines-failed') return;
    const reason = happening.failure.code;
    const missing = happening.kind === 'machines-failed' ? happening.count : happening.increase;
    const labels = { reason, gpu_resource_name: '', gpu_name: '', dra_drivers: '' };
    this.metrics.add('failed_scale_ups_total', 1, labels);
    this.metrics.add('failed_node_creations_total', missing, { reason });
  }

  private log(happening: Happening): void {
    const { kind, groupId } = happening;
    const fields = { group: groupId, ...detailsOf(happening) };
    switch (kind) {
      case 'scale-up-completed':
        return this.logger.info(kind, `all machines asked for group ${groupId} have joined`, fields);
      case 'scale-up-timed-out':
        return this.logger.warn(kind, happening.failure.message, fields);
      case 'machines-failed':
        return this.logger.warn(
          kind,
          `${happening.count} machines of group ${groupId} will not come: ${happening.failure.message}`,
          fields,
        );
      case 'back-off-entered':
        return this.logger.warn(
          kind,
          `group ${groupId} is not grown until ${renderRfc3339(happening.untilMs)}: ${happening.failure.code}`,
          fields,
        );
      case 'back-off-left':
        return this.logger.info(kind, `group ${groupId} may grow again`, fields);
    }
  }
}

/** What the sentence does not say. */
function detailsOf(happening: Happening): object {
  switch (happening.kind) {
    case 'scale-up-completed':
      return { tookMs: happening.tookMs };
    case 'back-off-left':
      return {};
    default:
      return { kind: happening.failure.kind, code: happening.failure.code };
  }
}
