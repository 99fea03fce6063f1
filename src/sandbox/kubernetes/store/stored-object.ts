import { apiVersionOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';

/** One version of one object, frozen, with its text made once. */
export class StoredObject<T extends KubeObject = KubeObject> {
  private text: string | null = null;

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

  /** As it stands in a list: items of built-in kinds carry no type of their own. */
  itemJson(): string {
    return this.kind.custom ? this.json() : this.untyped();
  }

  private untyped(): string {
    this.text ??= JSON.stringify({ ...this.object, kind: undefined, apiVersion: undefined });
    return this.text;
  }
}

/** Order of lists: by namespace, then by name. */
export function storeKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
