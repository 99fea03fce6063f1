import { ApiError, badRequest, methodNotAllowed, unsupportedMediaType } from '../objects/api-error.js';
import { apiVersionOf, resourceOf } from '../objects/kind.js';
import { PODS } from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { KubeObject, Manifest } from '../objects/object.js';
import { mayAccess } from '../access/role-based-access.js';
import type { User } from '../access/user.js';
import { applyPatch, checkPatchType } from '../patch/apply-patch.js';
import { decodeObject, UnknownMessageError } from '../protobuf/decode-object.js';
import { WireError } from '../protobuf/wire-reader.js';
import { bindPod } from '../registry/binding.js';
import { deleteObject } from '../registry/deletion.js';
import type { DeleteOptions } from '../registry/deletion.js';
import { evictPod } from '../registry/eviction.js';
import type { ObjectRef, Registry, WriteOptions } from '../registry/registry.js';
import { scaleOf, updateScale } from '../registry/scale.js';
import { StoredObject, storeKey } from '../store/stored-object.js';
import { isProtobuf } from '../../world/front.js';
import type { FrontRequest, FrontResponse } from '../../world/front.js';
import type { ApiFaults } from './api-faults.js';
import { listBody, listPage } from './list.js';
import type { ResourcePath } from './route.js';
import { selectionOf } from './selection.js';
import { rowJson, tableJson, wantsTable } from './table.js';
import { openWatch } from './watch.js';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Requests for resources: get, list, watch, create, update, patch, delete and the subresources. */
export class ResourceHandler {
  constructor(
    private readonly registry: Registry,
    private readonly faults: ApiFaults,
  ) {}

  handle(path: ResourcePath, request: FrontRequest, user: User): FrontResponse {
    this.authorize(path, request, user);
    if (path.name === '') return this.onCollection(path, request);
    if (path.subresource === 'eviction' || path.subresource === 'binding')
      return this.onPodAction(path, request);
    return this.onObject(path, request);
  }

  private authorize(path: ResourcePath, request: FrontRequest, user: User): void {
    const { namespace } = path;
    const { group, plural } = path.kind;
    const verb = verbOf(path, request);
    const name = path.name === '' ? nameSelected(request) : path.name;
    const sub = path.subresource === '' ? '' : `/${path.subresource}`;
    const attributes = { verb, group, resource: plural + sub, namespace, name };
    const isForbidden = this.faults.forbids({ verb, resource: resourceOf(path.kind) + sub, namespace, name });
    if (!isForbidden && mayAccess(this.registry.store, user, attributes)) return;
    const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const subject = `${resourceOf(path.kind)}${name === '' ? '' : ` "${name}"`} is`;
    const message =
      `${subject} forbidden: User "${user.name}" cannot ${verb} resource "${plural}${sub}" in API group ` +
      `"${group}" ${scope}`;
    throw new ApiError(403, 'Forbidden', message, { name, group, kind: plural });
  }

  private onCollection(path: ResourcePath, request: FrontRequest): FrontResponse {
    switch (request.method) {
      case 'GET':
        return isWatch(request) ? this.watch(path, request) : this.list(path, request);
      case 'POST':
        return this.create(path, request);
      case 'DELETE':
        return this.deleteCollection(path, request);
      default:
        throw methodNotAllowed();
    }
  }

  private create(path: ResourcePath, request: FrontRequest): FrontResponse {
    requireNamespace(path);
    const manifest = parseBody(request) as Manifest;
    checkType(path, manifest);
    const object = this.registry.create(path.kind, manifest, path.namespace, optionsOf(path, request));
    return this.object(path, request, 201, object);
  }

  private onObject(path: ResourcePath, request: FrontRequest): FrontResponse {
    const { kind } = path;
    const ref = refOf(path);
    const scale = path.subresource === 'scale';
    switch (request.method) {
      case 'GET': {
        const object = this.registry.get(kind, ref);
        return scale ? json(200, scaleOf(object)) : this.object(path, request, 200, object);
      }
      case 'PUT':
        return this.write(path, request, parseBody(request) as Manifest);
      case 'PATCH': {
        const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim();
        checkPatchType(kind, type);
        const before = this.registry.get(kind, ref);
        const target = scale ? scaleOf(before) : before;
        return this.write(path, request, applyPatch(target, type, parseBody(request)));
      }
      case 'DELETE':
        return this.delete(path, request);
      default:
        throw methodNotAllowed();
    }
  }

  private write(path: ResourcePath, request: FrontRequest, manifest: Manifest): FrontResponse {
    const options = optionsOf(path, request);
    if (path.subresource === 'scale') {
      return json(200, updateScale(this.registry, path.kind, refOf(path), manifest, options));
    }
    checkType(path, manifest);
    return this.object(path, request, 200, this.registry.update(path.kind, refOf(path), manifest, options));
  }

  private onPodAction(path: ResourcePath, request: FrontRequest): FrontResponse {
    if (request.method !== 'POST') throw methodNotAllowed();
    const body = parseBody(request) as Manifest;
    if (path.subresource === 'eviction') evictPod(this.registry, refOf(path), body);
    else bindPod(this.registry, refOf(path), body);
    return json(201, SUCCESS);
  }

