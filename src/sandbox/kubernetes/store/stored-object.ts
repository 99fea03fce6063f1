import { apiVersionOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';

/** One version of one object, frozen. Its text is made when asked for: kept texts would cost more than all objects. */
export class StoredObject<T extends KubeObject = KubeObject> {
  private sharedText: string | null = null;

  constructor(
    readonly key: string,
    readonly kind: Kind<T>,
    readonly object: T,
    readonly revision: number,
  ) {}

  /** As it stands alone or in a watch event: with its type. */
  json(): string {
    const { kind } = this.kind;
    return `{"kind":"${kind}","apiVersion":"${apiVersionOf(this.kind)}",${this.untyped().slice(1)}`;
  }

  /** Like {@link json}, but made once until {@link release}: many watches send the same change. */
  sharedJson(): string {
    this.sharedText ??= this.json();
    return this.sharedText;
  }

  release(): void {
    this.sharedText = null;
  }

  /** As it stands in a list: items of built-in kinds carry no type of their own. */
  itemJson(): string {
    return this.kind.custom ? this.json() : this.untyped();
  }

  private untyped(): string {
    return JSON.stringify({ ...this.object, kind: undefined, apiVersion: undefined });
  }
}

/** Order of lists: by namespace, then by name. */
export function storeKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
