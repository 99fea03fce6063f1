import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import {
  Findings,
  JsonSyntaxError,
  documentOf,
  isJsonObject,
  parseJson,
  reportViolations,
  withKnownKeys,
} from '../../cloud-configuration/index.js';
import type { JsonObject, JsonValue } from '../../cloud-configuration/index.js';
import { isClusterId, readApiUrl, readClusterId, readToken } from './access.js';
import { isUsableToken } from './api-token.js';
import type { ApiToken } from './api-token.js';
import { CloudConfigDocument, DOCUMENT_KEYS } from './documents.js';
import { readNodeTemplates, readPoolOptions, readReserved } from './pool-settings.js';
import type { UthoConfiguration } from './utho-configuration.js';

const PLACE = 'cloud-config';
const SECRET_PROPERTIES = new Set(['token']);
const EXAMPLE = '{"cluster_id": "701234", "token": "…"}';

/** Defaults of `utho` 1.5. */
const REQUEST_TIMEOUT_MS = { read: 30_000, write: 60_000 };
const MAX_RETRIES = { read: 3, write: 1 };
const VERIFY_TIMEOUT_MS = 30_000;
const VERIFY_INTERVAL_MS = 1_000;

/**
 * Reads the text of the cloud-config file and the variables that fill in what it leaves out. Throws ConfigurationError
 * with every fault; its headline is the text of the first one that the Go program would find, without the prefix that
 * its builder adds (`utho` 1.4).
 */
export function parseCloudConfig(text: string, source: ConfigurationSource): UthoConfiguration {
  const findings = new Findings(SECRET_PROPERTIES);
  const json = withKnownKeys(parseObject(text), DOCUMENT_KEYS.cloudConfig, PLACE, findings);
  const document = documentOf(CloudConfigDocument, json);
  reportViolations(document, PLACE, findings);
  if (hasWrongTypes(document)) findings.throwIfFaulty('cloud-config has a value of the wrong type');
  const token = readToken(document, source, findings);
  const clusterId = readClusterId(document, source, findings);
  const apiUrl = readApiUrl(document, source, findings);
  const settings = readSettings(document, findings);
  const nodeTemplates = readNodeTemplates(json['node_templates'], findings);
  const reserved = readReserved(json['reserved'], findings);
  const poolOptions = readPoolOptions(json['node_group_options'], findings);
  findings.throwIfFaulty(headlineOf(token, clusterId, apiUrl));
  return {
    clusterId,
    // Null would have been reported.
    token: token!,
    apiUrl: apiUrl!,
    ...settings,
    nodeTemplates,
    reserved,
    poolOptions,
    warnings: findings.warnings,
  };
}

function parseObject(text: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const hint = looksLikeIni(text) ? '; it looks like an INI file' : '';
    throw notAnObject(`cloud-config must be JSON: ${error.message}`, `it is no JSON${hint}`);
  }
  if (isJsonObject(value)) return value;
  throw notAnObject('cloud-config must be a JSON object', 'it is another kind of JSON value');
}

/** The text itself holds the key, so nothing of it is shown. */
function notAnObject(headline: string, problem: string): ConfigurationError {
  const fault = { place: PLACE, value: '(secret)', problem, remedy: `write JSON such as ${EXAMPLE}` };
  return new ConfigurationError([fault], headline);
}

/** Upstream's README speaks of INI, too (B17). */
function looksLikeIni(text: string): boolean {
  return /^\s*(?:\[[\w -]+\]\s*$|[\w.-]+\s*=)/mu.test(text);
}

/** What the Go program's decoder would refuse before any other check. */
function hasWrongTypes({ token, cluster_id: clusterId }: CloudConfigDocument): boolean {
  return typeof (token ?? '') !== 'string' || !['string', 'number'].includes(typeof (clusterId ?? ''));
}

function headlineOf(token: ApiToken | null, clusterId: string | null, apiUrl: string | null): string {
  if (token === null) return 'access token is not provided';
  if (clusterId !== null && !isClusterId(clusterId)) {
    return `cluster ID ${JSON.stringify(clusterId)} is not a number`;
  }
  if (apiUrl === null || !isUsableToken(token.reveal())) return 'unable to create utho client instance';
  return 'cloud-config has faulty values';
}

type Settings = Pick<
  UthoConfiguration,
  | 'requestTimeoutMs'
  | 'maxRetries'
  | 'verifyTimeoutMs'
  | 'verifyIntervalMs'
  | 'allowScaleToZero'
  | 'legacyDecreasePayload'
>;

function readSettings(document: CloudConfigDocument, findings: Findings): Settings {
  const timeoutMs = document.request_timeout_ms;
  const retries = document.max_retries;
  const verifyTimeoutMs = document.verify_timeout_ms ?? VERIFY_TIMEOUT_MS;
  const verifyIntervalMs = document.verify_interval_ms ?? VERIFY_INTERVAL_MS;
  if (verifyIntervalMs > verifyTimeoutMs) {
    const problem = `it is longer than verify_timeout_ms (${verifyTimeoutMs})`;
    findings.fault(`${PLACE}.verify_interval_ms`, String(verifyIntervalMs), problem, 'make it shorter');
  }
  return {
    requestTimeoutMs: timeoutMs == null ? REQUEST_TIMEOUT_MS : { read: timeoutMs, write: timeoutMs },
    // A write is repeated once at most, whatever is allowed for reads.
    maxRetries:
      retries == null ? MAX_RETRIES : { read: retries, write: Math.min(retries, MAX_RETRIES.write) },
    verifyTimeoutMs,
    verifyIntervalMs,
    allowScaleToZero: document.allow_scale_to_zero ?? false,
    legacyDecreasePayload: document.legacy_decrease_payload ?? false,
  };
}
