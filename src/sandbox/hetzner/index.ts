export { frontWithAdmin } from './admin/front-with-admin.js';
export { applyFaultDocument } from './admin/fault-documents.js';
export { SCENARIOS, applyScenario } from './admin/scenarios.js';
export type { CallFilter, RecordedCall } from './api/journal.js';
export { DEFAULT_PROJECT, DEFAULT_TOKEN, HetznerCloud } from './hetzner-cloud.js';
export type { HetznerCloudOptions } from './hetzner-cloud.js';
export type { ServerSeed } from './server-seed.js';
export type { HetznerSettings, Quotas, SettingsChange, Timing, Timings } from './settings.js';
export type { ServerRecord, ServerStatus } from './state/records.js';
