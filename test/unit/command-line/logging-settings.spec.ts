import { DEFAULT_LOGGING } from '../../../src/adapters/logging/index.js';
import type { LoggingSettings } from '../../../src/adapters/logging/index.js';
import { loggingSettingsOf, parseFlags } from '../../../src/infrastructure/command-line/index.js';

function settingsOf(...argv: string[]): LoggingSettings {
  const result = parseFlags(argv);
  if (result.kind !== 'flags') throw new Error(JSON.stringify(result));
  return loggingSettingsOf(result.flags.options);
}

describe('logging flags', () => {
  // interface 9/17
  it.each([[[]], [['--stderrthreshold=ERROR']], [['--log-file=/tmp/log']], [['--logtostderr=false']]])(
    '%j log everything to stderr as text',
    (argv) => {
      expect(settingsOf(...argv)).toEqual(DEFAULT_LOGGING);
    },
  );

  it('name a file, and stderr beside it', () => {
    const toFile = ['--logtostderr=false', '--log_file=/tmp/log'];
    expect(settingsOf(...toFile)).toEqual({ ...DEFAULT_LOGGING, filePath: '/tmp/log', toStderr: false });
    expect(settingsOf(...toFile, '--alsologtostderr')).toMatchObject({
      filePath: '/tmp/log',
      toStderr: true,
    });
  });

  it('split the stream of their own format only', () => {
    expect(settingsOf('--log-text-split-stream').splitStream).toBe(true);
    expect(settingsOf('--log-text-split-stream', '--logging-format=json').splitStream).toBe(false);
  });

  it('set verbosity, as a whole and by event', () => {
    expect(settingsOf('-v=4', '--vmodule=watch*=9', '--skip-headers')).toMatchObject({
      verbosity: 4,
      verbosityPatterns: [{ pattern: 'watch*', level: 9 }],
      skipHeaders: true,
    });
  });
});
