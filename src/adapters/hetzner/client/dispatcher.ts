import type { Dispatcher } from 'undici';
import { createCloudDispatcher } from '../../cloud-http/index.js';

/** Injection token of the undici dispatcher that carries all requests to Hetzner Cloud. */
export const HetznerDispatcher = Symbol('HetznerDispatcher');

/** Enough for ten parallel creations and the poller; keep-alive connections are shared. */
const CONNECTIONS_MAX = 8;

export function createHetznerDispatcher(): Dispatcher {
  return createCloudDispatcher(CONNECTIONS_MAX);
}
