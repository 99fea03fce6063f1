/**
 * Trouble that lasts: logged once when it begins and once when it is over, whatever the number of failures between.
 * `key` names the outside thing (`hetzner-api`, `watch-pods`).
 */
export interface Incidents {
  /** A failure. Logs on the first since the last {@link over}, or when the message's kind changes; counts the others. */
  happened(key: string, message: string, error?: unknown): void;
  /** It works. Logs, with duration and count, only if an incident was open. */
  over(key: string): void;
  /** Open incidents by key, for health and status. */
  open(): ReadonlyMap<string, { readonly sinceMs: number; readonly count: number; readonly message: string }>;
}

export const Incidents = Symbol('Incidents');
