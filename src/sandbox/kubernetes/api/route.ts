import { ApiError, noSuchPath } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import { KINDS, PODS } from '../objects/kinds.js';

const NEEDS_CONTAINERS: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

function noContainers(subresource: string): ApiError {
  const message = `the pods of the sandbox have no containers: there is no ${subresource}`;
  return new ApiError(501, 'NotImplemented', message, {});
}

/** A request for a resource, taken from its path. */
export interface ResourcePath {
  readonly kind: Kind;
  /** Empty: all namespaces, or a kind without. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  readonly subresource: string;
}

const byPath = new Map(KINDS.map((kind) => [pathKey(kind.group, kind.version, kind.plural), kind]));

function pathKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

/** Null if the path is not below `/api/<version>/` or `/apis/<group>/<version>/`. Throws a 404 for unknown kinds. */
export function parseResourcePath(path: string): ResourcePath | null {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const root = parts.shift();
  const group = root === 'apis' ? parts.shift() : root === 'api' ? '' : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return null;
  return resolve(group, version, parts);
}

function resolve(group: string, version: string, parts: readonly string[]): ResourcePath {
  // `namespaces/x/pods` is pods in x; `namespaces/x` and `namespaces/x/status` are the namespace itself.
  const inner = parts[0] === 'namespaces' ? byPath.get(pathKey(group, version, parts[2] ?? '')) : undefined;
  const namespaced = inner !== undefined;
  const rest = namespaced ? parts.slice(2) : parts;
  const kind = inner ?? byPath.get(pathKey(group, version, rest[0]!));
  if (kind === undefined || (!kind.namespaced && namespaced) || rest.length > 3) throw noSuchPath();
  const [, name = '', subresource = ''] = rest;
  if (kind === PODS && NEEDS_CONTAINERS.has(subresource)) throw noContainers(subresource);
  if (subresource !== '' && !kind.subresources.includes(subresource)) throw noSuchPath();
  if (name !== '' && kind.namespaced && !namespaced) throw noSuchPath();
  return { kind, namespace: namespaced ? parts[1]! : '', name, subresource };
}
