import { ApiError, noSuchPath } from '../objects/api-error.js';
import type { Registry } from '../registry/registry.js';
import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import type { ApiFaults } from './api-faults.js';
import { discoveryDocument } from './discovery.js';
import { RequestLog } from './request-log.js';
import { ResourceHandler } from './resource-handler.js';
import { parseResourcePath } from './route.js';

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);
const JSON_HEADERS = { 'content-type': 'application/json' };
const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8' };

/** The Kubernetes API as a front of the world. */
export class ApiServer implements Front {
  readonly log: RequestLog;
  private readonly resources: ResourceHandler;

  constructor(
    private readonly registry: Registry,
    private readonly faults: ApiFaults,
    requestsKept: number,
  ) {
    this.log = new RequestLog(requestsKept);
    this.resources = new ResourceHandler(registry, faults);
  }

  handle(request: FrontRequest): Promise<FrontResponse> {
    const response = this.answer(request);
    this.log.add({
      atMs: this.registry.clock.now(),
      method: request.method,
      path: request.path,
      query: request.query.toString(),
      userAgent: request.headers['user-agent'] ?? '',
      body: request.body,
      status: response.cut === true ? 0 : response.status,
    });
    return Promise.resolve(response);
  }

  private answer(request: FrontRequest): FrontResponse {
    if (this.faults.down) return { status: 0, headers: {}, body: '', cut: true };
    try {
      this.authenticate(request);
      if (HEALTH_PATHS.has(request.path)) return { status: 200, headers: TEXT_HEADERS, body: 'ok' };
      const document = request.method === 'GET' ? discoveryDocument(request.path) : undefined;
      if (document !== undefined)
        return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(document) };
      const path = parseResourcePath(request.path);
      if (path === null) throw noSuchPath();
      return this.resources.handle(path, request);
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error);
      // An object so odd that no check foresaw it: a real server survives that too.
      return errorResponse(new ApiError(500, 'InternalError', `Internal error occurred: ${String(error)}`));
    }
  }

  private authenticate(request: FrontRequest): void {
    const accepted = this.faults.acceptedTokens;
    if (accepted === null) return;
    const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];
    if (token === undefined || !accepted.has(token)) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  }
}

function errorResponse(error: ApiError): FrontResponse {
  const retryAfter = error.details?.retryAfterSeconds;
  const headers =
    retryAfter === undefined ? JSON_HEADERS : { ...JSON_HEADERS, 'retry-after': `${retryAfter}` };
  return { status: error.code, headers, body: JSON.stringify(error.status()) };
}
