import { ContainerModule } from 'inversify';
import { EnvHttpProxyAgent } from 'undici';
import { CloudProvider } from '../../src/application/ports/cloud-provider.js';
import type { ProviderParts } from '../../src/infrastructure/composition/cloud-modules.js';
import {
  TinycloudApi,
  TinycloudConfiguration,
  TinycloudDispatcher,
  TinycloudProvider,
  readTinycloudConfiguration,
} from './adapter/index.js';

/** What stands in `cloud-modules.ts` for a provider of the project. */
export function tinycloudModule({ options, source, secrets, outside }: ProviderParts): ContainerModule {
  const configuration = readTinycloudConfiguration(source, options.nodes);
  secrets.register(configuration.token);
  return new ContainerModule(({ bind }) => {
    bind(TinycloudConfiguration).toConstantValue(configuration);
    bind(TinycloudDispatcher).toConstantValue(outside.cloudDispatcher ?? new EnvHttpProxyAgent());
    bind(TinycloudApi).toSelf();
    bind(CloudProvider).to(TinycloudProvider);
  });
}
