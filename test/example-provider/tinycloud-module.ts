import { ContainerModule } from 'inversify';
import { createCloudDispatcher } from '../../src/adapters/cloud-http/index.js';
import { CloudProvider } from '../../src/application/ports/cloud-provider.js';
import { proxyTo } from '../../src/infrastructure/composition/cloud-modules.js';
import type { ProviderParts } from '../../src/infrastructure/composition/cloud-modules.js';
import {
  TinycloudApi,
  TinycloudConfiguration,
  TinycloudDispatcher,
  TinycloudProvider,
  readTinycloudConfiguration,
} from './adapter/index.js';

/** As many orders as are sent at the same time, and a list beside them. */
const CONNECTIONS_MAX = 6;

/** What stands in `cloud-modules.ts` for a provider of the project. */
export function tinycloudModule({ options, source, secrets, outside }: ProviderParts): ContainerModule {
  const configuration = readTinycloudConfiguration(source, options.nodes);
  secrets.register(configuration.token);
  const dispatcher =
    outside.cloudDispatcher ?? createCloudDispatcher(CONNECTIONS_MAX, proxyTo(configuration.url, outside));
  return new ContainerModule(({ bind }) => {
    bind(TinycloudConfiguration).toConstantValue(configuration);
    bind(TinycloudDispatcher).toConstantValue(dispatcher);
    bind(TinycloudApi).toSelf();
    bind(CloudProvider).to(TinycloudProvider);
  });
}
