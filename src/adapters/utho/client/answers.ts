import { retryAfterMs } from '../../cloud-http/index.js';
import type { HttpResponse, Outcome } from '../../cloud-http/index.js';
import { classify } from './error-class.js';
import type { Classification } from './error-class.js';
import { readText } from './lenient.js';
import { parseBody } from './parse-body.js';
import { UthoError } from './utho-error.js';

/** The JSON object of an answer that is a success. */
export type Answer = Readonly<Record<string, unknown>>;

/** `what` is the request, for messages: `GET https://…`. Throws {@link UthoError} for all that is no success. */
export type AnswerReader<T> = (response: HttpResponse, what: string) => T;

/** Shown of an answer that is not understood (`utho` 3.3). */
const BODY_CHARACTERS_SHOWN = 200;
/** A sentence of the API is shorter; more would flood logs and events. */
const MESSAGE_CHARACTERS_MAX = 500;
/** An hour: no advice to wait is taken for longer. */
const RETRY_AFTER_MS_MAX = 3_600_000;

/** Success of a read (`utho` 3.2): 2xx, JSON, and neither `status` nor `rcode` nor `errors` object. */
export const readAnswer: AnswerReader<Answer> = (response, what) => {
  const body = parseBody(response.text);
  if (!isSuccessful(response.status)) throw httpError(response, body, what);
  if (body === null) throw unreadable(response, what);
  const failure = failureOf(body);
  if (failure !== null) throw refusal(response, failure);
  return body;
};

/**
 * Success of a write: besides, `status` must be there.
 *
 * differs from upstream: a missing `status` counts as success there (B08). Here nobody knows, so it is looked up.
 */
export const writeAnswer: AnswerReader<void> = (response, what) => {
  try {
    const body = readAnswer(response, what);
    if (readText(body['status']) !== '') return;
  } catch (error) {
    throw error instanceof UthoError ? asWriteError(error) : error;
  }
  throw new UthoError({
    class: 'api',
    code: 'no_status',
    message: `${what}: the answer does not say whether it was done`,
    outcome: 'unknown',
    status: response.status,
  });
};

function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Text of the failure that a body reports, or null. */
function failureOf(body: Answer): string | null {
  const status = readText(body['status']);
  const rcode = readText(body['rcode']);
  const reported = [
    ...(['', 'success'].includes(status.toLowerCase()) ? [] : [`status ${JSON.stringify(status)}`]),
    ...(['', 'success', '0'].includes(rcode.toLowerCase()) ? [] : [`rcode ${JSON.stringify(rcode)}`]),
    ...(errorMessages(body).length === 0 ? [] : ['errors']),
  ];
  if (reported.length === 0) return null;
  return messageOf(body) ?? `Utho API reported ${reported[0]} without a message`;
}

/** The sentence of the API, or null. */
function messageOf(body: Answer | null): string | null {
  const message = body?.['message'];
  const text = typeof message === 'object' && message !== null ? JSON.stringify(message) : readText(message);
  const all = text === '' ? errorMessages(body).join('; ') : text;
  return all === '' ? null : shorten(all, MESSAGE_CHARACTERS_MAX);
}

/** `{"errors":[{"message","long_message","code"}]}`: known from type declarations only. */
function errorMessages(body: Answer | null): readonly string[] {
  const errors: unknown = body?.['errors'];
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => {
    const parts = error !== null && typeof error === 'object' ? (error as Answer) : {};
    const text = readText(parts['message']) || readText(parts['long_message']) || readText(error);
    return text || `code ${JSON.stringify(readText(parts['code']))}`;
  });
}

function httpError(response: HttpResponse, body: Answer | null, what: string): UthoError {
  const { status } = response;
  const said = messageOf(body) ?? (excerpt(response.text) || 'without a body');
  const outcome = status >= 500 ? 'unknown' : 'refused';
  return errorOf(response, classify(status, said), `${what}: ${status} ${said}`, outcome);
}

/** A 2xx that says no; its text is all that upstream shows, too. */
function refusal(response: HttpResponse, message: string): UthoError {
  return errorOf(response, classify(response.status, message), message, 'refused');
}

function unreadable(response: HttpResponse, what: string): UthoError {
  const shown = excerpt(response.text);
  const message = `${what}: ${response.status}, ${shown === '' ? 'an empty answer' : `no JSON object: ${shown}`}`;
  return errorOf(response, { class: 'transient', code: 'bad_response' }, message, 'unknown');
}

function errorOf(
  response: HttpResponse,
  classification: Classification,
  message: string,
  outcome: Outcome,
): UthoError {
  const adviceMs = retryAfterMs(response, RETRY_AFTER_MS_MAX);
  return new UthoError({
    ...classification,
    message,
    outcome,
    status: response.status,
    retryAfterMs: adviceMs,
  });
}

/** Keys can be read-only (`utho` 3.1), and each write follows a read that was let through. */
function asWriteError(error: UthoError): UthoError {
  return error.class === 'auth' ? error.withCode('token_readonly') : error;
}

function excerpt(text: string): string {
  return shorten(text.replace(/\s+/gu, ' ').trim(), BODY_CHARACTERS_SHOWN);
}

function shorten(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}
