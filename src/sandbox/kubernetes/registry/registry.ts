import { copyJson, sameJson } from '../objects/json.js';
import {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  OBJECT_MODIFIED,
} from '../objects/api-error.js';
import { apiVersionOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import { NAMESPACES } from '../objects/kinds.js';
import { deepFreeze, draftOf } from '../objects/object.js';
import type { Draft, KubeObject, Manifest, ObjectMeta } from '../objects/object.js';
import { timestamp } from '../objects/time.js';
import type { ObjectStore } from '../store/object-store.js';
import type { SeededRandom } from '../../world/seeded-random.js';
import type { WorldClock } from '../../world/world-clock.js';
import { generatedName, isLegalName, newUid } from './names.js';
import { missingParts, strategyOf } from './strategy.js';

export interface ObjectRef {
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface WriteOptions {
  /** Writes the status and nothing else. */
  readonly status?: boolean;
  /** Answers what would be stored, and stores nothing. */
  readonly dryRun?: boolean;
}

/** The rules that the API server lays over its storage. Controllers of the sandbox write through it too. */
export class Registry {
  constructor(
    readonly store: ObjectStore,
    readonly clock: WorldClock,
    readonly random: SeededRandom,
  ) {}

  now(): string {
    return timestamp(this.clock.now());
  }

  get<T extends KubeObject>(kind: Kind<T>, { namespace, name }: ObjectRef): T {
    const object = this.store.get(kind, namespace, name);
    if (object === undefined) throw notFound(kind, name);
    return object;
  }

  /** @param namespace of the request; the manifest may leave its own out. */
  create<T extends KubeObject>(
    kind: Kind<T>,
    manifest: Manifest,
    namespace: string,
    options: WriteOptions = {},
  ): T {
    const draft = this.newObject(kind, manifest, namespace);
    const { name } = draft.metadata;
    if (this.store.get(kind, draft.metadata.namespace, name) !== undefined) throw alreadyExists(kind, name);
    this.reject(kind, draft, missingParts(kind, draft));
    const strategy = strategyOf(kind);
    if (kind.subresources.includes('status') && strategy.keepsStatus !== true) delete draft['status'];
    strategy.prepareCreate?.(draft, this.store);
    this.reject(kind, draft, strategy.validate?.(draft, null) ?? []);
    return this.commit<T>(kind, draft as Draft<T>, options);
  }

  /** Replaces an object with what the client sent, under the rules of optimistic locking. */
  update<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    manifest: Manifest,
    options: WriteOptions = {},
  ): T {
    const before = this.get(kind, ref);
    checkIdentity(kind, ref, manifest, before);
    const draft = mergeUpdate(kind, before, manifest, options.status === true);
    draft.apiVersion = before.apiVersion;
    draft.kind = before.kind;
    if (sameJson(draft, before)) return before;
    if (options.status !== true) {
      this.reject(kind, draft, missingParts(kind, draft));
      this.reject(kind, draft, strategyOf(kind).validate?.(draft, before) ?? []);
    }
    if (tracksGeneration(before) && !sameJson(draft['spec'], before['spec'])) {
      draft.metadata.generation = before.metadata.generation! + 1;
    }
    const finished = draft.metadata.deletionTimestamp !== undefined && isFree(draft);
    if (finished && options.dryRun !== true) return this.store.remove(kind, draft as Draft<T>);
    return this.commit<T>(kind, draft as Draft<T>, options);
  }

  /** Read, change, write in one step, for parts of the control plane. Undefined if the object is gone. */
  modify<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    change: (draft: Draft<T>) => void,
    options: WriteOptions = {},
  ): T | undefined {
    const before = this.store.get(kind, ref.namespace, ref.name);
    if (before === undefined) return undefined;
    const draft = draftOf(before);
    change(draft);
    return this.update(kind, ref, draft, options);
  }

  /** Like {@link modify}, for the status. */
  modifyStatus<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    change: (draft: Draft<T>) => void,
  ): T | undefined {
    return this.modify(kind, ref, change, { status: true });
  }

  private newObject(kind: Kind, manifest: Manifest, namespace: string): Draft<KubeObject> {
    const sent = manifest.metadata ?? {};
    const base = sent.generateName ?? '';
    const name = sent.name ?? (base === '' ? '' : generatedName(this.random, base));
    this.checkNewName(kind, name);
    if (sent.resourceVersion !== undefined && sent.resourceVersion !== '') {
      throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
    }
    const metadata: Record<string, unknown> = {
      name,
      ...(base === '' ? {} : { generateName: base }),
      ...(kind.namespaced ? { namespace: this.namespaceFor(kind, name, sent, namespace) } : {}),
      uid: newUid(this.random),
      resourceVersion: '',
      ...('spec' in manifest ? { generation: 1 } : {}),
      creationTimestamp: this.now(),
    };
    for (const field of ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const) {
      if (sent[field] !== undefined) metadata[field] = sent[field];
    }
    const draft = { ...manifest, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
    return draftOf(draft as unknown as KubeObject);
  }

  private checkNewName(kind: Kind, name: string): void {
    if (name === '') {
      const message = 'Required value: name or generateName is required';
      throw invalid(kind, name, [{ reason: 'FieldValueRequired', field: 'metadata.name', message }]);
    }
    if (isLegalName(kind.group, name)) return;
    const message =
      `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric ` +
      "characters, '-' or '.', and must start and end with an alphanumeric character";
    throw invalid(kind, name, [{ reason: 'FieldValueInvalid', field: 'metadata.name', message }]);
  }

  private namespaceFor(kind: Kind, name: string, sent: Partial<ObjectMeta>, namespace: string): string {
    if (sent.namespace !== undefined && sent.namespace !== '' && sent.namespace !== namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    const home = this.store.get(NAMESPACES, undefined, namespace);
    if (home === undefined) throw notFound(NAMESPACES, namespace);
    if (home.metadata.deletionTimestamp !== undefined) {
      const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
      throw forbidden(kind, name, why);
    }
    return namespace;
  }

  private reject(kind: Kind, draft: Draft<KubeObject>, causes: Parameters<typeof invalid>[2]): void {
    if (causes.length > 0) throw invalid(kind, draft.metadata.name, causes);
  }

  private commit<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>, options: WriteOptions): T {
    return options.dryRun === true ? deepFreeze(draft as T) : this.store.put(kind, draft);
  }
}

