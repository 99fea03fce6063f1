import { ApiError } from '../objects/api-error.js';
import type { FrontRequest } from '../../world/front.js';

/** Who sends a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** May do everything, whatever roles say. */
  readonly isMaster: boolean;
}

const ADMIN: User = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  isMaster: true,
};

const TOKEN = /^sandbox:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/;

/** The token of a service account. Any other token, and none, is that of the administrator. */
export function serviceAccountToken(namespace: string, name: string): string {
  return `sandbox:serviceaccount:${namespace}:${name}`;
}

/** Throws a 401 for a token that is not accepted; `accepted` null accepts all. */
export function authenticate(request: FrontRequest, accepted: ReadonlySet<string> | null): User {
  const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];
  if (accepted !== null && (token === undefined || !accepted.has(token))) {
    throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  }
  const account = TOKEN.exec(token ?? '');
  return account === null ? ADMIN : serviceAccount(account[1]!, account[2]!);
}

function serviceAccount(namespace: string, name: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    isMaster: false,
  };
}
