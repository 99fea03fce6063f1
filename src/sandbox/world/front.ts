/** A request as a front of the world sees it, whether it came over a socket or in process. */
export interface FrontRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text; for protobuf, one character a byte (`latin1`). */
  readonly body: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export interface FrontResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream stays open until it ends, the client leaves, or the front is stopped. */
  readonly body: string | AsyncIterable<string>;
  /** The connection is cut without an answer instead: a lost reply. */
  readonly cut?: boolean;
}

/** One simulated service: the Kubernetes API, Hetzner Cloud, Utho. Knows nothing of sockets. */
export interface Front {
  handle(request: FrontRequest): Promise<FrontResponse>;
}

/** Whether the body is binary, and so one character a byte. */
export function isProtobuf(headers: Readonly<Record<string, string>>): boolean {
  return (headers['content-type'] ?? '').includes('protobuf');
}
