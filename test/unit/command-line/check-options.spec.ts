import { renderFault } from '../../../src/application/ports/configuration.js';
import { checkOptions, parseFlags } from '../../../src/infrastructure/command-line/index.js';
import type { StartSettings } from '../../../src/infrastructure/command-line/index.js';

function check(...argv: string[]): ReturnType<typeof checkOptions> {
  const result = parseFlags(argv);
  if (result.kind !== 'flags') throw new Error(JSON.stringify(result));
  return checkOptions(result.flags.options);
}

function settingsOf(...argv: string[]): StartSettings {
  const result = check(...argv);
  if (!result.ok) throw new Error(result.faults.map(renderFault).join('\n'));
  return result.settings;
}

/** `exit code, place` of each fault. */
function faultsOf(...argv: string[]): string[] {
  const result = check(...argv);
  return result.ok ? [] : result.faults.map(({ exitCode, place }) => `${exitCode} ${place}`);
}

const GIB = 1024 ** 3;

describe('values that end the start', () => {
  it.each([
    // interface 9/4
    ['--cores-total=5:2', '255 --cores-total'],
    ['--cores-total=a:2', '255 --cores-total'],
    ['--cores-total=-1:3', '255 --cores-total'],
    ['--cores-total=3', '255 --cores-total'],
    ['--cores-total=1:2:3', '255 --cores-total'],
    ['--memory-total=1: 2', '255 --memory-total'],
    // interface 9/6
    ['--gpu-total=a:3:2', '255 --gpu-total'],
    ['--gpu-total=a:1', '255 --gpu-total'],
    ['--gpu-total=a:1:2:3', '255 --gpu-total'],
    // interface 9/7
    ['--expander=least-waste,least-waste', '255 --expander'],
    ['--expander=random,priority', '255 --expander'],
    ['--expander=priority, least-waste', '255 --expander'],
    ['--expander=nosuch', '255 --expander'],
    ['--expander=', '255 --expander'],
    ['--expander=grpc', '1 --grpc-expander-cert'],
    // interface 9/11
    ['--enable-dynamic-resource-allocation=false', '255 --enable-dynamic-resource-allocation'],
    ['--predicate-parallelism=0', '255 --predicate-parallelism'],
    ['--drain-priority-config=0:60,', '255 --drain-priority-config'],
    ['--drain-priority-config=0: 60', '255 --drain-priority-config'],
    ['--estimator=oldbinpacking', '255 --estimator'],
    ['--leader-elect-resource-lock=endpoints', '255 --leader-elect-resource-lock'],
    ['--leader-elect-lease-duration=10s', '2 --leader-elect-lease-duration'],
    ['--leader-elect-retry-period=9s', '2 --leader-elect-renew-deadline'],
    ['--leader-elect-retry-period=0', '2 --leader-elect-retry-period'],
    ['--logging-format=xml', '255 --logging-format'],
    ['--log-json-split-stream', '255 --log-json-split-stream'],
    ['--log-text-info-buffer-size=1Ki', '255 --log-text-info-buffer-size'],
  ])('%s', (argument, fault) => {
    expect(faultsOf(argument)).toEqual([fault]);
  });

  it.each([
    // interface 9/10
    [
      ['--drain-priority-config=0:60', '--max-graceful-termination-sec=30'],
      '255 --max-graceful-termination-sec',
    ],
    // interface 9/12
    [['--allowed-scheduler-names=a', '--bypassed-scheduler-names=b'], '255 --bypassed-scheduler-names'],
    [['--logging-format=json', '--vmodule=a=1'], '255 --vmodule'],
    [['--logging-format=json', '--feature-gates=LoggingBetaOptions=false'], '255 --logging-format'],
  ])('%j', (argv, fault) => {
    expect(faultsOf(...argv)).toEqual([fault]);
  });

  it('reports all faults at once, the first of upstream first', () => {
    expect(faultsOf('--expander=nosuch', '--cores-total=3', '--leader-elect-retry-period=9s')).toEqual([
      '255 --cores-total',
      '2 --leader-elect-renew-deadline',
      '255 --expander',
    ]);
  });

  it('does not judge leader election that is off', () => {
    expect(faultsOf('--leader-elect=false', '--leader-elect-lease-duration=1s')).toEqual([]);
  });

  it('names flag, value, problem and remedy', () => {
    const result = check('--cores-total=5:2');
    expect(result.ok ? [] : result.faults.map(renderFault)).toEqual([
      '--cores-total is "5:2": not of the form min:max with integers 0 <= min <= max; write for example 0:320000',
    ]);
  });
});

