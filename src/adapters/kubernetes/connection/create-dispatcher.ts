import { Agent, ProxyAgent, buildConnector } from 'undici';
import type { Dispatcher } from 'undici';
import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { TlsIdentity } from './credentials.js';

/** One connection for each watch and some for calls; also what the API server has to bear from us. */
const CONNECTIONS_MAX = 32;
/** Below the idle time-out of 90 s of the API server, so that it is not the one that closes. */
const IDLE_MS = 30_000;
/** TCP keep-alive, below the idle time-outs of load balancers (60 s and more). */
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** The one dispatcher that all requests to the API server share. */
export function createDispatcher(options: {
  readonly proxy: string | null;
  /** Read for each new connection, so that renewed client certificates count. */
  readonly tls: () => TlsIdentity;
}): Dispatcher {
  const { proxy, tls } = options;
  const common = { connections: CONNECTIONS_MAX, pipelining: 1, keepAliveTimeout: IDLE_MS };
  if (proxy === null) return new Agent({ ...common, connect: rotatingConnector(tls) });
  if (!/^https?:\/\//.test(proxy)) {
    throw new ConfigurationError([
      {
        place: 'proxy of the Kubernetes API',
        value: withoutPassword(proxy),
        problem: 'only HTTP proxies are supported',
        remedy: 'name an http:// or https:// proxy',
      },
    ]);
  }
  return new ProxyAgent({ ...common, uri: proxy, requestTls: { ...tls(), timeout: CONNECT_TIMEOUT_MS } });
}

/** Builds a new connector when the identity changed; the old one keeps its TLS sessions until then. */
function rotatingConnector(tls: () => TlsIdentity): buildConnector.connector {
  let identity: TlsIdentity | null = null;
  let connect: buildConnector.connector | null = null;
  return (target, callback) => {
    const current = tls();
    if (connect === null || identity !== current) {
      identity = current;
      connect = buildConnector({
        ...current,
        timeout: CONNECT_TIMEOUT_MS,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
      });
    }
    connect(target, callback);
  };
}

function withoutPassword(proxy: string): string {
  return proxy.replace(/\/\/[^@/]*@/, '//');
}
