import type { Clock } from '../../../application/ports/clock.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { ServerType } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';

/** 10 min: upstream. */
const TTL_MS = 10 * 60_000;
/** After a stock-out the hints are fetched anew, but at most so often. */
const EARLY_REFRESH_MS = 60_000;

/** The server types that the cloud sells. Old data are better than none: a failed refresh keeps them (B35). */
export class Catalogue {
  private types: ReadonlyMap<string, ServerType> = new Map();
  private fetchedMs: number | null = null;
  private wantsEarlyRefresh = false;

  constructor(
    private readonly api: HetznerApi,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Throws only where no data were ever obtained. */
  async refresh(options: CallOptions, isBudgetLow: boolean): Promise<void> {
    const known = this.fetchedMs !== null;
    if (known && (isBudgetLow || !this.isDue())) return;
    this.telemetry.logger.debug('hcloud-fetch-server-types', 'Fetching server types from Hetzner API');
    try {
      const types = await this.api.serverTypes(options);
      this.types = new Map(types.map((type) => [type.name, type]));
    } catch (error) {
      if (!known) throw error;
      const message = 'server types cannot be fetched, the last known ones are used';
      this.telemetry.logger.warn('hcloud-server-types-stale', message);
    }
    this.fetchedMs = this.clock.now();
    this.wantsEarlyRefresh = false;
  }

  /** Stock hints may be wrong. */
  distrust(): void {
    this.wantsEarlyRefresh = true;
  }

  type(name: string): ServerType | undefined {
    return this.types.get(name);
  }

  private isDue(): boolean {
    const ageMs = this.clock.now() - (this.fetchedMs ?? 0);
    return ageMs >= TTL_MS || (this.wantsEarlyRefresh && ageMs >= EARLY_REFRESH_MS);
  }
}
