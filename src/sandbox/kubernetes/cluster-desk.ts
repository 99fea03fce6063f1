import { withCondition } from './objects/condition.js';
import type { Kind } from './objects/kind.js';
import { apiVersionOf } from './objects/kind.js';
import { DEPLOYMENTS, EVENTS, KINDS, NODES, PODS } from './objects/kinds.js';
import { draftOf } from './objects/object.js';
import type { Draft, KubeObject, Manifest } from './objects/object.js';
import type { KubeEvent, Node, Pod } from './objects/types.js';
import { mergePatch } from './patch/merge-patch.js';
import { bindPod } from './registry/binding.js';
import { deleteObject } from './registry/deletion.js';
import type { DeleteOptions } from './registry/deletion.js';
import type { ObjectRef, Registry } from './registry/registry.js';

/** Short cuts for tests, scenarios and the demo: what one would do with kubectl, and a little more. */
export class ClusterDesk {
  constructor(readonly registry: Registry) {}

  /** Creates an object of any kind; unlike the API it takes the status too. */
  create(manifest: Manifest): KubeObject {
    const kind = kindOf(manifest);
    const created = this.registry.create(kind, manifest, namespaceOf(kind, manifest));
    return this.withStatus(kind, created, manifest);
  }

  /** Creates the object, or merges the manifest into it. */
  apply(...manifests: readonly Manifest[]): KubeObject[] {
    return manifests.map((manifest) => {
      const kind = kindOf(manifest);
      const ref = { namespace: namespaceOf(kind, manifest), name: manifest.metadata?.name ?? '' };
      const before = this.registry.store.get(kind, ref.namespace, ref.name);
      if (before === undefined) return this.create(manifest);
      const merged = this.registry.update(kind, ref, mergePatch(before, manifest) as Manifest);
      return this.withStatus(kind, merged, manifest);
    });
  }

  /** Stores the object as it is, past all rules: also one that no API server would take. */
  plant(object: Manifest): void {
    this.registry.store.put(kindOf(object), draftOf(object as KubeObject));
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string, namespace = 'default'): T | undefined {
    return this.registry.store.get(kind, kind.namespaced ? namespace : '', name);
  }

  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): T[] {
    return this.registry.store.list(kind, namespace);
  }

  /** Changes an object in place; with the status if `change` writes it and `status` is set. */
  modify<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    change: (draft: Draft<T>) => void,
    options: { readonly status?: boolean } = {},
  ): T | undefined {
    return this.registry.modify(kind, ref, change, options);
  }

  delete(kind: Kind, name: string, namespace = 'default', options: DeleteOptions = {}): void {
    deleteObject(this.registry, kind, { namespace: kind.namespaced ? namespace : '', name }, options);
  }

  nodes(): Node[] {
    return this.list(NODES);
  }

  node(name: string): Node | undefined {
    return this.get(NODES, name);
  }

  pods(namespace?: string): Pod[] {
    return this.list(PODS, namespace);
  }

  pod(name: string, namespace = 'default'): Pod | undefined {
    return this.get(PODS, name, namespace);
  }

  /** Oldest first; of one reason if it is given. */
  events(reason?: string): KubeEvent[] {
    return this.list(EVENTS).filter((event) => reason === undefined || event.reason === reason);
  }

  scaleDeployment(name: string, replicas: number, namespace = 'default'): void {
    this.registry.modify(DEPLOYMENTS, { namespace, name }, (draft) => {
      draft.spec.replicas = replicas;
    });
  }

  bind(name: string, nodeName: string, namespace = 'default'): void {
    bindPod(this.registry, { namespace, name }, { target: { name: nodeName } });
  }

  /** The pod runs and is ready, whether there is a kubelet or not. */
  setPodRunning(name: string, namespace = 'default'): void {
    this.registry.modifyStatus(PODS, { namespace, name }, (draft) => {
      const now = this.registry.now();
      const ready = { type: 'Ready', status: 'True' };
      draft.status = {
        ...draft.status,
        phase: 'Running',
        startTime: now,
        conditions: withCondition(draft.status?.conditions, ready, now),
      };
    });
  }

  /** As the scheduler marks a pod that fits nowhere. */
  setPodUnschedulable(name: string, namespace = 'default', message = '0/0 nodes are available'): void {
    this.registry.modifyStatus(PODS, { namespace, name }, (draft) => {
      const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
      draft.status ??= {};
      draft.status.conditions = withCondition(draft.status.conditions, condition, this.registry.now());
    });
  }

  private withStatus(kind: Kind, object: KubeObject, manifest: Manifest): KubeObject {
    if (manifest['status'] === undefined || !kind.subresources.includes('status')) return object;
    const { name, namespace = '' } = object.metadata;
    const updated = this.registry.modifyStatus(kind, { namespace, name }, (draft) => {
      draft['status'] = mergePatch(draft['status'], manifest['status']);
    });
    return updated ?? object;
  }
}

function kindOf({ apiVersion, kind }: Manifest): Kind {
  const found = KINDS.find((row) => row.kind === kind && (apiVersion ?? 'v1') === apiVersionOf(row));
  if (found === undefined)
    throw new Error(`the sandbox knows no ${kind ?? 'object'} of ${apiVersion ?? 'v1'}`);
  return found;
}

function namespaceOf(kind: Kind, manifest: Manifest): string {
  return kind.namespaced ? (manifest.metadata?.namespace ?? 'default') : '';
}
