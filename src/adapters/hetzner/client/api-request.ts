export type QueryValue = string | number | readonly (string | number)[];

/** One request, before retries. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the endpoint: `/servers`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** True: sending it twice does no harm, so an unknown outcome may be retried. */
  readonly idempotent: boolean;
}

export function requestUrl(endpoint: string, request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of Array.isArray(value) ? (value as readonly (string | number)[]) : [value as string]) {
      query.append(name, String(item));
    }
  }
  const text = query.toString();
  return `${endpoint}${request.path}${text === '' ? '' : `?${text}`}`;
}

/** Label `api_endpoint` of the client metrics (`hetzner` 3.13): `/v1/servers/7/actions/poweron` → `/servers/actions/poweron`. */
export function endpointLabel(url: string): string {
  return new URL(url).pathname
    .toLowerCase()
    .replace(/[^a-z/_]/g, '')
    .replaceAll('//', '/')
    .replace('/v/', '/');
}
