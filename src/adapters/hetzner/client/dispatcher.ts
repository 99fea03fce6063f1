import { EnvHttpProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';

/** Injection token of the undici dispatcher that carries all requests to Hetzner Cloud. */
export const HetznerDispatcher = Symbol('HetznerDispatcher');

/** Enough for ten parallel creations and the poller; keep-alive connections are shared. */
const CONNECTIONS_MAX = 8;

/** One pool of connections that honours `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, as the Go client does. */
export function createHetznerDispatcher(): Dispatcher {
  return new EnvHttpProxyAgent({ connections: CONNECTIONS_MAX });
}
