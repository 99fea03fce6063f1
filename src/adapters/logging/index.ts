export { createLogger } from './create-logger.js';
export { openLogDestination } from './log-destination.js';
export type { LogDestination } from './log-destination.js';
export { DEFAULT_LOGGING, LoggingSettings } from './logging-settings.js';
export { SecretRegistry } from './secret-registry.js';
