import { flag, noEffect } from '../flag-definition.js';
import { boolean, duration, string, unsignedInteger } from '../flag-types.js';
import { level, quantity, severity, verbosityPatterns } from '../logging-flag-types.js';
import { SECOND_MS } from './units.js';

const BYPASSED = noEffect('upstream accepts and bypasses it, too');
const UNBUFFERED = noEffect('every line is written at once');

/** `interface` 1.9. */
export const LOGGING_FLAGS = {
  v: { ...flag(level, 0, 'Verbosity; messages of this level and below are written.'), shorthand: 'v' },
  vmodule: flag(verbosityPatterns, [], 'Verbosity by event id: pattern=N,... (text format only).'),
  'logging-format': flag(string, 'text', 'text or json.'),
  'log-flush-frequency': flag(duration, 5 * SECOND_MS, 'Period of flushing.', UNBUFFERED),
  'log-text-split-stream': flag(boolean, false, 'Text: errors to stderr, the rest to stdout.'),
  'log-json-split-stream': flag(boolean, false, 'JSON: errors to stderr, the rest to stdout.'),
  'log-text-info-buffer-size': flag(quantity, '0', 'Buffer of the split text stream.', UNBUFFERED),
  'log-json-info-buffer-size': flag(quantity, '0', 'Buffer of the split JSON stream.', UNBUFFERED),
  logtostderr: flag(boolean, true, 'Log to stderr.'),
  alsologtostderr: flag(boolean, false, 'With --log-file: write to stderr, too.'),
  'log-file': flag(string, '', 'With --logtostderr=false: append to this file.'),
  'log-dir': flag(string, '', 'Directory of log files.', BYPASSED),
  'log-file-max-size': flag(unsignedInteger, 1800, 'Largest log file in MB.', BYPASSED),
  'skip-log-headers': flag(boolean, false, 'No header at the top of log files.', BYPASSED),
  'one-output': flag(boolean, false, 'Write to the native severity only.', BYPASSED),
  stderrthreshold: flag(severity, 0, 'Severity that goes to stderr.', BYPASSED),
  'legacy-stderr-threshold-behavior': flag(boolean, false, 'Old reading of --stderrthreshold.', BYPASSED),
  alsologtostderrthreshold: flag(severity, 0, 'Severity that goes to stderr, too.', BYPASSED),
  'skip-headers': flag(boolean, false, 'Text lines without severity, time and event.'),
  'add-dir-header': flag(
    boolean,
    false,
    'Directory in the header of text lines.',
    noEffect('lines name an event, not a source file'),
  ),
  'log-backtrace-at': flag(string, ':0', 'Print a stack at file:N.', noEffect('lines name no source file')),
};
