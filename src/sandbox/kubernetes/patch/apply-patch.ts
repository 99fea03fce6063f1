import { copyJson } from '../objects/json.js';
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { ApiError, badRequest, unsupportedMediaType } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject, Manifest } from '../objects/object.js';
import { mergePatch } from './merge-patch.js';
import { strategicMergePatch } from './strategic-merge-patch.js';

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

const STRATEGIC = 'application/strategic-merge-patch+json';
const NO_SERVER_SIDE_APPLY = 'the sandbox has no server-side apply; use kubectl apply without --server-side';

/** Throws a 415 for what the sandbox, or a server for this kind, does not take. */
export function checkPatchType(kind: Kind, contentType: string): void {
  const accepted = kind.custom ? PATCH_TYPES.filter((type) => type !== STRATEGIC) : PATCH_TYPES;
  if (accepted.includes(contentType)) return;
  throw unsupportedMediaType(
    accepted,
    contentType.startsWith('application/apply-') ? NO_SERVER_SIDE_APPLY : '',
  );
}

/** Applies the body of a PATCH request to a copy of the object. */
export function applyPatch(object: KubeObject, contentType: string, patch: unknown): Manifest {
  switch (contentType) {
    case 'application/json-patch+json':
      return applyJsonPatch(object, patch);
    case STRATEGIC:
      return strategicMergePatch(object, patch) as Manifest;
    default:
      return mergePatch(object, patch) as Manifest;
  }
}

function applyJsonPatch(object: KubeObject, patch: unknown): Manifest {
  if (!Array.isArray(patch)) throw badRequest('json patch must be a list of operations');
  try {
    // A frozen object can't be changed: the copy is ours.
    const copy: unknown = copyJson(object);
    return jsonPatch.applyPatch(copy, patch as Operation[], true).newDocument as Manifest;
  } catch (error) {
    // What fails here is the patch: a failed test, a path that is not there.
    const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new ApiError(
      422,
      'Invalid',
      `the server rejected our request due to an error in our request: ${text}`,
      {},
    );
  }
}
