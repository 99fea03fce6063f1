import type { KubeObject } from './object.js';

/** One row of the table of kinds: all that the store and the API need to serve it. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty: the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** `status`, `scale`, `eviction`, `binding`. With `status`, the main resource and the status write separately. */
  readonly subresources: readonly string[];
  /** Field selectors beyond `metadata.name` and `metadata.namespace`. */
  readonly fields: readonly string[];
  readonly categories: readonly string[];
  /** Updates must name the version that they change. */
  readonly versionRequired: boolean;
  /** Defined by a CustomResourceDefinition: items of a list carry their type, strategic patches are refused. */
  readonly custom: boolean;
  /** For the type checker: objects of this kind. */
  readonly example?: T;
}

export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** `pods`, `deployments.apps`: how messages name a resource. */
export function resourceOf(kind: Pick<Kind, 'group' | 'plural'>): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

export function singularOf(kind: Pick<Kind, 'kind'>): string {
  return kind.kind.toLowerCase();
}
