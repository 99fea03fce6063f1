/** One request, ready to be sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly token: string;
  /** JSON, or null for none. */
  readonly body: string | null;
}

/** A complete answer, whatever its status. The request's token is not in it, even where the other side repeated it. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export function headerOf(response: Pick<HttpResponse, 'headers'>, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** `Retry-After` in milliseconds, cut at `maxMs`; undefined where there is none. Dates are not read: no cloud sends them. */
export function retryAfterMs(response: Pick<HttpResponse, 'headers'>, maxMs: number): number | undefined {
  const text = headerOf(response, 'retry-after') ?? '';
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, maxMs) : undefined;
}
