import type { Dispatcher } from 'undici';
import { createCloudDispatcher } from '../../cloud-http/index.js';

/** Injection token of the undici dispatcher that carries all requests to Utho. */
export const UthoDispatcher = Symbol('UthoDispatcher');

/** Requests under way at the same time (`utho` 3.9). */
export const REQUESTS_MAX = 4;

export function createUthoDispatcher(proxy: string | null): Dispatcher {
  return createCloudDispatcher(REQUESTS_MAX, proxy);
}
