import { isGateOpen } from '../feature-gates.js';
import type { AutoscalerOptions } from '../flag-table.js';
import { verbosityPatterns } from '../logging-flag-types.js';
import { fatal } from '../values/start-fault.js';
import type { StartFault } from '../values/start-fault.js';

/** The logging rules of `interface` 1.9 and 1.10. */
export function checkLogging(options: AutoscalerOptions): readonly StartFault[] {
  const faults: StartFault[] = [];
  const isJson = options.loggingFormat === 'json';
  if (!isJson && options.loggingFormat !== 'text') {
    faults.push(fatal('logging-format', options.loggingFormat, 'it is unknown', 'write text or json'));
  }
  if (isJson && !isGateOpen(options.featureGates, 'LoggingBetaOptions')) {
    const problem = 'it needs the feature gate LoggingBetaOptions';
    faults.push(fatal('logging-format', 'json', problem, 'leave the gate open'));
  }
  if (isJson && options.vmodule.length > 0) {
    const value = verbosityPatterns.render(options.vmodule);
    faults.push(fatal('vmodule', value, 'it works with --logging-format=text only', 'leave it out'));
  }
  if (!isGateOpen(options.featureGates, 'LoggingAlphaOptions')) {
    for (const [flagName, value] of alphaFlagsSet(options)) {
      const remedy = 'leave it out or add --feature-gates=LoggingAlphaOptions=true';
      faults.push(fatal(flagName, value, 'it needs the feature gate LoggingAlphaOptions', remedy));
    }
  }
  return faults;
}

function alphaFlagsSet(options: AutoscalerOptions): readonly (readonly [string, string])[] {
  const flags: readonly (readonly [name: string, value: string, defaultValue: string])[] = [
    ['log-text-split-stream', options.logTextSplitStream.toString(), 'false'],
    ['log-json-split-stream', options.logJsonSplitStream.toString(), 'false'],
    ['log-text-info-buffer-size', options.logTextInfoBufferSize, '0'],
    ['log-json-info-buffer-size', options.logJsonInfoBufferSize, '0'],
  ];
  return flags
    .filter(([, value, defaultValue]) => value !== defaultValue)
    .map(([name, value]) => [name, value] as const);
}
