import {
  Observable,
  ResponseContext,
  ServerConfiguration,
  createConfiguration,
  wrapHttpLibrary,
} from '@kubernetes/client-node';
import type { ApiType, Configuration, ConfigurationOptions, RequestContext } from '@kubernetes/client-node';
import { statusError } from './api-error.js';
import type { ApiRequest, ApiTransport } from './api-transport.js';

type ApiConstructor<Api extends ApiType> = new (configuration: Configuration) => Api;

/**
 * A typed API of client-node that sends through our transport: one dispatcher, one rate limit, one way to be let in.
 * Left to itself it opens a new TLS connection for each call.
 */
export function apiOn<Api extends ApiType>(
  transport: ApiTransport,
  server: URL,
  constructor: ApiConstructor<Api>,
): Api {
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server.origin, {}),
    httpApi: wrapHttpLibrary({ send: (request) => send(transport, request) }),
  });
  return new constructor(configuration);
}

/** A model of client-node; later parts win. Its constructors take no fields, and plain objects are no instances. */
export function model<T extends object>(
  constructor: new () => T,
  ...parts: readonly { readonly [Key in keyof T]?: T[Key] | undefined }[]
): T {
  return Object.assign(new constructor(), ...parts) as T;
}

/** Options of one call: its signal, and another content type than the usual. */
export function callOptions(options: {
  readonly signal?: AbortSignal | undefined;
  readonly contentType?: string;
}): ConfigurationOptions {
  const { signal, contentType } = options;
  return {
    middleware: [
      {
        pre: (request) => {
          if (signal !== undefined) request.setSignal(signal);
          if (contentType !== undefined) request.setHeaderParam('Content-Type', contentType);
          return new Observable(Promise.resolve(request));
        },
        post: (response) => new Observable(Promise.resolve(response)),
      },
    ],
    middlewareMergeStrategy: 'append',
  };
}

async function send(transport: ApiTransport, request: RequestContext): Promise<ResponseContext> {
  const url = new URL(request.getUrl());
  const body = request.getBody();
  const signal = request.getSignal();
  const answer = await transport.send({
    method: request.getHttpMethod() as ApiRequest['method'],
    path: `${url.pathname}${url.search}`,
    headers: request.getHeaders(),
    // The API's own calls send JSON text or nothing.
    ...(typeof body === 'string' && { body }),
    ...(signal !== undefined && { signal }),
  });
  // In place of client-node's own exception, whose message holds headers and body.
  if (answer.status >= 300) throw statusError(answer.status, answer.body, answer.headers);
  return new ResponseContext(
    answer.status,
    { ...answer.headers },
    {
      text: () => Promise.resolve(answer.body),
      binary: () => Promise.resolve(Buffer.from(answer.body)),
      stream: () => null,
    },
  );
}
