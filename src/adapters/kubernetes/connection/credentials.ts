import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../../../application/ports/clock.js';

/** TLS part of the credentials, as `tls.connect` takes it. */
export interface TlsIdentity {
  readonly ca?: Buffer | string;
  readonly cert?: Buffer | string;
  readonly key?: Buffer | string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsIdentity;
}

/** How requests prove who they are. */
export interface Credentials {
  /** What is valid now; read again when it is older than a minute. */
  current(): Promise<Authentication>;
  /** After a 401: reads at once. */
  renew(): Promise<Authentication>;
}

/** Age at which files are read again: a projected token is replaced long before it ends, client-go does the same. */
const READ_AGAIN_MS = 60_000;
/** Requests that fail together renew once. */
const RENEW_PAUSE_MS = 1_000;

/**
 * Credentials of a kubeconfig through client-node's authenticators: certificates, tokens, token files, exec plug-ins,
 * OIDC. Files are read again each minute and at once after a 401 (U038); an exec plug-in runs again when its
 * credential ends or was refused.
 */
export class KubeConfigCredentials implements Credentials {
  private config: KubeConfig | null = null;
  private known: Authentication | null = null;
  private readMs = 0;
  private reading: Promise<Authentication> | null = null;

  constructor(
    private readonly load: () => KubeConfig,
    private readonly clock: Clock,
  ) {}

  async current(): Promise<Authentication> {
    if (this.known !== null && this.clock.now() - this.readMs < READ_AGAIN_MS) return this.known;
    return this.readOnce(false);
  }

  async renew(): Promise<Authentication> {
    if (this.known !== null && this.clock.now() - this.readMs < RENEW_PAUSE_MS) return this.known;
    return this.readOnce(true);
  }

  private readOnce(afresh: boolean): Promise<Authentication> {
    this.reading ??= this.read(afresh).finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async read(afresh: boolean): Promise<Authentication> {
    // An exec plug-in's own cache lives in its authenticator: kept as long as the credential was not refused.
    const keeps = !afresh && this.config?.getCurrentUser()?.exec != null;
    try {
      if (this.config === null || !keeps) this.config = this.load();
      this.known = await authenticate(this.config);
      this.readMs = this.clock.now();
      return this.known;
    } catch (error) {
      // A file that is being replaced must not stop anything: what is known may still be good, the server decides.
      if (this.known === null) throw error;
      return this.known;
    }
  }
}

async function authenticate(config: KubeConfig): Promise<Authentication> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = String(value).trim();
  if (typeof options.auth === 'string') {
    headers['Authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  }
  const { ca, cert, key, servername, rejectUnauthorized } = options;
  const tls = { ca, cert, key, servername, rejectUnauthorized };
  const given = Object.entries(tls).filter(([, value]) => value !== undefined && value !== null);
  return { headers, tls: Object.fromEntries(given) };
}
