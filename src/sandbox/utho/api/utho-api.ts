import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import type { JunkPrefix } from '../settings.js';
import type { UthoWorld } from '../state/world.js';
import { badToken, readOnlyToken, Refusal, statusError } from './answers.js';
import type { Answer } from './answers.js';
import type { RequestNumbers } from './request-numbers.js';
import type { Router } from './router.js';
import { tokenOf } from './token-of.js';

const PREFIX = '/v2';

const JUNK: Readonly<Record<JunkPrefix, string>> = {
  none: '',
  newline: '\r\n\n',
  BOM: '\uFEFF',
  text: 'Notice: Undefined index: nodepools on line 12\n',
};

/** What the platform answers below `/cloud/` where it has nothing to say (shape E6, as a user found it). */
const CATCH_ALL: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html', 'x-debug-marker': 'plans-handler-v2' },
  body: '\n',
};

/** `https://api.utho.com/v2`: from a request to its answer. */
export class UthoApi implements Front {
  constructor(
    private readonly world: UthoWorld,
    private readonly router: Router,
    private readonly numbers: RequestNumbers,
  ) {}

  handle(request: FrontRequest): Promise<FrontResponse> {
    return Promise.resolve(this.render(this.respond(request)));
  }

  private respond(request: FrontRequest): Answer {
    try {
      return this.answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.answer;
    }
  }

  private answer(request: FrontRequest): Answer {
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : '';
    const match = this.router.find(request.method, path);
    if (match === null && path.startsWith('/cloud/')) return CATCH_ALL;
    // The sentence is invented.
    if (match === null) throw statusError('Page not found.', 404);
    const token = tokenOf(this.world, request);
    if (token === null) throw badToken(this.world.settings);
    if (request.method !== 'GET' && !token.writable) throw readOnlyToken(this.world.settings);
    return match.route.handler({
      token,
      segments: match.segments,
      query: request.query,
      body: bodyOf(request),
      cause: { kind: 'request', number: this.numbers.of(request) },
    });
  }

  private render({ status, headers, body }: Answer): FrontResponse {
    const isText = typeof body === 'string';
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: isText ? body : JUNK[this.world.settings.junkPrefix] + JSON.stringify(body),
    };
  }
}

function bodyOf({ body }: FrontRequest): Readonly<Record<string, unknown>> | undefined {
  if (body.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Refused below like any other body that is no object.
  }
  // The sentence is invented.
  throw statusError('Invalid JSON in the request body.', 400);
}
