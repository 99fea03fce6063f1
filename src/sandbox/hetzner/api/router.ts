import { apiError } from './api-error.js';
import type { JsonObject } from './body-reader.js';
import type { Project } from '../state/project.js';

/** One authenticated call, as handlers see it. */
export interface Call {
  readonly project: Project;
  /** Path without the prefix `/v1`. */
  readonly path: string;
  /** Scheme and host that the client used, for links. */
  readonly origin: string;
  /** The number of `{id}`; 0 in paths without one. */
  readonly id: number;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

export interface Answer {
  readonly status: number;
  /** Undefined: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Answer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for one number. */
  readonly path: string;
  readonly handler: Handler;
}

export interface RouteMatch {
  readonly route: Route;
  readonly id: number;
}

/** Finds the handler of a path. Throws `not_found` for unknown paths and `method_not_allowed`. */
export class Router {
  private readonly patterns: readonly { readonly route: Route; readonly pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.patterns = routes.map((route) => ({
      route,
      pattern: new RegExp(`^${route.path.replace('{id}', '(\\d+)')}$`),
    }));
  }

  find(method: string, path: string): RouteMatch {
    let known = false;
    for (const { route, pattern } of this.patterns) {
      const match = pattern.exec(path);
      if (match === null) continue;
      if (route.method === method) return { route, id: Number(match[1] ?? 0) };
      known = true;
    }
    if (known) throw apiError('method_not_allowed', `method ${method} is not allowed here`);
    throw apiError('not_found', 'no such endpoint');
  }

  isKnown(path: string): boolean {
    return this.patterns.some(({ pattern }) => pattern.test(path));
  }
}
