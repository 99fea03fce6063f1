import { CoordinationV1Api, CoreV1Api } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../application/ports/clock.js';
import { ApiTransport } from './api-transport.js';
import type { Exchange } from './api-transport.js';
import { apiOn } from './client-node-api.js';
import { loadKubeConfig } from './cluster-address.js';
import type { ClusterAddress } from './cluster-address.js';
import { createDispatcher } from './create-dispatcher.js';
import { KubeConfigCredentials } from './credentials.js';
import type { TlsIdentity } from './credentials.js';
import { TokenBucket } from './token-bucket.js';

export interface KubernetesConnectionOptions {
  readonly address: ClusterAddress;
  readonly clock: Clock;
  /** `--kube-client-qps`, default 5; not positive: no limit. */
  readonly qps?: number;
  /** `--kube-client-burst`, default 10. */
  readonly burst?: number;
  readonly userAgent?: string;
  /** In place of own sockets: tests pass one that stays in the process. The caller closes it. */
  readonly dispatcher?: Dispatcher;
  /** The proxy for the server's URL, or null; `proxy-url` of the kubeconfig goes before it. */
  readonly proxyFor?: (url: URL) => string | null;
  /** Called after each request, for `rest_client_requests_total` and its kin. */
  readonly onExchange?: (exchange: Exchange & { readonly host: string }) => void;
  /** Put before the paths of the service account; for tests. */
  readonly rootPath?: string;
}

/**
 * One API server, over one pool of connections. Reads, writes, events and the lease have a rate limit each, as
 * upstream's client objects have, so that a burst of events never keeps the lease from being renewed.
 */
export interface KubernetesConnection {
  readonly server: URL;
  /** On which all limits and pauses of this connection run. */
  readonly clock: Clock;
  /** Lists and watches. */
  readonly reads: ApiTransport;
  /** Calls that are sent as plain JSON. */
  readonly writes: ApiTransport;
  /** Same limit as `writes`. */
  readonly core: CoreV1Api;
  readonly events: CoreV1Api;
  readonly leases: CoordinationV1Api;
  /** Closes what this connection opened. */
  close(): Promise<void>;
}

export const KubernetesConnection = Symbol('KubernetesConnection');

/** Upstream defaults of the two flags. */
const QPS = 5;
const BURST = 10;
const USER_AGENT = 'evenkeel';

/** @throws ConfigurationError when the address can't be used */
export async function connectKubernetes(options: KubernetesConnectionOptions): Promise<KubernetesConnection> {
  const { address, clock, rootPath, onExchange } = options;
  const load = (): ReturnType<typeof loadKubeConfig> => loadKubeConfig(address, rootPath);
  const cluster = load().getCurrentCluster();
  const server = new URL(cluster?.server ?? '');
  const credentials = new KubeConfigCredentials(load, clock);
  // Reads the first credentials, so that a missing certificate is told before anything is sent.
  let tls: TlsIdentity = (await credentials.current()).tls;
  const current = {
    current: async () => noteTls(await credentials.current()),
    renew: async () => noteTls(await credentials.renew()),
  };
  const noteTls = <T extends { readonly tls: TlsIdentity }>(authentication: T): T => {
    if (!sameTls(tls, authentication.tls)) tls = authentication.tls;
    return authentication;
  };
  const proxy = cluster?.proxyUrl ?? options.proxyFor?.(server) ?? null;
  const dispatcher = options.dispatcher ?? createDispatcher({ proxy, tls: () => tls });
  const transport = (): ApiTransport =>
    new ApiTransport({
      server,
      dispatcher,
      credentials: current,
      clock,
      limit: new TokenBucket(clock, { perSecond: options.qps ?? QPS, burst: options.burst ?? BURST }),
      userAgent: options.userAgent ?? USER_AGENT,
      ...(onExchange && {
        onExchange: (exchange: Exchange) => onExchange({ ...exchange, host: server.host }),
      }),
    });
  const writes = transport();
  return {
    server,
    clock,
    reads: transport(),
    writes,
    core: apiOn(writes, server, CoreV1Api),
    events: apiOn(transport(), server, CoreV1Api),
    leases: apiOn(transport(), server, CoordinationV1Api),
    close: async () => {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function sameTls(left: TlsIdentity, right: TlsIdentity): boolean {
  const text = (tls: TlsIdentity): string =>
    JSON.stringify([tls.ca, tls.cert, tls.key, tls.servername, tls.rejectUnauthorized].map(String));
  return text(left) === text(right);
}
