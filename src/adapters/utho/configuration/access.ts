import { ConfigurationError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import { readBaseUrl } from '../../cloud-configuration/index.js';
import type { Findings } from '../../cloud-configuration/index.js';
import { FileToken, FixedToken, isUsableToken } from './api-token.js';
import type { ApiToken } from './api-token.js';
import type { CloudConfigDocument } from './documents.js';

const DEFAULT_API_URL = 'https://api.utho.com/v2/';

/** The file comes before the environment; a key that is written down comes before one in a file of its own. */
export function readToken(
  document: CloudConfigDocument,
  source: ConfigurationSource,
  findings: Findings,
): ApiToken | null {
  const own = trimmed(document.token);
  const ownFile = trimmed(document.token_file);
  if (own !== null && ownFile !== null) {
    findings.warn('cloud-config.token_file is ignored, because token is set: the key will not be read anew');
  }
  if (own !== null) return fixedToken('cloud-config.token', own, findings);
  if (ownFile !== null) return fileToken('cloud-config.token_file', ownFile, source, findings);
  for (const variable of ['UTHO_API_KEY', 'UTHO_TOKEN']) {
    const value = trimmed(source.variable(variable));
    if (value !== null) return fixedToken(variable, value, findings);
  }
  const file = trimmed(source.variable('UTHO_API_KEY_FILE'));
  if (file !== null) return fileToken('UTHO_API_KEY_FILE', file, source, findings);
  const remedy = 'write an API key with write access into token, or name its file in token_file';
  findings.fault('cloud-config.token', null, 'there is no API key', remedy);
  return null;
}

function fixedToken(place: string, value: string, findings: Findings): ApiToken {
  if (!isUsableToken(value)) {
    const problem = 'the key has characters that an HTTP header cannot carry';
    findings.fault(place, '(secret)', problem, 'remove spaces and line breaks from it');
  }
  return new FixedToken(value);
}

function fileToken(
  place: string,
  path: string,
  source: ConfigurationSource,
  findings: Findings,
): ApiToken | null {
  try {
    return new FileToken(source, path);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // The key itself is written there now and then, in place of a path.
    const shown = path.includes('/') ? path : '(secret)';
    for (const { problem, remedy } of error.faults) findings.fault(place, shown, problem, remedy);
    return null;
  }
}

/** Null: to be detected. */
export function readClusterId(
  document: CloudConfigDocument,
  source: ConfigurationSource,
  findings: Findings,
): string | null {
  const own = trimmed(document.cluster_id);
  const value = own ?? trimmed(source.variable('UTHO_CLUSTER_ID'));
  if (value !== null && !isClusterId(value)) {
    const place = own === null ? 'UTHO_CLUSTER_ID' : 'cloud-config.cluster_id';
    const remedy = 'write the ID in digits, as in the file name kubeconfig_mks_<id>.yaml, or leave it out';
    findings.fault(place, value, "it is not a number; the cluster's name is not its ID", remedy);
  }
  return value;
}

export function isClusterId(text: string): boolean {
  return /^[0-9]+$/u.test(text);
}

/** With one slash at the end. */
export function readApiUrl(
  document: CloudConfigDocument,
  source: ConfigurationSource,
  findings: Findings,
): string | null {
  const own = trimmed(document.api_url);
  const place = own === null ? 'UTHO_API_URL' : 'cloud-config.api_url';
  const text = own ?? trimmed(source.variable('UTHO_API_URL')) ?? DEFAULT_API_URL;
  const url = readBaseUrl(text, place, DEFAULT_API_URL, findings);
  return url === null ? null : `${url}/`;
}

/** A Secret often ends with a line break. Null: nothing is written there. */
function trimmed(value: string | number | null | undefined): string | null {
  const text = String(value ?? '').trim();
  return text === '' ? null : text;
}
