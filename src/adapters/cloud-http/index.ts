export { createCloudDispatcher } from './create-dispatcher.js';
export { exchangeDump } from './exchange-dump.js';
export { ExchangeError } from './exchange-error.js';
export { HttpExchange } from './http-exchange.js';
export type { ExchangeLimits } from './http-exchange.js';
export { headerOf, retryAfterMs } from './http-message.js';
export type { HttpRequest, HttpResponse } from './http-message.js';
export type { Outcome } from './outcome.js';
