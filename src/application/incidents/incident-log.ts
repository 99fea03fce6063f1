import { inject, injectable } from 'inversify';
import { Clock } from '../ports/clock.js';
import type { Incidents } from '../ports/incidents.js';
import { Logger } from '../ports/logger.js';

interface OpenIncident {
  readonly sinceMs: number;
  readonly count: number;
  readonly message: string;
}

/** Keeps the log readable in an outage: one line when it begins, one when it ends. */
@injectable()
export class IncidentLog implements Incidents {
  private readonly incidents = new Map<string, OpenIncident>();

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  happened(key: string, message: string, error?: unknown): void {
    const known = this.incidents.get(key);
    if (known?.message === message) {
      this.incidents.set(key, { ...known, count: known.count + 1 });
      return;
    }
    const sinceMs = known?.sinceMs ?? this.clock.now();
    this.incidents.set(key, { sinceMs, count: (known?.count ?? 0) + 1, message });
    const detail = error instanceof Error ? error.message : undefined;
    this.logger.warn('incident-began', message, {
      incident: key,
      ...(detail === undefined ? {} : { detail }),
    });
  }

  over(key: string): void {
    const incident = this.incidents.get(key);
    if (incident === undefined) return;
    this.incidents.delete(key);
    const lastedMs = Math.round(this.clock.now() - incident.sinceMs);
    const message = `over after ${Math.round(lastedMs / 1000)} s and ${incident.count} failures: ${incident.message}`;
    this.logger.info('incident-over', message, { incident: key, lastedMs, failures: incident.count });
  }

  open(): ReadonlyMap<string, OpenIncident> {
    return this.incidents;
  }
}
