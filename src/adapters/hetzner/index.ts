export { readHetznerConfiguration } from './configuration/read-configuration.js';
export { HetznerConfiguration } from './configuration/hetzner-configuration.js';
export { createHetznerDispatcher, HetznerDispatcher } from './client/dispatcher.js';
export { HetznerClient } from './client/hetzner-client.js';
export { Telemetry as HetznerTelemetry } from './client/telemetry.js';
export { HetznerProvider } from './hetzner-provider.js';
