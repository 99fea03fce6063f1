import { plainToInstance } from 'class-transformer';
import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import {
  JsonSyntaxError,
  isJsonObject,
  parseJson,
  reportViolations,
  withKnownKeys,
  withKnownTaintKeys,
} from '../../cloud-configuration/index.js';
import type { Findings, JsonObject, JsonValue } from '../../cloud-configuration/index.js';
import { decodeBase64 } from './base64.js';
import { ClusterConfigDocument, DOCUMENT_KEYS, LegacyDocument, NodeConfigDocument } from './documents.js';
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
  const legacy = plainToInstance(LegacyDocument, { cloudInit, image: image ?? DEFAULT_IMAGE });
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
  const cluster = plainToInstance(ClusterConfigDocument, {
    ...(imagesForArch === undefined ? {} : { imagesForArch: imagesKeys(imagesForArch, place, findings) }),
    ...(defaultSubnetIPRange === undefined ? {} : { defaultSubnetIPRange }),
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
  const known: Record<string, JsonValue> = { ...withKnownKeys(value, DOCUMENT_KEYS.pool, place, findings) };
  if (known['imagesForArch'] !== undefined) {
    known['imagesForArch'] = imagesKeys(known['imagesForArch'], place, findings);
  }
  const { taints } = known;
  if (taints !== undefined) known['taints'] = withKnownTaintKeys(taints, `${place}.taints`, findings);
  const options = known['autoscalingOptions'];
  if (options !== undefined && isJsonObject(options)) {
    const optionsPlace = `${place}.autoscalingOptions`;
    known['autoscalingOptions'] = withKnownKeys(options, DOCUMENT_KEYS.options, optionsPlace, findings);
  }
  const pool = plainToInstance(NodeConfigDocument, known);
  return reportViolations(pool, place, findings) ? pool : null;
}

function imagesKeys(value: JsonValue, place: string, findings: Findings): JsonValue {
  if (!isJsonObject(value)) return value;
  return withKnownKeys(value, DOCUMENT_KEYS.images, `${place}.imagesForArch`, findings);
}
