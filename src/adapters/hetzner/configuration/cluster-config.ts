import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import {
  JsonSyntaxError,
  NodeGroupOptionsDocument,
  documentOf,
  isJsonObject,
  parseJson,
  reportViolations,
  taintDocuments,
  withKnownKeys,
} from '../../cloud-configuration/index.js';
import type { Findings, JsonObject, JsonValue } from '../../cloud-configuration/index.js';
import { decodeBase64 } from './base64.js';
import {
  ClusterConfigDocument,
  DOCUMENT_KEYS,
  ImagesForArchDocument,
  LegacyDocument,
  NodeConfigDocument,
} from './documents.js';
import type { Environment } from './environment.js';

/** The cluster configuration in whichever format it was given; null pools were faulty and are reported. */
export type ClusterConfig =
  | { readonly format: 'legacy'; readonly legacy: LegacyDocument }
  | {
      readonly format: 'cluster';
      /** Variable that it came from, for the places of faults. */
      readonly place: string;
      readonly cluster: ClusterConfigDocument;
      readonly pools: ReadonlyMap<string, NodeConfigDocument | null>;
    };

const ENV = 'HCLOUD_CLUSTER_CONFIG';
const FILE = 'HCLOUD_CLUSTER_CONFIG_FILE';
const CLOUD_INIT = 'HCLOUD_CLOUD_INIT';
export const DEFAULT_IMAGE = 'ubuntu-20.04';

/**
 * Picks the source by precedence, without merging and without falling through a broken one (`hetzner` 1.1). Null:
 * unusable, reported.
 */
export function readClusterConfig(
  source: ConfigurationSource,
  environment: Environment,
  findings: Findings,
): ClusterConfig | null {
  const encoded = environment.text(ENV);
  if (encoded !== null) {
    const text = decode(ENV, encoded, 'failed to parse cluster config', findings);
    return text === null ? null : readDocument(ENV, text, findings);
  }
  const path = environment.text(FILE);
  if (path !== null) {
    const text = readFile(source, path, findings);
    return text === null ? null : readDocument(FILE, text, findings);
  }
  const cloudInit = environment.text(CLOUD_INIT);
  if (cloudInit !== null) return readLegacy(cloudInit, environment, findings);
  findings.fault(
    ENV,
    null,
    'there is no cluster configuration',
    `set \`${ENV}\`, \`${CLOUD_INIT}\` or \`${FILE}\``,
  );
  return null;
}

function readLegacy(encoded: string, environment: Environment, findings: Findings): ClusterConfig | null {
  const cloudInit = decode(CLOUD_INIT, encoded, 'failed to parse cloud init', findings);
  if (cloudInit === null) return null;
  const image = environment.reference('HCLOUD_IMAGE');
  if (image === null) {
    findings.warn(
      `HCLOUD_IMAGE is not set: the default ${DEFAULT_IMAGE} is past its removal date, set a current image`,
    );
  }
  const legacy = documentOf(LegacyDocument, { cloudInit, image: image ?? DEFAULT_IMAGE });
  reportViolations(legacy, 'legacy configuration', findings);
  return { format: 'legacy', legacy };
}

function decode(place: string, encoded: string, what: string, findings: Findings): string | null {
  const decoded = decodeBase64(encoded);
  if (decoded.ok) return decoded.text;
  const remedy = 'encode it with the standard alphabet and padding, e.g. `base64 -w0`';
  findings.fault(place, '(secret)', `${what}: ${decoded.problem}`, remedy);
  return null;
}

function readFile(source: ConfigurationSource, path: string, findings: Findings): string | null {
  try {
    return source.file(path);
  } catch (error) {
    const detail = error instanceof ConfigurationError ? error.faults[0]?.problem : undefined;
    const problem = `the file cannot be read${detail === undefined ? '' : `: ${detail}`}`;
    findings.fault(FILE, path, problem, 'mount the file and check its permissions');
    return null;
  }
}

function readDocument(place: string, text: string, findings: Findings): ClusterConfig | null {
  const parsed = parseDocument(place, text, findings);
  if (parsed === null) return null;
  const { imagesForArch, defaultSubnetIPRange, nodeConfigs } = parsed;
  const cluster = documentOf(ClusterConfigDocument, {
    imagesForArch: imagesOf(imagesForArch, place, findings),
    defaultSubnetIPRange,
  });
  reportViolations(cluster, place, findings);
  if (!isJsonObject(nodeConfigs) || Object.keys(nodeConfigs).length === 0) {
    const problem = 'no node configs present: the cluster configuration needs one for every pool';
    findings.fault(`${place}.nodeConfigs`, null, problem, 'add an entry for every pool of --nodes');
    return null;
  }
  const pools = new Map<string, NodeConfigDocument | null>();
  for (const [name, value] of Object.entries(nodeConfigs)) {
    pools.set(name, readPool(`${place}.nodeConfigs.${name}`, value, findings));
  }
  return { format: 'cluster', place, cluster, pools };
}

function parseDocument(place: string, text: string, findings: Findings): JsonObject | null {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return withKnownKeys(value, DOCUMENT_KEYS.cluster, place, findings);
    findings.fault(
      place,
      null,
      'failed to parse cluster config: it is no JSON object',
      'write a JSON object',
    );
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    findings.fault(place, '(secret)', `failed to parse cluster config: ${error.message}`, 'correct the JSON');
  }
  return null;
}

function readPool(place: string, value: JsonValue, findings: Findings): NodeConfigDocument | null {
  if (!isJsonObject(value)) {
    findings.fault(
      place,
      null,
      'the entry of a pool must be a JSON object',
      'write at least {"cloudInit": "…"}',
    );
    return null;
  }
  const known = withKnownKeys(value, DOCUMENT_KEYS.pool, place, findings);
  const { imagesForArch, taints, autoscalingOptions: options } = known;
  const pool = documentOf(NodeConfigDocument, {
    ...known,
    imagesForArch: imagesOf(imagesForArch, place, findings),
    taints: taints === undefined ? undefined : taintDocuments(taints, `${place}.taints`, findings),
    autoscalingOptions: isJsonObject(options)
      ? documentOf(
          NodeGroupOptionsDocument,
          withKnownKeys(options, DOCUMENT_KEYS.options, `${place}.autoscalingOptions`, findings),
        )
      : options,
  });
  return reportViolations(pool, place, findings) ? pool : null;
}

/** What is no object stays as it is, for the validation to find. */
function imagesOf(value: JsonValue | undefined, place: string, findings: Findings): unknown {
  if (!isJsonObject(value)) return value;
  const known = withKnownKeys(value, DOCUMENT_KEYS.images, `${place}.imagesForArch`, findings);
  return documentOf(ImagesForArchDocument, known);
}
