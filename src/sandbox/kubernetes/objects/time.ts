/** Times as the API writes them: RFC 3339 in UTC with whole seconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Times of leases and of new events: microseconds. */
export function microTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/** Milliseconds since the epoch; NaN if it is no time. */
export function parseTimestamp(text: string): number {
  return Date.parse(text);
}
