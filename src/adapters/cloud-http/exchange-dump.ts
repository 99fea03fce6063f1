import type { HttpRequest, HttpResponse } from './http-message.js';

/** Longest part of a body that goes into the log. */
const BODY_CHARACTERS_MAX = 16 * 1024;

/** Gives what may be shown of one member of a body, as the replacer of `JSON.stringify` does. */
export type BodyMask = (key: string, value: unknown) => unknown;

/**
 * Request and response for the debug log, rendered only when a log at that level asks for it. Neither the token nor a
 * cookie is shown.
 */
export function exchangeDump(
  request: HttpRequest,
  response: HttpResponse | null,
  mask: BodyMask = (_, value) => value,
): { toJSON(): unknown } {
  return {
    toJSON: () => ({
      request: `${request.method} ${request.url}`,
      requestHeaders: { authorization: 'REDACTED', accept: 'application/json' },
      requestBody: request.body === null ? null : maskedBody(request.body, mask),
      status: response?.status ?? null,
      responseHeaders: response === null ? null : { ...response.headers, 'set-cookie': undefined },
      responseBody: response === null ? null : maskedBody(response.text, mask),
    }),
  };
}

function maskedBody(text: string, mask: BodyMask): string {
  try {
    const masked = JSON.stringify(JSON.parse(text), mask);
    return masked.length <= BODY_CHARACTERS_MAX ? masked : `${masked.slice(0, BODY_CHARACTERS_MAX)}…`;
  } catch {
    return `<${Buffer.byteLength(text)} bytes that are not JSON>`;
  }
}
