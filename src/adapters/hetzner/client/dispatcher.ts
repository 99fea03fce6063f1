import type { Dispatcher } from 'undici';
import { createCloudDispatcher } from '../../cloud-http/index.js';

/** Injection token of the undici dispatcher that carries all requests to Hetzner Cloud. */
export const HetznerDispatcher = Symbol('HetznerDispatcher');

/** `hetzner` 2.6 names it. Requests beyond it wait for a connection, within their own deadline. */
const CONNECTIONS_MAX = 8;

export function createHetznerDispatcher(proxy: string | null): Dispatcher {
  return createCloudDispatcher(CONNECTIONS_MAX, proxy);
}
