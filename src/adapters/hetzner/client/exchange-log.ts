import { createHash } from 'node:crypto';
import type { ApiRequest } from './api-request.js';
import type { RawResponse } from './parse-response.js';

/** Longest part of a body that goes into the log. */
const BODY_CHARACTERS_MAX = 16 * 1024;
const SECRET_KEYS = new Set(['user_data', 'root_password']);

/**
 * Request and response for the debug log, rendered only when a log at that level asks for it. The authorization
 * header is never part of it; user data is replaced by its size and a hash, passwords by a stand-in
 * (`hetzner` 3.12).
 */
export function exchangeDump(
  url: string,
  request: ApiRequest,
  response: RawResponse | null,
): { toJSON(): unknown } {
  return {
    toJSON: () => ({
      request: `${request.method} ${url}`,
      requestHeaders: { authorization: 'REDACTED', accept: 'application/json' },
      requestBody: request.body === undefined ? null : redactedText(request.body),
      status: response?.status ?? null,
      responseHeaders: response?.headers ?? null,
      responseBody: response === null ? null : redactedBody(response.text),
    }),
  };
}

function redactedBody(text: string): string {
  try {
    return redactedText(JSON.parse(text));
  } catch {
    return `<${Buffer.byteLength(text)} bytes that are not JSON>`;
  }
}

function redactedText(body: unknown): string {
  const text = JSON.stringify(body, (key, value: unknown) =>
    SECRET_KEYS.has(key) && typeof value === 'string' ? standIn(value) : value,
  );
  return text.length <= BODY_CHARACTERS_MAX ? text : `${text.slice(0, BODY_CHARACTERS_MAX)}…`;
}

function standIn(value: string): string {
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 12);
  return `<${Buffer.byteLength(value)} bytes, sha256:${hash}>`;
}
