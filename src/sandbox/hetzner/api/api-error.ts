/** An answer with status ≥ 400, as section 2.2 of the API describes it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  toBody(): string {
    return JSON.stringify({ error: { code: this.code, message: this.message, details: this.details } });
  }
}

/** HTTP status of each code, from the API's documentation. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  json_error: 400,
  unauthorized: 401,
  token_readonly: 401,
  forbidden: 403,
  maintenance: 403,
  resource_limit_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  uniqueness_error: 409,
  conflict: 409,
  deprecated_api_endpoint: 410,
  resource_unavailable: 412,
  locked: 423,
  protected: 423,
  rate_limit_exceeded: 429,
  server_error: 500,
  bad_gateway: 502,
  unavailable: 503,
  timeout: 504,
};

/** An error by its code; codes without an entry of their own are refusals of input (422). */
export function apiError(code: string, message: string, details: unknown = null): ApiError {
  return new ApiError(STATUS_OF_CODE[code] ?? 422, code, message, details);
}

export function notFound(what: string, id: number | string): ApiError {
  return apiError('not_found', `${what} with ID '${id}' not found`);
}

/** Collects what is wrong with the fields of one request, so that all of it is reported at once. */
export class FieldErrors {
  private readonly messages = new Map<string, string[]>();

  add(field: string, message: string): void {
    const known = this.messages.get(field);
    if (known === undefined) this.messages.set(field, [message]);
    else known.push(message);
  }

  /** Throws `invalid_input` if anything was added. */
  throwIfAny(): void {
    if (this.messages.size === 0) return;
    const fields = [...this.messages].map(([name, messages]) => ({ name, messages }));
    const text = fields
      .map(({ name, messages }) => `invalid input in field '${name}': ${messages.join(' ')}`)
      .join(', ');
    throw apiError('invalid_input', text, { fields });
  }
}

export function invalidInput(field: string, message: string): ApiError {
  return apiError('invalid_input', message, { fields: [{ name: field, messages: [message] }] });
}

export function limitExceeded(limit: string, message: string): ApiError {
  return apiError('resource_limit_exceeded', message, { limits: [{ name: limit }] });
}
