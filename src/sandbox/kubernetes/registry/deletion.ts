import { conflict, forbidden } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import { NAMESPACES, PODS } from '../objects/kinds.js';
import { draftOf } from '../objects/object.js';
import type { Draft, KubeObject } from '../objects/object.js';
import { parseTimestamp, timestamp } from '../objects/time.js';
import type { Pod } from '../objects/types.js';
import type { ObjectRef, Registry } from './registry.js';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
}

export interface Deletion<T extends KubeObject = KubeObject> {
  readonly object: T;
  /** False while a grace period runs or a finalizer holds it. */
  readonly removed: boolean;
}

/** Finalizers by which a deletion asks the garbage collector for something. */
export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system']);

export function deleteObject<T extends KubeObject>(
  registry: Registry,
  kind: Kind<T>,
  ref: ObjectRef,
  options: DeleteOptions = {},
): Deletion<T> {
  const before = registry.get(kind, ref);
  if ((kind as Kind) === NAMESPACES && IMMORTAL.has(ref.name)) {
    throw forbidden(NAMESPACES, ref.name, 'this namespace may not be deleted');
  }
  checkPreconditions(kind, before, options);
  if ((options.dryRun ?? []).length > 0) return { object: before, removed: true };
  const draft = draftOf(before) as Draft<KubeObject>;
  addPropagationFinalizer(draft, options.propagationPolicy);
  const graceSeconds = graceOf(kind, before, options.gracePeriodSeconds);
  const held = (draft.metadata.finalizers ?? []).length > 0 || (kind as Kind) === NAMESPACES;
  if (graceSeconds === 0 && !held) {
    draft.metadata.deletionTimestamp ??= registry.now();
    draft.metadata.deletionGracePeriodSeconds ??= 0;
    return { object: registry.store.remove(kind, draft as Draft<T>), removed: true };
  }
  if (!markDeletion(registry, draft, graceSeconds)) return { object: before, removed: false };
  if ((kind as Kind) === NAMESPACES) draft['status'] = { phase: 'Terminating' };
  return { object: registry.store.put(kind, draft as Draft<T>), removed: false };
}

function checkPreconditions(kind: Kind, object: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { name } = object.metadata;
  if (uid !== undefined && uid !== object.metadata.uid) {
    const why =
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). ` +
      'The object might have been deleted and then recreated';
    throw conflict(kind, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    const why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in ` +
      `record (${object.metadata.resourceVersion}). The object might have been modified`;
    throw conflict(kind, name, why);
  }
}

function addPropagationFinalizer(draft: Draft<KubeObject>, policy: string | undefined): void {
  const finalizer = policy === 'Foreground' ? FOREGROUND : policy === 'Orphan' ? ORPHAN : null;
  const finalizers = draft.metadata.finalizers ?? [];
  if (finalizer === null || finalizers.includes(finalizer)) return;
  draft.metadata.finalizers = [...finalizers, finalizer];
}

/** Only pods linger: the kubelet must stop them. Where none is involved, they go at once. */
function graceOf(kind: Kind, object: KubeObject, asked: number | undefined): number {
  if (kind !== PODS) return 0;
  const { spec, status } = object as Pod;
  if ((spec.nodeName ?? '') === '' || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const grace = asked ?? spec.terminationGracePeriodSeconds ?? 30;
  return grace < 0 ? 1 : grace;
}

/** Sets or shortens the deletion; false if nothing changes: a grace period is never made longer. */
function markDeletion(registry: Registry, draft: Draft<KubeObject>, graceSeconds: number): boolean {
  const { metadata } = draft;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = timestamp(registry.clock.now() + graceSeconds * 1_000);
    metadata.deletionGracePeriodSeconds = graceSeconds;
    return true;
  }
  const oldGrace = metadata.deletionGracePeriodSeconds ?? 0;
  if (graceSeconds >= oldGrace) return false;
  const shorter = parseTimestamp(metadata.deletionTimestamp) - (oldGrace - graceSeconds) * 1_000;
  metadata.deletionTimestamp = timestamp(shorter);
  metadata.deletionGracePeriodSeconds = graceSeconds;
  return true;
}
