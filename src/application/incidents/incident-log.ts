import { inject, injectable } from 'inversify';
import { Clock } from '../ports/clock.js';
import type { Incidents } from '../ports/incidents.js';
import { Logger } from '../ports/logger.js';

interface OpenIncident {
  readonly sinceMs: number;
  readonly count: number;
  readonly message: string;
  /** Messages that were logged. */
  readonly told: readonly string[];
}

/**
 * Kinds of one trouble that are told apart. More of them are messages with numbers in them, or trouble that takes
 * turns: nobody learns from a line for each.
 */
const TOLD_MAX = 5;
const NOTHING: readonly string[] = [];

/** Keeps the log readable in an outage: a line when it begins, one when it ends, and few when its kind changes. */
@injectable()
export class IncidentLog implements Incidents {
  private readonly incidents = new Map<string, OpenIncident>();

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  happened(key: string, message: string, error?: unknown): void {
    const known = this.incidents.get(key);
    const { sinceMs, count, told } = known ?? { sinceMs: this.clock.now(), count: 0, told: NOTHING };
    const isNews = !told.includes(message) && told.length < TOLD_MAX;
    this.incidents.set(key, { sinceMs, count: count + 1, message, told: isNews ? [...told, message] : told });
    if (!isNews) return;
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
    const failures = incident.count === 1 ? '1 failure' : `${incident.count} failures`;
    const message = `over after ${Math.round(lastedMs / 1000)} s, ${failures}: ${incident.message}`;
    this.logger.info('incident-over', message, { incident: key, lastedMs, failures: incident.count });
  }

  open(): ReadonlyMap<string, OpenIncident> {
    return this.incidents;
  }
}
