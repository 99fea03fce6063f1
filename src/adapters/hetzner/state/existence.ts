import type { Clock } from '../../../application/ports/clock.js';
import type { MachineExistence } from '../../../domain/observation.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { Server } from '../client/records.js';

/** Answers about servers outside the list are kept, else static nodes would cost a request each per loop. */
const FOREIGN_MS = 60 * 60_000;
const GONE_MS = 15 * 60_000;
const EXISTS_MS = 60_000;
/** Twice the servers of the largest networks; the oldest answer goes first. */
const ANSWERS_MAX = 20_000;

interface Answer {
  readonly existence: MachineExistence;
  readonly untilMs: number;
}

/** Asks the API about single servers that the list does not show. */
export class ExistenceProbe {
  private readonly answers = new Map<number, Answer>();

  constructor(
    private readonly api: HetznerApi,
    private readonly clock: Clock,
    private readonly isOurs: (server: Server) => boolean,
  ) {}

  /** `unknown` on any trouble: only the API's 404 means gone. */
  async ask(serverId: number, signal: AbortSignal): Promise<MachineExistence> {
    const known = this.answers.get(serverId);
    if (known !== undefined && known.untilMs > this.clock.now()) return known.existence;
    try {
      const server = await this.api.server(serverId, { signal, retriesMax: 1 });
      if (server === null) return this.keep(serverId, 'gone', GONE_MS);
      return this.isOurs(server)
        ? this.keep(serverId, 'exists', EXISTS_MS)
        : this.keep(serverId, 'foreign', FOREIGN_MS);
    } catch {
      return 'unknown';
    }
  }

  private keep(serverId: number, existence: MachineExistence, ms: number): MachineExistence {
    this.answers.delete(serverId);
    this.answers.set(serverId, { existence, untilMs: this.clock.now() + ms });
    if (this.answers.size > ANSWERS_MAX) {
      const oldest = this.answers.keys().next().value;
      if (oldest !== undefined) this.answers.delete(oldest);
    }
    return existence;
  }
}
