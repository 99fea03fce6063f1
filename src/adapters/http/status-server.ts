import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import findMyWay from 'find-my-way';
import type { HTTPVersion, Instance as Router } from 'find-my-way';
import { inject, injectable } from 'inversify';
import { DebuggingSnapshots } from '../../application/ports/debugging-snapshots.js';
import { HealthProbe } from '../../application/ports/health.js';
import { Logger } from '../../application/ports/logger.js';
import { MetricsExposition } from '../../application/ports/metrics-exposition.js';
import { answerHealth, answerMetrics, answerNotFound, answerProfiling, answerSnapshot } from './answers.js';
import { addressError, parseListenAddress } from './listen-address.js';

export interface StatusServerSettings {
  /** `--address`. */
  readonly address: string;
  /** `--profiling`. */
  readonly profiling: boolean;
  /** `--debugging-snapshot-enabled`. */
  readonly debuggingSnapshots: boolean;
}

export const StatusServerSettings = Symbol('StatusServerSettings');

/** 100: one scraper, one kubelet and a few people; the rest waits at the socket. */
const CONNECTIONS_MAX = 100;

/** A request has no body that matters: whoever takes longer is not a client of ours. */
const REQUEST_MS_MAX = 30_000;

/**
 * The one HTTP server (`interface` 3): metrics and health, without TLS and authentication, for any method. It runs
 * before leadership is won, so that standbys are alive and can be scraped.
 */
@injectable()
export class StatusServer {
  private server: Server | null = null;

  constructor(
    @inject(StatusServerSettings) private readonly settings: StatusServerSettings,
    @inject(HealthProbe) private readonly health: HealthProbe,
    @inject(MetricsExposition) private readonly metrics: MetricsExposition,
    @inject(DebuggingSnapshots) private readonly snapshots: DebuggingSnapshots,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /** Settles when the port is open; returns its number. Throws ConfigurationError where it can't be bound. */
  async start(): Promise<number> {
    const { host, port } = parseListenAddress(this.settings.address);
    const router = this.buildRouter();
    const server = createServer((request, response) => {
      router.lookup(request, response);
    });
    server.maxConnections = CONNECTIONS_MAX;
    server.requestTimeout = REQUEST_MS_MAX;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        reject(addressError(this.settings.address, explain(error), 'choose another address'));
      });
      server.listen({ port, ...(host === null ? {} : { host }) }, resolve);
    });
    server.removeAllListeners('error');
    server.on('error', (error) => this.logger.warn('http-server-failed', 'HTTP server failed', { error }));
    this.server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Closes the port and all connections. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  private buildRouter(): Router<HTTPVersion.V1> {
    const router = findMyWay({ defaultRoute: (_request, response) => answerNotFound(response) });
    router.all('/metrics', (request, response) => {
      answerMetrics(request, response, this.metrics, performance.timeOrigin).catch((error: unknown) => {
        this.logger.error('metrics-failed', 'metrics could not be rendered', { error });
        response.destroy();
      });
    });
    router.all('/health-check', (_request, response) => answerHealth(response, this.health));
    if (this.settings.debuggingSnapshots) {
      router.all('/snapshotz', (_request, response) => void answerSnapshot(response, this.snapshots));
    }
    if (this.settings.profiling) {
      router.all('/debug/pprof', (_request, response) => answerProfiling(response, ''));
      router.all('/debug/pprof/*', (_request, response, params) =>
        answerProfiling(response, `/${params['*'] ?? ''}`),
      );
    }
    return router;
  }
}

function explain(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'another process listens there';
    case 'EACCES':
      return 'the process may not open this port';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    default:
      return `it can't be bound (${error.code ?? error.message})`;
  }
}
