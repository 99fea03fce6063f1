import type { FrontResponse } from '../../world/front.js';
import { resourceOf } from './kind.js';
import type { Kind } from './kind.js';

export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A refusal that leaves the API as a `Status` object. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** The `Status` object of `meta/v1`. */
  status(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

function detailsOf(kind: Kind, name: string): StatusDetails {
  return { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural };
}

/** Details of a refused object name its kind, not its resource. */
function objectDetailsOf(kind: Kind, name: string): StatusDetails {
  return { ...detailsOf(kind, name), kind: kind.kind };
}

export function notFound(kind: Kind, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${resourceOf(kind)} "${name}" not found`, detailsOf(kind, name));
}

export function noSuchPath(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(kind: Kind, name: string): ApiError {
  const message = `${resourceOf(kind)} "${name}" already exists`;
  return new ApiError(409, 'AlreadyExists', message, detailsOf(kind, name));
}

export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(kind: Kind, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceOf(kind)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, detailsOf(kind, name));
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function forbidden(kind: Kind, name: string, why: string): ApiError {
  const message = `${resourceOf(kind)} "${name}" is forbidden: ${why}`;
  return new ApiError(403, 'Forbidden', message, detailsOf(kind, name));
}

export function invalid(kind: Kind, name: string, causes: readonly StatusCause[]): ApiError {
  const texts = causes.map((cause) => `${cause.field ?? ''}: ${cause.message}`);
  const text = texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new ApiError(422, 'Invalid', `${qualified} "${name}" is invalid: ${text}`, {
    ...objectDetailsOf(kind, name),
    causes,
  });
}

export function expired(message: string): ApiError {
  return new ApiError(410, 'Expired', message);
}

export function methodNotAllowed(): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** `why`: what in the body is not understood, if that is known. */
export function unsupportedMediaType(accepted: readonly string[], why = ''): ApiError {
  const message =
    'the body of the request was in an unknown format - accepted media types include: ' + accepted.join(', ');
  const text = why === '' ? message : `${message}: ${why}`;
  return new ApiError(415, 'UnsupportedMediaType', text, {});
}

/** The refusal as an answer. */
export function errorResponse(error: ApiError): FrontResponse {
  const retryAfter = error.details?.retryAfterSeconds;
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
  };
  return { status: error.code, headers, body: JSON.stringify(error.status()) };
}
