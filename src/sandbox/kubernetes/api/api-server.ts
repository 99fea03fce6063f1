import { ApiError, errorResponse, noSuchPath } from '../objects/api-error.js';
import { authenticate } from '../access/user.js';
import type { Registry } from '../registry/registry.js';
import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import type { ApiFaults } from './api-faults.js';
import { discoveryDocument } from './discovery.js';
import { ResourceHandler } from './resource-handler.js';
import { parseResourcePath } from './route.js';

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);
const JSON_HEADERS = { 'content-type': 'application/json' };
const TEXT_HEADERS = { 'content-type': 'text/plain; charset=utf-8' };

/** The Kubernetes API as a front of the world. */
export class ApiServer implements Front {
  private readonly resources: ResourceHandler;

  constructor(
    registry: Registry,
    private readonly faults: ApiFaults,
  ) {
    this.resources = new ResourceHandler(registry, faults);
  }

  handle(request: FrontRequest): Promise<FrontResponse> {
    return Promise.resolve(this.answer(request));
  }

  private answer(request: FrontRequest): FrontResponse {
    if (this.faults.down) return { status: 0, headers: {}, body: '', cut: true };
    try {
      const user = authenticate(request, this.faults.acceptedTokens);
      if (HEALTH_PATHS.has(request.path)) return { status: 200, headers: TEXT_HEADERS, body: 'ok' };
      const document = request.method === 'GET' ? discoveryDocument(request.path) : undefined;
      if (document !== undefined)
        return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(document) };
      const path = parseResourcePath(request.path);
      if (path === null) throw noSuchPath();
      return this.resources.handle(path, request, user);
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error);
      // An object so odd that no check foresaw it: a real server survives that too.
      return errorResponse(new ApiError(500, 'InternalError', `Internal error occurred: ${String(error)}`));
    }
  }
}
