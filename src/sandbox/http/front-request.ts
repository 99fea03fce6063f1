import type { FrontRequest } from '../world/front.js';

/** What a transport knows of a request before its body and its end are known. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

export function frontRequest(head: RequestHead, body: string, signal: AbortSignal): FrontRequest {
  const questionMark = head.target.indexOf('?');
  const path = questionMark < 0 ? head.target : head.target.slice(0, questionMark);
  const query = new URLSearchParams(questionMark < 0 ? '' : head.target.slice(questionMark + 1));
  return { method: head.method, path, query, headers: head.headers, body, signal };
}

/** Adds one header; repeated ones are joined as HTTP says. */
export function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const present = headers[key];
  headers[key] = present === undefined ? value : `${present}, ${value}`;
}
