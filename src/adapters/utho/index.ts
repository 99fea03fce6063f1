export { readUthoConfiguration } from './configuration/read-configuration.js';
export { UthoConfiguration } from './configuration/utho-configuration.js';
export { createUthoDispatcher, UthoDispatcher } from './client/dispatcher.js';
export { UthoApi } from './client/utho-api.js';
export { Telemetry as UthoTelemetry } from './client/telemetry.js';
export { UthoProvider } from './utho-provider.js';
