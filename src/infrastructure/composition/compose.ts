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
import { cloudModule } from './cloud-modules.js';
import { kubernetesModule } from './kubernetes-module.js';
import type { Outside } from './outside.js';

/**
 * The whole program, bound and ready: get `LeaderRun` and run it. Reads all configuration and sends nothing. Throws
 * ConfigurationError. `replacements` is loaded last, so that a test can put other adapters into place.
 */
export async function composeAutoscaler(
  settings: StartSettings,
  outside: Outside,
  replacements?: (container: Container) => void,
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
    cloudModule({ options, source, secrets, outside }),
    await kubernetesModule(options, outside, metrics),
  );
  replacements?.(container);
  return container;
}
