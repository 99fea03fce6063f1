import type { Clock } from '../../../application/ports/clock.js';
import type { Backoffs } from '../growth/backoffs.js';
import type { ActionPoller } from '../growth/action-poller.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { Action } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';
import type { ServerCache } from '../state/server-cache.js';

/** A server is locked while another action runs on it; so long it is asked again (`hetzner` 3.8). */
const REQUEST_MS_MAX = 5 * 60_000;
/** Bounded by the time above; full jitter grows to 60 s, so this many are never reached. */
const REQUEST_RETRIES_MAX = 200;
/** A deletion that failed in the background is asked for again so often. */
const REPEATS_MAX = 3;

/** Deletes servers until they are gone: the API's yes is only the beginning. */
export class Deletion {
  private readonly following = new Set<Promise<void>>();

  constructor(
    private readonly parts: {
      readonly api: HetznerApi;
      readonly cache: ServerCache;
      readonly poller: ActionPoller;
      readonly backoffs: Backoffs;
      readonly clock: Clock;
      readonly telemetry: Telemetry;
      readonly lifetime: AbortSignal;
    },
  ) {}

  /** Settles when the API accepted the deletion, or the server is gone already. Throws {@link ApiError}. */
  async request(serverId: number, signal: AbortSignal): Promise<void> {
    const action = await this.ask(serverId, signal);
    this.follow(serverId, action);
  }

  /** For servers of ours that never worked: leaves the target at once and goes in the background. */
  dispose(serverId: number): void {
    this.parts.cache.acceptDeletion(serverId);
    const { lifetime } = this.parts;
    this.track(
      this.ask(serverId, lifetime).then((action) => this.followToTheEnd(serverId, action)),
      serverId,
    );
  }

  private async ask(serverId: number, signal: AbortSignal): Promise<Action | null> {
    const { api, cache, backoffs, clock } = this.parts;
    const options: CallOptions = {
      signal,
      deadlineMs: clock.now() + REQUEST_MS_MAX,
      retriesMax: REQUEST_RETRIES_MAX,
    };
    const action = await api.deleteServer(serverId, options);
    cache.acceptDeletion(serverId);
    backoffs.serverDeleted();
    if (action === null) cache.remove(serverId);
    return action;
  }

  private follow(serverId: number, action: Action | null): void {
    this.track(this.followToTheEnd(serverId, action), serverId);
  }

  private async followToTheEnd(serverId: number, first: Action | null): Promise<void> {
    const { poller, cache, lifetime } = this.parts;
    let action = first;
    for (let repeats = 0; action !== null; repeats++) {
      const outcome = await poller.wait(action, lifetime);
      // A lost action says nothing; the next list will tell.
      if (outcome.kind === 'lost') return;
      if (outcome.kind === 'success') {
        cache.remove(serverId);
        return;
      }
      if (repeats >= REPEATS_MAX) throw new Error(`${outcome.message} (${outcome.code})`);
      action = await this.ask(serverId, lifetime);
    }
  }

  /** Nothing that runs in the background may go unheard. */
  private track(work: Promise<void>, serverId: number): void {
    const { cache, lifetime, telemetry } = this.parts;
    const heard = work.catch((error: unknown) => {
      if (lifetime.aborted) return;
      cache.forgetDeletion(serverId);
      const detail = error instanceof Error ? error.message : 'unknown cause';
      telemetry.logger.error('hcloud-delete-failed', `server ${serverId} could not be deleted: ${detail}`, {
        serverId,
      });
    });
    this.following.add(heard);
    void heard.finally(() => this.following.delete(heard));
  }
}
