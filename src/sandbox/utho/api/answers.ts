import type { UthoSettings } from '../settings.js';

/** What a handler answers; the pipeline turns it into bytes. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is text. */
  readonly body: unknown;
}

/** Ends the handling of a request with an answer that says no. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** Shape E1: the usual way to say no. */
export function statusError(message: string, status = 200): Refusal {
  return new Refusal({ status, body: { status: 'error', message } });
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** Sentences of the documentation, word for word. */
const UNAUTHORIZED = 'Unauthorized access. Please provide a valid API key.';
const INVALID_CLUSTER = 'Invalid Cluster ID or Security Group ID.';
const CLUSTER_NOT_FOUND = 'Sorry we unable to find this cluster or you dont have access!';

/** A missing or wrong key. */
export function badToken({ badToken: shape }: UthoSettings): Refusal {
  switch (shape) {
    case '401+E2':
      return statusError(UNAUTHORIZED, 401);
    case '200+E2':
      return statusError(UNAUTHORIZED);
    case '403':
      // The sentence is invented.
      return statusError('You are not allowed to access this resource.', 403);
  }
}

/** A key that may only read; the sentence is invented. */
export function readOnlyToken({ readOnlyToken: shape }: UthoSettings): Refusal {
  return statusError('Unauthorized access. This API key is read only.', Number(shape));
}

/** A cluster that is not there, or is not this customer's: shapes E1, E4 and E5, or plain HTTP. */
export function unknownCluster(settings: UthoSettings, isRead: boolean): Refusal {
  switch (settings.unknownCluster) {
    case 'E1':
      return statusError(INVALID_CLUSTER);
    case 'E4':
      // That `rcode` says `error` is a guess of the description.
      return new Refusal(ok({ rcode: 'error', message: CLUSTER_NOT_FOUND }));
    case 'E5':
      // A write has no cluster to show.
      return isRead ? new Refusal(ok(emptyCluster())) : statusError(INVALID_CLUSTER);
    case '404':
      return statusError(CLUSTER_NOT_FOUND, 404);
  }
}

function emptyCluster(): unknown {
  return {
    info: { cluster: { id: '', label: '', status: '' }, master: {} },
    nodepools: [],
    rcode: 'success',
  };
}

/** What a successful write says. */
export function written(settings: UthoSettings, message: string, id: string): Answer {
  return ok({ status: 'success', message, id: settings.numericId === 'on' ? Number(id) : id });
}
