import { ConfigurationError, UnreadableFileError } from '../../../application/ports/configuration.js';
import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import { parseCloudConfig } from './cloud-config.js';
import type { UthoConfiguration } from './utho-configuration.js';

const FLAG = '--cloud-config';
const MANAGER_FAILED = 'Failed to create Utho manager: ';

/** The file was there and could be opened; the trouble came when it was read. `EFBIG` is our own bound. */
const READ_CODES = new Set(['EISDIR', 'EIO', 'EFBIG']);

/** Texts of the operating system as Go prints them. */
const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ELOOP: 'too many levels of symbolic links',
  EISDIR: 'is a directory',
  EIO: 'input/output error',
  EFBIG: 'file too large',
};

/**
 * Reads the cloud-config file at `path` and checks all that needs no network (`utho` 1). Throws ConfigurationError with
 * every fault, under the text that the Go program shows; the API key is never part of it.
 */
export function readUthoConfiguration(source: ConfigurationSource, path: string): UthoConfiguration {
  if (path === '') throw missingFile();
  const text = readFile(source, path);
  try {
    return parseCloudConfig(text, source);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.faults, `${MANAGER_FAILED}${error.headline}`);
  }
}

function missingFile(): ConfigurationError {
  const remedy = 'name a JSON file with token and cluster_id';
  return new ConfigurationError(
    [{ place: FLAG, value: null, problem: 'the provider utho needs it', remedy }],
    'No config file provided, please specify it via the --cloud-config flag',
  );
}

function readFile(source: ConfigurationSource, path: string): string {
  try {
    return source.file(path);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const systemText = SYSTEM_TEXTS[error.code] ?? error.code;
    const headline = READ_CODES.has(error.code)
      ? `${MANAGER_FAILED}read ${path}: ${systemText}`
      : `Could not open cloud provider configuration file ${JSON.stringify(path)}, error: open ${path}: ${systemText}`;
    const faults = error.faults.map((fault) => ({ ...fault, place: FLAG, value: path }));
    throw new ConfigurationError(faults, headline);
  }
}
