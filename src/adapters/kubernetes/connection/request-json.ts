import { statusError } from './api-error.js';
import type { ApiRequest, ApiTransport } from './api-transport.js';

/**
 * Sends, and parses the answer.
 * @throws ApiStatusError, ApiUnreachableError
 */
export async function requestJson(api: ApiTransport, request: ApiRequest): Promise<unknown> {
  const { status, body, headers } = await api.send(request);
  if (status >= 300) throw statusError(status, body, headers);
  return JSON.parse(body);
}
