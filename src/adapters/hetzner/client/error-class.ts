import type { ApiError } from './api-error.js';

/** What an error means for a growth or a release (`hetzner` 3.7a). */
export type ErrorClass =
  | 'stockout'
  | 'quota'
  | 'placement-full'
  | 'network-full'
  | 'throttle'
  | 'retry'
  | 'adopt'
  | 'protected'
  | 'config'
  | 'access'
  | 'other';

const CLASS_BY_CODE: Readonly<Record<string, ErrorClass>> = {
  resource_unavailable: 'stockout',
  placement_error: 'stockout',
  resource_limit_exceeded: 'quota',
  no_subnet_available: 'network-full',
  ip_not_available: 'network-full',
  rate_limit_exceeded: 'throttle',
  conflict: 'retry',
  locked: 'retry',
  maintenance: 'retry',
  unavailable: 'retry',
  server_error: 'retry',
  bad_gateway: 'retry',
  timeout: 'retry',
  connect_failed: 'retry',
  connection_lost: 'retry',
  bad_response: 'retry',
  uniqueness_error: 'adopt',
  protected: 'protected',
  json_error: 'config',
  method_not_allowed: 'config',
  invalid_input: 'config',
  unsupported_error: 'config',
  networks_overlap: 'config',
  deprecated_api_endpoint: 'access',
  unauthorized: 'access',
  token_readonly: 'access',
  forbidden: 'access',
};

/** Used only where the answer carries no code of its own. */
const CLASS_BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: 'access',
  403: 'access',
  429: 'throttle',
  500: 'retry',
  502: 'retry',
  503: 'retry',
  504: 'retry',
};

/** Where one code stands for several things the text decides; compared without regard to case. */
const CLASS_BY_TEXT: readonly { code: string; text: string; class: ErrorClass }[] = [
  { code: 'invalid_input', text: 'unsupported location for server type', class: 'stockout' },
  { code: 'service_error', text: 'already 10 servers', class: 'placement-full' },
];

export function classify(error: ApiError): ErrorClass {
  const text = error.message.toLowerCase();
  const special = CLASS_BY_TEXT.find((entry) => entry.code === error.code && text.includes(entry.text));
  if (special !== undefined) return special.class;
  const byCode = CLASS_BY_CODE[error.code];
  if (byCode !== undefined) return byCode;
  if (!error.code.startsWith('http_')) return 'other';
  return CLASS_BY_STATUS[error.status ?? 0] ?? 'other';
}

/** More of the same would fail the same way: the rest of the batch is not sent. */
export function stopsBatch(errorClass: ErrorClass): boolean {
  return !['throttle', 'retry', 'adopt', 'other'].includes(errorClass);
}
