import type { Dispatcher } from 'undici';
import type { Clock } from '../../../application/ports/clock.js';
import type { Random } from '../../../application/ports/random.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { Telemetry } from './telemetry.js';

/** What the client is put together from. */
export interface ClientParts {
  readonly configuration: UthoConfiguration;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
}
