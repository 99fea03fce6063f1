import { Container, ContainerModule } from 'inversify';
import { ProcessConfigurationSource } from '../../adapters/config/process-configuration-source.js';
import { SecretRegistry, createLogger } from '../../adapters/logging/index.js';
import { MetricsSettings, PrometheusMetrics } from '../../adapters/metrics/index.js';
import { Clock } from '../../application/ports/clock.js';
import { ConfigurationSource } from '../../application/ports/configuration.js';
import { Logger } from '../../application/ports/logger.js';
import { Metrics } from '../../application/ports/metrics.js';
import { MetricsExposition } from '../../application/ports/metrics-exposition.js';
import { Random } from '../../application/ports/random.js';
import { Secrets } from '../../application/ports/secrets.js';
import { loggingSettingsOf } from '../command-line/index.js';
import type { StartSettings } from '../command-line/index.js';
import { applicationModule } from './application-module.js';
import { PROVIDERS, cloudModule } from './cloud-modules.js';
import type { ProviderRegistry } from './cloud-modules.js';
import { kubernetesModule } from './kubernetes-module.js';
import type { Outside } from './outside.js';

/** What differs from the program as it is shipped: for tests, and for programs with a provider of their own. */
export interface Variations {
  /** In place of the providers of the project. */
  readonly providers?: ProviderRegistry;
  /** Called last, to rebind what should be another. */
  readonly replacements?: (container: Container) => void;
}

/**
 * The whole program, bound and ready: get `LeaderRun` and run it. Reads all configuration and sends nothing. Throws
 * ConfigurationError.
 */
export async function composeAutoscaler(
  settings: StartSettings,
  outside: Outside,
  { providers = PROVIDERS, replacements }: Variations = {},
): Promise<Container> {
  const { options } = settings;
  const container = new Container({ defaultScope: 'Singleton' });
  const secrets = new SecretRegistry();
  const metrics = new PrometheusMetrics({ perNodeGroup: options.emitPerNodegroupMetrics });
  const source = new ProcessConfigurationSource(outside.environment);
  const { clock, random, logDestination } = outside;
  const logger = createLogger(loggingSettingsOf(options), clock, secrets, logDestination);
  container.load(
    new ContainerModule(({ bind }) => {
      bind(Clock).toConstantValue(clock);
      bind(Random).toConstantValue(random);
      bind(Secrets).toConstantValue(secrets);
      bind(Logger).toConstantValue(logger);
      bind(MetricsSettings).toConstantValue({ perNodeGroup: options.emitPerNodegroupMetrics });
      bind(Metrics).toConstantValue(metrics);
      bind(MetricsExposition).toConstantValue(metrics);
      bind(ConfigurationSource).toConstantValue(source);
    }),
    applicationModule(settings),
    cloudModule({ options, source, secrets, outside }, providers),
    await kubernetesModule(settings, outside, metrics),
  );
  replacements?.(container);
  return container;
}
