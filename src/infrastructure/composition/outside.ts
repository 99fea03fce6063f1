import type { Dispatcher } from 'undici';
import type { LogDestination } from '../../adapters/logging/index.js';
import type { Clock } from '../../application/ports/clock.js';
import type { Random } from '../../application/ports/random.js';
import type { Environment } from '../../adapters/config/process-configuration-source.js';

/** What the program touches of the world around it. Tests put simulated things here; the program itself stays real. */
export interface Outside {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  /** Identity in the leader election. */
  readonly hostName: string;
  /** In place of own sockets to the API server. */
  readonly kubernetesDispatcher?: Dispatcher;
  /** In place of own sockets to the cloud. */
  readonly cloudDispatcher?: Dispatcher;
  /** In place of the streams that the logging flags name. */
  readonly logDestination?: LogDestination;
}