describe('settings', () => {
  it('are made from an empty command line', () => {
    const settings = settingsOf();
    expect(settings).toMatchObject({
      cores: { min: 0, max: 320_000 },
      memoryBytes: { min: 0, max: 6_400_000 * GIB },
      gpus: [],
      expanders: ['least-waste'], // interface 9/9
      drainPriorities: [],
      startupTaints: [],
      warnings: [],
    });
  });

  // interface 9/5
  it('has memory limits in bytes', () => {
    expect(settingsOf('--memory-total=1:2').memoryBytes).toEqual({ min: 1_073_741_824, max: 2_147_483_648 });
  });

  // interface 9/6
  it('keeps all GPU limits', () => {
    expect(settingsOf('--gpu-total=a:1:2', '--gpu-total=b:0:4').gpus).toEqual([
      { type: 'a', min: 1, max: 2 },
      { type: 'b', min: 0, max: 4 },
    ]);
  });

  // interface 9/7
  it('accepts a chain of expanders and says what is not built', () => {
    const settings = settingsOf('--expander=priority,price,grpc,least-waste', '--grpc-expander-cert=ca.pem');
    expect(settings.expanders).toEqual(['priority', 'price', 'least-waste']);
    expect(settings.warnings).toContain('--expander: grpc is not built yet and is left out of the chain');
  });

  // interface 9/8
  it('accepts least-nodes, which the help text leaves out', () => {
    expect(settingsOf('--expander=least-nodes').expanders).toEqual(['least-nodes']);
  });

  // interface 9/10
  it('accepts drain priorities alone, ordered by priority', () => {
    expect(
      settingsOf('--drain-priority-config=100:30,-5:60', '--max-graceful-termination-sec=600'),
    ).toMatchObject({
      drainPriorities: [
        { priority: -5, shutdownGracePeriodSeconds: 60 },
        { priority: 100, shutdownGracePeriodSeconds: 30 },
      ],
    });
  });

  // interface 9/13
  it('raises the start-up limit to the largest of the three with a warning', () => {
    const settings = settingsOf('--max-startup-time=1m', '--max-failing-time=15m', '--max-inactivity=10m');
    expect(settings.options.maxStartupTimeMs).toBe(15 * 60_000);
    expect(settings.warnings).toEqual([expect.stringContaining('15m0s is used')]);
  });

  it.each([
    ['--scale-down-enabled=false', 'scale-down is off'],
    ['--ignore-taint=a', 'deprecated'],
    ['--log-file=/tmp/log', 'not written'],
  ])('warns of %s', (argument, text) => {
    expect(settingsOf(argument).warnings).toEqual([expect.stringContaining(text)]);
  });

  it('puts ignored taints in front of startup taints', () => {
    expect(settingsOf('--startup-taint=a', '--ignore-taint=b').startupTaints).toEqual(['b', 'a']);
  });

  // interface 9/16
  it('accepts utho with a configuration file, whatever the node flags say', () => {
    const settings = settingsOf(
      '--cloud-provider=utho',
      '--cloud-config=/config/cloud-config',
      '--nodes=1:2:x',
      '--node-group-auto-discovery=utho:regexp=.*',
    );
    expect(settings.options.cloudConfig).toBe('/config/cloud-config');
  });

  it('accepts split streams behind their gate', () => {
    expect(faultsOf('--feature-gates=LoggingAlphaOptions=true', '--log-text-split-stream')).toEqual([]);
  });
});
