import { ContainerModule } from 'inversify';
import { proxyFor } from '../../adapters/config/proxy-rule.js';
import {
  HetznerClient,
  HetznerConfiguration,
  HetznerDispatcher,
  HetznerProvider,
  HetznerTelemetry,
  createHetznerDispatcher,
  readHetznerConfiguration,
} from '../../adapters/hetzner/index.js';
import {
  UthoApi,
  UthoConfiguration,
  UthoDispatcher,
  UthoProvider,
  UthoTelemetry,
  createUthoDispatcher,
  readUthoConfiguration,
} from '../../adapters/utho/index.js';
import { CloudProvider } from '../../application/ports/cloud-provider.js';
import { ConfigurationError } from '../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../application/ports/configuration.js';
import type { Secrets } from '../../application/ports/secrets.js';
import type { AutoscalerOptions } from '../command-line/index.js';
import type { Outside } from './outside.js';

/** What a provider is built from. */
export interface ProviderParts {
  readonly options: AutoscalerOptions;
  readonly source: ConfigurationSource;
  /** For tokens and whatever else must never be shown. */
  readonly secrets: Secrets;
  readonly outside: Outside;
}

/**
 * Binds {@link CloudProvider}. Reads its configuration at once, without any request, and throws ConfigurationError
 * with all that is wrong with it.
 */
export type ProviderModule = (parts: ProviderParts) => ContainerModule;

/** Providers by the value of `--cloud-provider`. */
export type ProviderRegistry = Readonly<Record<string, ProviderModule>>;

/** A new one is a folder in `src/adapters`, a module and a line here: `docs/extending.md`. */
export const PROVIDERS: ProviderRegistry = {
  hetzner: hetznerModule,
  utho: uthoModule,
};

export function cloudModule(parts: ProviderParts, providers: ProviderRegistry): ContainerModule {
  const { cloudProvider } = parts.options;
  const module = Object.hasOwn(providers, cloudProvider) ? providers[cloudProvider] : undefined;
  if (module !== undefined) return module(parts);
  throw new ConfigurationError([
    {
      place: '--cloud-provider',
      value: cloudProvider,
      problem: 'this version has no such provider',
      remedy: `write one of ${Object.keys(providers).join(', ')}`,
    },
  ]);
}

function hetznerModule({ options, source, secrets, outside }: ProviderParts): ContainerModule {
  const configuration = readHetznerConfiguration(source, options.nodes);
  for (const pool of configuration.pools) secrets.register(pool.userData.reveal());
  // Last: whoever keeps secrets may keep a limited number, and pools can be many.
  secrets.register(configuration.token.reveal());
  const dispatcher =
    outside.cloudDispatcher ?? createHetznerDispatcher(proxyTo(configuration.endpoint, outside));
  return new ContainerModule(({ bind }) => {
    bind(HetznerConfiguration).toConstantValue(configuration);
    bind(HetznerDispatcher).toConstantValue(dispatcher);
    bind(HetznerTelemetry).toSelf();
    bind(HetznerClient).toSelf();
    bind(CloudProvider).to(HetznerProvider);
  });
}

function uthoModule({ options, source, secrets, outside }: ProviderParts): ContainerModule {
  const configuration = readUthoConfiguration(source, options.cloudConfig);
  configuration.token.registerWith(secrets);
  const dispatcher = outside.cloudDispatcher ?? createUthoDispatcher(proxyTo(configuration.apiUrl, outside));
  return new ContainerModule(({ bind }) => {
    bind(UthoConfiguration).toConstantValue(configuration);
    bind(UthoDispatcher).toConstantValue(dispatcher);
    bind(UthoTelemetry).toSelf();
    bind(UthoApi).toSelf();
    bind(CloudProvider).to(UthoProvider);
  });
}

/** The proxy that requests to this address take, or null: for the dispatcher of a provider. */
export function proxyTo(url: string, { environment }: Outside): string | null {
  return proxyFor(new URL(url), environment);
}
