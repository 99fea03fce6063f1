import { answerOf } from '../../world/faulty-front.js';
import type { FaultAction, FaultPlan } from '../../world/fault-plan.js';
import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import type { Project } from '../state/project.js';
import type { HetznerWorld, Token } from '../state/world.js';
import { ApiError, apiError } from './api-error.js';
import { parseBody } from './body-reader.js';
import type { Answer, Router } from './router.js';

const PREFIX = '/v1';
const CORRELATION_DIGITS = 16;
const HTTP_FAULTS: ReadonlySet<FaultAction['kind']> = new Set(['answer']);

/** `https://api.hetzner.cloud/v1`: the request pipeline of `hetzner` 4.2, from step 2 on. */
export class HetznerApi implements Front {
  constructor(
    private readonly world: HetznerWorld,
    private readonly router: Router,
    private readonly faults: FaultPlan,
  ) {}

  handle(request: FrontRequest): Promise<FrontResponse> {
    const correlationId = this.world.texts.hex(CORRELATION_DIGITS);
    const project = this.projectOf(request);
    const response = this.respond(request);
    const limits = project === null ? {} : project.rateLimit.headers();
    return Promise.resolve({
      ...response,
      headers: {
        'content-type': 'application/json',
        ...limits,
        'x-correlation-id': correlationId,
        ...response.headers,
      },
    });
  }

  /** The path without prefix; null outside of the API. */
  static pathOf(request: FrontRequest): string | null {
    return request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : null;
  }

  private respond(request: FrontRequest): FrontResponse {
    try {
      return this.answer(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, headers: {}, body: error.toBody() };
    }
  }

  /** The order of the steps decides which error wins. */
  private answer(request: FrontRequest): FrontResponse {
    const path = HetznerApi.pathOf(request);
    if (path === null) throw apiError('not_found', 'no such endpoint');
    const { route, id } = this.router.find(request.method, path);
    const token = this.tokenOf(request);
    if (token === null) throw apiError('unauthorized', 'unable to authenticate');
    const project = this.world.project(token.projectId);
    if (!project.rateLimit.take()) throw apiError('rate_limit_exceeded', project.rateLimit.message);
    if (request.method !== 'GET' && token.access === 'read-only') {
      throw apiError('token_readonly', 'token is only allowed to read');
    }
    const [fault] = this.faults.actionsFor(request, HTTP_FAULTS);
    if (fault?.kind === 'answer') return answerOf(fault);
    const body = parseBody(request.body);
    const origin = `http://${request.headers['host'] ?? 'api.hetzner.cloud'}`;
    return render(route.handler({ project, path, origin, id, query: request.query, body }));
  }

  private tokenOf(request: FrontRequest): Token | null {
    const match = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '');
    return match === null ? null : (this.world.tokens.get(match[1]!) ?? null);
  }

  private projectOf(request: FrontRequest): Project | null {
    const token = this.tokenOf(request);
    return token === null ? null : this.world.project(token.projectId);
  }
}

function render(answer: Answer): FrontResponse {
  const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
  return { status: answer.status, headers: answer.headers ?? {}, body };
}