  private delete(path: ResourcePath, request: FrontRequest): FrontResponse {
    const options = deleteOptionsOf(request);
    const { object, removed } = deleteObject(this.registry, path.kind, refOf(path), options);
    if (!removed || path.kind === PODS) return json(200, object);
    const { name, uid } = object.metadata;
    const { group, plural } = path.kind;
    return json(200, {
      ...SUCCESS,
      details: { name, ...(group === '' ? {} : { group }), kind: plural, uid },
    });
  }

  private deleteCollection(path: ResourcePath, request: FrontRequest): FrontResponse {
    requireNamespace(path);
    const options = deleteOptionsOf(request);
    const { matches } = selectionOf(path, request.query);
    const doomed = this.registry.store.list(path.kind).filter(matches);
    for (const { metadata } of doomed) {
      const ref = { namespace: metadata.namespace ?? '', name: metadata.name };
      deleteObject(this.registry, path.kind, ref, options);
    }
    return json(200, {
      kind: `${path.kind.kind}List`,
      apiVersion: apiVersionOf(path.kind),
      metadata: {},
      items: doomed,
    });
  }

  private list(path: ResourcePath, request: FrontRequest): FrontResponse {
    const { store } = this.registry;
    const collection = store.collection(path.kind);
    const selection = selectionOf(path, request.query);
    const page = listPage(collection, request.query, selection, store.revision, this.faults);
    const body = wantsTable(request)
      ? tableJson(path.kind, page, this.registry.clock.now())
      : listBody(collection, page);
    return { status: 200, headers: JSON_HEADERS, body };
  }

  private watch(path: ResourcePath, request: FrontRequest): FrontResponse {
    const { store, clock, random } = this.registry;
    const table = wantsTable(request);
    const body = openWatch(
      { store, clock, random, faults: this.faults },
      {
        kind: path.kind,
        query: request.query,
        selection: selectionOf(path, request.query),
        signal: request.signal,
        render: (item, shared) => {
          if (table) return rowJson(path.kind, item, clock.now());
          return shared ? item.sharedJson() : item.json();
        },
      },
    );
    return { status: 200, headers: { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }, body };
  }

  private object(
    path: ResourcePath,
    request: FrontRequest,
    status: number,
    object: KubeObject,
  ): FrontResponse {
    if (!wantsTable(request)) return json(status, object);
    const { namespace, name } = object.metadata;
    const item = new StoredObject(storeKey(namespace, name), path.kind, object, 0);
    return { status, headers: JSON_HEADERS, body: rowJson(path.kind, item, this.registry.clock.now()) };
  }
}

const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };

function json(status: number, body: unknown): FrontResponse {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) };
}

/** Objects of all namespaces can be read at once, but not written. */
function requireNamespace({ kind, namespace }: ResourcePath): void {
  if (kind.namespaced && namespace === '') throw methodNotAllowed();
}

function refOf(path: ResourcePath): ObjectRef {
  return { namespace: path.namespace, name: path.name };
}

function isWatch(request: FrontRequest): boolean {
  const watch = request.query.get('watch');
  return watch === 'true' || watch === '1';
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function verbOf(path: ResourcePath, request: FrontRequest): string {
  if (request.method !== 'GET') {
    return request.method === 'DELETE' && path.name === ''
      ? 'deletecollection'
      : (VERBS[request.method] ?? '');
  }
  return path.name !== '' ? 'get' : isWatch(request) ? 'watch' : 'list';
}

/** A list or watch of one object by its name counts as a request for that object. */
function nameSelected(request: FrontRequest): string {
  return /^metadata\.name==?([^,]+)$/.exec(request.query.get('fieldSelector') ?? '')?.[1] ?? '';
}

function optionsOf(path: ResourcePath, request: FrontRequest): WriteOptions {
  return { status: path.subresource === 'status', dryRun: request.query.get('dryRun') === 'All' };
}

/** JSON, or protobuf as far as the sandbox reads it. */
function parseBody(request: FrontRequest): unknown {
  if (isProtobuf(request.headers)) return parseProtobuf(request.body);
  try {
    const body: unknown = JSON.parse(request.body);
    if (isRecord(body) || Array.isArray(body)) return body;
  } catch {
    // The message says it.
  }
  throw badRequest('the object provided is unrecognized (must be of type json)');
}

function parseProtobuf(body: string): Manifest {
  try {
    return decodeObject(Buffer.from(body, 'latin1'));
  } catch (error) {
    if (error instanceof UnknownMessageError) throw unsupportedMediaType(['application/json'], error.message);
    if (error instanceof WireError) throw badRequest(`the object provided is unrecognized: ${error.message}`);
    throw error;
  }
}

function checkType(path: ResourcePath, { apiVersion, kind }: Manifest): void {
  const wanted = apiVersionOf(path.kind);
  if (kind !== undefined && kind !== path.kind.kind) {
    throw badRequest(`${kind} in version "${apiVersion ?? wanted}" cannot be handled as a ${path.kind.kind}`);
  }
  if (apiVersion !== undefined && apiVersion !== wanted) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`,
    );
  }
}

/** From the body; older clients send some in the query. */
function deleteOptionsOf(request: FrontRequest): DeleteOptions {
  const body = request.body === '' ? {} : (parseBody(request) as DeleteOptions);
  const grace = request.query.get('gracePeriodSeconds');
  const policy = request.query.get('propagationPolicy');
  return {
    ...body,
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(request.query.get('dryRun') === 'All' ? { dryRun: ['All'] } : {}),
  };
}
