import { retryAfterMs } from '../../cloud-http/index.js';
import type { HttpResponse, Outcome } from '../../cloud-http/index.js';
import { ApiError } from './api-error.js';

/** Shown of an answer that is not JSON. */
const BODY_CHARACTERS_SHOWN = 200;
/** A sentence of the API is shorter; more would flood logs and events. */
const MESSAGE_CHARACTERS_MAX = 500;
/** The budget of a project is full again within an hour. */
const RETRY_AFTER_MS_MAX = 3_600_000;
/** Answers that do not tell whether the request was carried out (`hetzner` 2.6). */
const UNKNOWN_OUTCOME_STATUSES = new Set([500, 502, 504]);

/** The JSON object of a successful answer. Throws {@link ApiError} for every other one. */
export function parseResponse(response: HttpResponse): Readonly<Record<string, unknown>> {
  const body = parseObject(response.text);
  if (!isSuccessful(response.status)) throw errorOf(response, body);
  if (response.text.trim() === '') return {};
  if (body === null) throw unreadable(response, 'the answer is not a JSON object');
  // A gateway may wrap an error into a 2xx.
  if (body['error'] != null && Object.keys(body).length === 1) throw errorOf(response, body);
  return body;
}

function errorOf(response: HttpResponse, body: Readonly<Record<string, unknown>> | null): ApiError {
  const error = asRecord(body?.['error']);
  const code = typeof error?.['code'] === 'string' && error['code'] !== '' ? error['code'] : null;
  const message = typeof error?.['message'] === 'string' ? error['message'] : null;
  const details = code === null ? '' : fieldMessages(error?.['details']);
  const adviceMs = retryAfterMs(response, RETRY_AFTER_MS_MAX);
  return new ApiError({
    status: response.status,
    code: code ?? `http_${response.status}`,
    message: `${message ?? excerpt(response)}${details}`.slice(0, MESSAGE_CHARACTERS_MAX),
    outcome: outcomeOf(response.status),
    ...(adviceMs === undefined ? {} : { retryAfterMs: adviceMs }),
  });
}

function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf(status: number): Outcome {
  return UNKNOWN_OUTCOME_STATUSES.has(status) || isSuccessful(status) ? 'unknown' : 'refused';
}

function unreadable(response: HttpResponse, message: string): ApiError {
  return new ApiError({ status: response.status, code: 'bad_response', message, outcome: 'unknown' });
}

function excerpt(response: HttpResponse): string {
  const text = response.text.slice(0, BODY_CHARACTERS_SHOWN).trim();
  return text === '' ? `HTTP status ${response.status} without a body` : text;
}

/** `invalid_input` and the like name the fields: ` [user_data: too long]`. */
function fieldMessages(details: unknown): string {
  const parts = ['fields', 'limits'].flatMap((key) => {
    const items = asRecord(details)?.[key];
    return Array.isArray(items) ? items.map(asRecord).map(fieldMessage) : [];
  });
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? '' : ` [${text}]`;
}

function fieldMessage(field: Readonly<Record<string, unknown>> | null): string {
  const name = typeof field?.['name'] === 'string' ? field['name'] : '';
  const messages = Array.isArray(field?.['messages']) ? (field['messages'] as unknown[]) : [];
  const text = messages.filter((message) => typeof message === 'string').join(', ');
  return text === '' ? name : `${name}: ${text}`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return null;
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
