import type { Cause } from '../state/events.js';
import type { Token } from '../state/records.js';
import type { Answer } from './answers.js';

/** One authenticated call, as handlers see it. */
export interface Call {
  readonly token: Token;
  /** Values of the path's `{…}`, decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** Undefined: there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly cause: Cause;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the version; `{…}` stands for one segment. */
  readonly path: string;
  readonly handler: (call: Call) => Answer;
}

export interface RouteMatch {
  readonly route: Route;
  readonly segments: readonly string[];
}

export class Router {
  private readonly patterns: readonly { readonly route: Route; readonly pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.patterns = routes.map((route) => ({
      route,
      pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`),
    }));
  }

  /** Null when there is no such endpoint, also with this method. */
  find(method: string, path: string): RouteMatch | null {
    for (const { route, pattern } of this.patterns) {
      const match = route.method === method ? pattern.exec(path) : null;
      const segments = match === null ? null : decoded(match.slice(1));
      if (segments !== null) return { route, segments };
    }
    return null;
  }
}

/** Null when the escapes are broken. */
function decoded(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}
