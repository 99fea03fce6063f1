import { UthoError } from './utho-error.js';

/** Where a call goes. */
export interface UthoCall {
  /** Label `endpoint` of the metrics: a name, never an id. */
  readonly endpoint: string;
  /** Below the base URL, segment by segment, as they are; the client encodes them. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
}

/** A call that changes something. */
export interface UthoWrite extends UthoCall {
  readonly method: 'POST' | 'DELETE';
  readonly body?: Readonly<Record<string, string>>;
}

/** Throws UthoError where an id can't be a path segment: a pool's name is whatever its user typed. */
export function callUrl(apiUrl: string, { path, query }: UthoCall): string {
  const parameters = new URLSearchParams(query).toString();
  return `${apiUrl}${path.map(segment).join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

function segment(id: string): string {
  // Dots as a whole segment would climb in the path, also when they are encoded; an empty one would name the list.
  if (id === '' || id === '.' || id === '..') throw badId(id);
  try {
    return encodeURIComponent(id);
  } catch (error) {
    // A lone surrogate.
    throw badId(id, error);
  }
}

function badId(id: string, cause?: unknown): UthoError {
  const message = `${JSON.stringify(id)} can't be part of a request path`;
  return new UthoError(
    { class: 'validation', code: 'bad_id', message, outcome: 'unsent', status: null },
    cause === undefined ? undefined : { cause },
  );
}
