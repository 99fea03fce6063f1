import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import { ConfigurationError } from '../../application/ports/configuration.js';

/** One pool of keep-alive connections to one cloud, at most `connections` of them. `proxy`: its URL, or null. */
export function createCloudDispatcher(connections: number, proxy: string | null): Dispatcher {
  if (proxy === null) return new Agent({ connections });
  try {
    return new ProxyAgent({ uri: proxy, connections });
  } catch {
    // Its address may hold a password, and so may the error that quotes it.
    throw new ConfigurationError([
      {
        place: 'proxy of the cloud API',
        value: '(secret)',
        problem: 'it is no address of a proxy',
        remedy: 'write http://host:port into HTTPS_PROXY, or take the API out with NO_PROXY',
      },
    ]);
  }
}
