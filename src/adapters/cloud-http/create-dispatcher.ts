import { EnvHttpProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';

/**
 * One pool of keep-alive connections that honours `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, as the Go client does.
 * At most `connections` to an origin.
 */
export function createCloudDispatcher(connections: number): Dispatcher {
  return new EnvHttpProxyAgent({ connections });
}
