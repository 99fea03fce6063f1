import { badRequest } from '../objects/api-error.js';
import { isRecord } from '../objects/object.js';

/**
 * Strategic merge patch: like a merge patch, but some lists are merged item by item. Which ones is fixed in the types
 * of the API. Taints and tolerations are not among them: they are replaced as a whole.
 */
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  addresses: ['type'],
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  // Of a container, and of a service.
  ports: ['containerPort', 'port'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
};

/** Lists of plain values that are merged as sets. */
const SETS: ReadonlySet<string> = new Set(['finalizers', 'podCIDRs']);

const DELETE_FROM_SET = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

/** Changes neither argument. */
export function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) throw badRequest('a patch must be an object');
  return mergeObject(isRecord(target) ? target : {}, patch);
}

function mergeObject(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const directive = patch['$patch'];
  if (directive === 'replace') return plain(patch);
  if (directive === 'delete') return {};
  const retained = patch['$retainKeys'];
  const result: Record<string, unknown> = Array.isArray(retained)
    ? Object.fromEntries(Object.entries(target).filter(([field]) => retained.includes(field)))
    : { ...target };
  for (const [field, value] of Object.entries(patch)) {
    if (!field.startsWith('$')) setField(result, field, value);
    else if (field.startsWith(DELETE_FROM_SET))
      removeFromSet(result, field.slice(DELETE_FROM_SET.length), value);
  }
  for (const [field, order] of Object.entries(patch)) {
    if (field.startsWith(ORDER)) reorder(result, field.slice(ORDER.length), order);
  }
  return result;
}

function setField(result: Record<string, unknown>, field: string, value: unknown): void {
  const before = result[field];
  if (value === null) Reflect.deleteProperty(result, field);
  else if (Array.isArray(value)) result[field] = mergeList(field, Array.isArray(before) ? before : [], value);
  else if (isRecord(value)) result[field] = mergeObject(isRecord(before) ? before : {}, value);
  else result[field] = value;
}

/** Drops the directives of an object that is taken as it is. */
function plain(patch: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => !field.startsWith('$')));
}

function mergeList(field: string, before: readonly unknown[], patch: readonly unknown[]): unknown[] {
  if (SETS.has(field)) return [...new Set([...before, ...patch])];
  const key = mergeKeyOf(field, [...before, ...patch]);
  const replaced = patch.some((item) => isRecord(item) && item['$patch'] === 'replace');
  if (key === null || replaced)
    return patch.filter((item) => !isRecord(item) || item['$patch'] === undefined);
  const result: Record<string, unknown>[] = before.filter(isRecord);
  for (const item of patch.filter(isRecord)) {
    const index = result.findIndex((other) => other[key] === item[key]);
    if (item['$patch'] === 'delete') {
      if (index !== -1) result.splice(index, 1);
    } else if (index === -1) result.push(plain(item));
    else result[index] = mergeObject(result[index]!, item);
  }
  return result;
}

function mergeKeyOf(field: string, items: readonly unknown[]): string | null {
  const candidates = MERGE_KEYS[field] ?? [];
  return candidates.find((key) => items.some((item) => isRecord(item) && item[key] !== undefined)) ?? null;
}

function removeFromSet(result: Record<string, unknown>, field: string, values: unknown): void {
  const list = result[field];
  if (Array.isArray(list) && Array.isArray(values)) {
    result[field] = list.filter((item) => !values.includes(item));
  }
}

/** Sorts the items that the directive names into its order; others keep their place behind. */
function reorder(result: Record<string, unknown>, field: string, order: unknown): void {
  const list = result[field];
  if (!Array.isArray(list) || !Array.isArray(order)) return;
  const key = mergeKeyOf(field, list as unknown[]);
  const identity = (item: unknown): unknown => (key !== null && isRecord(item) ? item[key] : item);
  const ranks = new Map(order.map((item, index) => [identity(item), index]));
  const rank = (item: unknown): number => ranks.get(identity(item)) ?? order.length;
  result[field] = (list as unknown[]).toSorted((left, right) => rank(left) - rank(right));
}
