import type { NodeGroupOptions } from '../../../domain/node-group/node-group.js';
import { readQuantity, toMilli, toUnits } from '../../../domain/kubernetes/quantity.js';
import {
  NODE_GROUP_OPTION_KEYS,
  NodeGroupOptionsDocument,
  documentOf,
  isJsonObject,
  readNodeGroupOptions,
  readTaints,
  reportViolations,
  taintDocuments,
  withKnownKeys,
} from '../../cloud-configuration/index.js';
import type { Findings, JsonObject, JsonValue } from '../../cloud-configuration/index.js';
import { DOCUMENT_KEYS, NodeTemplateDocument, ReservedDocument } from './documents.js';
import type { NodeTemplateSettings, ReservedResources } from './utho-configuration.js';

/** Resource of NVIDIA's device plugin, which UKE's GPU plans need. */
const DEFAULT_GPU_RESOURCE = 'nvidia.com/gpu';

/** Reads one entry of a map; null: it is faulty, reported. */
type ReadEntry<T> = (value: JsonObject, place: string) => T | null;

/** A faulty entry is reported and left out; the others stay. */
function readEntries<T>(
  value: JsonValue | undefined,
  place: string,
  findings: Findings,
  read: ReadEntry<T>,
): ReadonlyMap<string, T> {
  const entries = new Map<string, T>();
  for (const [key, content] of Object.entries(readObject(value, place, findings) ?? {})) {
    const object = readObject(content, `${place}.${key}`, findings);
    const entry = object === null ? null : read(object, `${place}.${key}`);
    if (entry !== null) entries.set(key, entry);
  }
  return entries;
}

/** Null where there is none, or something else, which is reported. */
function readObject(value: JsonValue | undefined, place: string, findings: Findings): JsonObject | null {
  if (value === undefined || value === null) return null;
  if (isJsonObject(value)) return value;
  findings.fault(place, JSON.stringify(value), 'it is no JSON object', 'write {…}');
  return null;
}

/** By pool or plan (`utho` 4.9). */
export function readNodeTemplates(
  value: JsonValue | undefined,
  findings: Findings,
): ReadonlyMap<string, NodeTemplateSettings> {
  return readEntries(value, 'cloud-config.node_templates', findings, (entry, place) => {
    const { taints, ...known } = withKnownKeys(entry, DOCUMENT_KEYS.nodeTemplate, place, findings);
    const document = documentOf(NodeTemplateDocument, {
      ...known,
      ...(taints !== undefined && { taints: taintDocuments(taints, `${place}.taints`, findings) }),
    });
    return reportViolations(document, place, findings) ? templateOf(document) : null;
  });
}

function templateOf(document: NodeTemplateDocument): NodeTemplateSettings {
  const count = document.gpu ?? 0;
  return {
    cpu: document.cpu ?? undefined,
    memoryMb: document.memoryMb ?? undefined,
    diskGb: document.diskGb ?? undefined,
    labels: new Map(Object.entries(document.labels ?? {})),
    taints: readTaints(document.taints),
    gpu: count === 0 ? null : { resource: document.gpuResource ?? DEFAULT_GPU_RESOURCE, count },
  };
}

/** By pool: Utho has no tags on pools that could say it there. */
export function readPoolOptions(
  value: JsonValue | undefined,
  findings: Findings,
): ReadonlyMap<string, NodeGroupOptions> {
  return readEntries(value, 'cloud-config.node_group_options', findings, (entry, place) => {
    const known = withKnownKeys(entry, NODE_GROUP_OPTION_KEYS, place, findings);
    const document = documentOf(NodeGroupOptionsDocument, known);
    return reportViolations(document, place, findings) ? readNodeGroupOptions(document) : null;
  });
}

export function readReserved(value: JsonValue | undefined, findings: Findings): ReservedResources {
  const place = 'cloud-config.reserved';
  const entry = readObject(value, place, findings) ?? {};
  const document = documentOf(
    ReservedDocument,
    withKnownKeys(entry, DOCUMENT_KEYS.reserved, place, findings),
  );
  if (!reportViolations(document, place, findings)) {
    return { cpuMilli: 0, memoryBytes: 0, ephemeralStorageBytes: 0 };
  }
  return {
    cpuMilli: toMilli(readQuantity(document.cpu).nano),
    memoryBytes: toUnits(readQuantity(document.memory).nano),
    ephemeralStorageBytes: toUnits(readQuantity(document['ephemeral-storage']).nano),
  };
}
