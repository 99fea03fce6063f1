import { badRequest } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import { isRecord } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import { parseFieldSelector, parseLabelSelector, requirementMatches } from '../objects/selector.js';
import type { FieldRequirement } from '../objects/selector.js';
import type { ResourcePath } from './route.js';

/** Which objects of a kind a list or watch is about. */
export interface Selection {
  /** Everything that exists, so that a list can tell what remains. */
  readonly all: boolean;
  readonly matches: (object: KubeObject) => boolean;
}

const COMMON_FIELDS = ['metadata.name', 'metadata.namespace'];

export function selectionOf(path: ResourcePath, query: URLSearchParams): Selection {
  const labelText = query.get('labelSelector') ?? '';
  const fieldText = query.get('fieldSelector') ?? '';
  const labels = parseLabelSelector(labelText);
  if (labels === null) throw badRequest(`unable to parse requirement: ${labelText}`);
  const fields = parseFieldSelector(fieldText);
  if (fields === null) throw badRequest(`invalid field selector: ${fieldText}`);
  checkFields(path.kind, fields);
  return {
    all: labels.length === 0 && fields.length === 0 && path.namespace === '',
    matches: (object) =>
      (path.namespace === '' || object.metadata.namespace === path.namespace) &&
      labels.every((requirement) => requirementMatches(requirement, object.metadata.labels)) &&
      fields.every((requirement) => fieldMatches(requirement, object)),
  };
}

function checkFields(kind: Kind, fields: readonly FieldRequirement[]): void {
  for (const { path } of fields) {
    if (!COMMON_FIELDS.includes(path) && !kind.fields.includes(path)) {
      throw badRequest(`field label not supported: ${path}`);
    }
  }
}

function fieldMatches({ path, negated, value }: FieldRequirement, object: KubeObject): boolean {
  let found: unknown = object;
  for (const part of path.split('.')) found = isRecord(found) ? found[part] : undefined;
  // `source` of an event is an object; the field stands for its component.
  if (isRecord(found)) found = found['component'];
  const actual = typeof found === 'string' ? found : found === true ? 'true' : '';
  return (actual === wanted(path, value)) !== negated;
}

/** False is the same as absent. */
function wanted(path: string, value: string): string {
  return value === 'false' && (path === 'spec.unschedulable' || path === 'spec.hostNetwork') ? '' : value;
}