/** Nothing holds the object back any more. */
function isFree(object: KubeObject): boolean {
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  return finalizers.length === 0 && deletionGracePeriodSeconds === 0 && object.kind !== 'Namespace';
}

function tracksGeneration(object: KubeObject): boolean {
  return object.metadata.generation !== undefined;
}

function checkIdentity(kind: Kind, ref: ObjectRef, manifest: Manifest, before: KubeObject): void {
  const { name, namespace, uid, resourceVersion = '' } = manifest.metadata ?? {};
  if (name !== ref.name) {
    throw badRequest(
      `the name of the object (${name ?? ''}) does not match the name on the URL (${ref.name})`,
    );
  }
  if (namespace !== undefined && namespace !== '' && namespace !== ref.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (uid !== undefined && uid !== '' && uid !== before.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
    throw conflict(kind, ref.name, why);
  }
  if (resourceVersion === '' || resourceVersion === '0') {
    if (!kind.versionRequired) return;
    const message = 'Invalid value: 0: must be specified for an update';
    throw invalid(kind, ref.name, [
      { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message },
    ]);
  }
  if (resourceVersion !== before.metadata.resourceVersion) throw conflict(kind, ref.name, OBJECT_MODIFIED);
}

/** What the object becomes: the server keeps its own fields, and the half that this path may not write. */
function mergeUpdate(
  kind: Kind,
  before: KubeObject,
  manifest: Manifest,
  statusOnly: boolean,
): Draft<KubeObject> {
  const own = before.metadata;
  if (statusOnly) return withStatus(draftOf(before), manifest['status']);
  const metadata: Record<string, unknown> = { ...manifest.metadata };
  delete metadata['managedFields'];
  for (const field of SERVER_FIELDS) {
    if (own[field] === undefined) Reflect.deleteProperty(metadata, field);
    else metadata[field] = own[field];
  }
  const draft = draftOf({ ...manifest, metadata } as unknown as KubeObject);
  return kind.subresources.includes('status') ? withStatus(draft, before['status']) : draft;
}

const SERVER_FIELDS = [
  'namespace',
  'generateName',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function withStatus(draft: Draft<KubeObject>, status: unknown): Draft<KubeObject> {
  if (status === undefined) delete draft['status'];
  else draft['status'] = copyJson(status);
  return draft;
}
