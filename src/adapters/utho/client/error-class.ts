import type { UthoErrorClass } from './utho-error.js';

export interface Classification {
  readonly class: UthoErrorClass;
  readonly code: string;
}

const AUTH = { class: 'auth', code: 'unauthorized' } as const;
const NOT_FOUND = { class: 'notFound', code: 'not_found' } as const;
const QUOTA = { class: 'capacity', code: 'quota' } as const;
const OUT_OF_STOCK = { class: 'capacity', code: 'out_of_stock' } as const;
const INVALID = { class: 'validation', code: 'invalid_request' } as const;
const RATE_LIMITED = { class: 'rateLimit', code: 'rate_limited' } as const;

/** These say it all; whatever the text is. */
const BY_STATUS: Readonly<Record<number, Classification>> = {
  401: AUTH,
  402: QUOTA,
  403: AUTH,
  404: NOT_FOUND,
  429: RATE_LIMITED,
};

/**
 * Most answers that say no come with status 200, so the text has to tell (`utho` 3.3). The first match holds: a rate
 * limit is also a limit, and a text about a key may say that it was not found.
 */
const BY_TEXT: readonly (readonly [RegExp, Classification])[] = [
  [/rate limit|too many requests/, RATE_LIMITED],
  [/unauthori[sz]ed|api[ _-]?key/, AUTH],
  [/unable to find|not found|invalid cluster/, NOT_FOUND],
  [/quota|\blimits?\b|credit|balance/, QUOTA],
  [/out of stock|sold out|not available/, OUT_OF_STOCK],
];

/** What an answer that is no success means. */
export function classify(status: number, message: string): Classification {
  const byStatus = BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (status >= 500) return { class: 'transient', code: `http_${status}` };
  if (status >= 300 && status < 400) return { class: 'api', code: 'redirect' };
  const text = message.toLowerCase();
  const byText = BY_TEXT.find(([pattern]) => pattern.test(text))?.[1];
  if (byText !== undefined) return byText;
  return status === 400 || status === 422 ? INVALID : { class: 'api', code: 'api_error' };
}
