export { InProcessDispatcher } from './in-process-dispatcher.js';
export type { InProcessOptions } from './in-process-dispatcher.js';
export { LoopbackServer } from './loopback-server.js';
