import { inject, injectable } from 'inversify';
import { Incidents } from '../../../application/ports/incidents.js';
import { Logger } from '../../../application/ports/logger.js';
import { Metrics } from '../../../application/ports/metrics.js';

/** Key of the incident that the API is away. */
export const API_INCIDENT = 'utho-api';
/** Key of the incident that `token_file` can't be read, so that the last good key is used. */
export const TOKEN_INCIDENT = 'utho-token-file';

/** The three ways in which this adapter tells what happens. */
@injectable()
export class Telemetry {
  constructor(
    @inject(Logger) readonly logger: Logger,
    @inject(Metrics) readonly metrics: Metrics,
    @inject(Incidents) readonly incidents: Incidents,
  ) {}
}
