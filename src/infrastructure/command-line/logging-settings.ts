import type { LoggingSettings } from '../../adapters/logging/index.js';
import type { AutoscalerOptions } from './flag-table.js';

/** The logging flags as the logging adapter takes them. Without a file everything goes to stderr. */
export function loggingSettingsOf(options: AutoscalerOptions): LoggingSettings {
  const isJson = options.loggingFormat === 'json';
  const filePath = options.logtostderr || options.logFile === '' ? null : options.logFile;
  return {
    format: isJson ? 'json' : 'text',
    verbosity: options.v,
    verbosityPatterns: options.vmodule,
    splitStream: isJson ? options.logJsonSplitStream : options.logTextSplitStream,
    filePath,
    toStderr: filePath === null || options.alsologtostderr,
    skipHeaders: options.skipHeaders,
  };
}
