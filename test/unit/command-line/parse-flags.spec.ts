import {
  defaultOptions,
  listIneffectiveFlags,
  parseFlags,
  renderExplicitFlags,
  renderFlagLines,
} from '../../../src/infrastructure/command-line/index.js';
import type { AutoscalerOptions, ParsedFlags } from '../../../src/infrastructure/command-line/index.js';
import { FLAG_GROUPS, FLAGS } from '../../../src/infrastructure/command-line/flag-table.js';

function parsed(...argv: string[]): ParsedFlags {
  const result = parseFlags(argv);
  if (result.kind !== 'flags') throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.flags;
}

function optionsOf(...argv: string[]): AutoscalerOptions {
  return parsed(...argv).options;
}

function problemOf(...argv: string[]): string {
  const result = parseFlags(argv);
  return result.kind === 'error' ? result.problem : `accepted as ${result.kind}`;
}

describe('flag grammar', () => {
  // interface 9/1
  it('reads underscores in names as dashes', () => {
    expect(optionsOf('--scan_interval=20s').scanIntervalMs).toBe(20_000);
    expect(optionsOf('--scan-interval=20s').scanIntervalMs).toBe(20_000);
    expect(optionsOf('--log_file_max_size=7').logFileMaxSize).toBe(7);
  });

  // interface 9/2
  it('names an unknown flag', () => {
    expect(problemOf('--no-such-flag')).toBe('unknown flag: --no-such-flag');
    expect(problemOf('--no_such_flag=1')).toBe('unknown flag: --no-such-flag');
  });

  // interface 9/3
  it.each([
    ['0', 0],
    ['1.5m', 90_000],
    ['1m30s', 90_000],
    ['+5s', 5_000],
    ['-1.5h', -5_400_000],
    ['100us', 0.1],
    ['3µs', 0.003],
    ['.5s', 500],
  ])('accepts the duration %s', (text, ms) => {
    expect(optionsOf(`--scan-interval=${text}`).scanIntervalMs).toBeCloseTo(ms, 9);
  });

  // interface 9/3
  it.each(['10', '', '1d', '5 s', 's', '1m30', '300000h0m0s10d', '9999999h'])(
    'refuses the duration %j',
    (text) => {
      expect(problemOf(`--scan-interval=${text}`)).toContain('"--scan-interval" flag');
    },
  );

  it.each([
    ['--max-nodes-total=0x10', 16],
    ['--max-nodes-total=0b11', 3],
    ['--max-nodes-total=0o17', 15],
    ['--max-nodes-total=010', 8],
    ['--max-nodes-total=-5', -5],
    ['--max-nodes-total=+5', 5],
    ['--max-nodes-total=0x_ff', 255],
    ['--max-nodes-total=1_000', 1000],
    ['--max-nodes-total=0', 0],
  ])('reads integers with base prefixes: %s', (argument, value) => {
    expect(optionsOf(argument).maxNodesTotal).toBe(value);
  });

  it.each(['1__0', '1_', '_1', '08', '1.0', '1e3', ' 1', '', '0x', '99999999999999999999'])(
    'refuses %j as an integer',
    (text) => {
      expect(problemOf(`--max-nodes-total=${text}`)).toMatch(/^invalid argument/u);
    },
  );

  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('reads %s as true', (text) => {
    expect(optionsOf(`--force-ds=${text}`).forceDs).toBe(true);
  });

  it.each(['yes', 'on', 'tRUE', '', '2'])('refuses %j as a boolean', (text) => {
    expect(problemOf(`--force-ds=${text}`)).toMatch(/^invalid argument/u);
  });

  it('gives a boolean a value only behind an equals sign', () => {
    expect(optionsOf('--force-ds', 'false').forceDs).toBe(true);
    expect(optionsOf('--scale-up-from-zero=false').scaleUpFromZero).toBe(false);
  });

  it('takes the next argument as the value of other types, whatever it looks like', () => {
    expect(optionsOf('--namespace', '--force-ds').namespace).toBe('--force-ds');
    expect(problemOf('--namespace')).toBe('flag needs an argument: --namespace');
  });

  it('lets the last scalar win and appends to lists', () => {
    const options = optionsOf('--nodes=a,b', '--expander=random', '--nodes', 'c', '--expander=most-pods');
    expect(options.nodes).toEqual(['a,b', 'c']);
    expect(options.expander).toBe('most-pods');
  });

  it('splits string slices as CSV and appends', () => {
    const options = optionsOf('--allowed-scheduler-names=a,"b,""c"', '--allowed-scheduler-names=d');
    expect(options.allowedSchedulerNames).toEqual(['a', 'b,"c', 'd']);
    expect(optionsOf('--allowed-scheduler-names=').allowedSchedulerNames).toEqual([]);
    expect(problemOf('--allowed-scheduler-names=a"b')).toMatch(/quote/u);
    expect(problemOf('--allowed-scheduler-names="a')).toMatch(/quote/u);
  });

  it.each([['-v', '4'], ['-v=4'], ['-v4'], ['--v=4'], ['--v', '4']])(
    'reads the verbosity from %s %s',
    (...argv) => {
      expect(optionsOf(...argv.filter((argument) => argument !== undefined)).v).toBe(4);
    },
  );

  it('refuses verbosity outside of 0 to 2^31-1', () => {
    expect(problemOf('-v=-1')).toContain('"-v, --v" flag');
    expect(problemOf('--v=2147483648')).toMatch(/^invalid argument/u);
    expect(problemOf('-v')).toBe('flag needs an argument: -v');
  });

  it('reads a single dash before a name as a bundle of letters', () => {
    expect(problemOf('-scan-interval=10s')).toBe("unknown shorthand flag: 's' in -scan-interval=10s");
  });

  it('ignores words without dashes, and everything behind a double dash', () => {
    expect(optionsOf('run', '-', '--force-ds', 'word', '--', '--no-such-flag').forceDs).toBe(true);
  });

  it.each(['--=x', '---x'])('refuses %s', (argument) => {
    expect(problemOf(argument)).toBe(`bad flag syntax: ${argument}`);
  });

  it.each([['--help'], ['-h'], ['--help=false'], ['--force-ds', '-h', '--no-such-flag']])(
    'asks for help by %s',
    (...argv) => {
      expect(parseFlags(argv)).toEqual({ kind: 'help' });
    },
  );

  it('reads severities by name in any case or as numbers', () => {
    expect(optionsOf('--stderrthreshold=error').stderrthreshold).toBe(2);
    expect(optionsOf('--stderrthreshold=1').stderrthreshold).toBe(1);
    expect(problemOf('--stderrthreshold=loud')).toMatch(/^invalid argument/u);
  });

  it('merges feature gates and refuses unknown ones', () => {
    const options = optionsOf(
      '--feature-gates=LoggingAlphaOptions=true, AllAlpha=false',
      '--feature-gates=AllAlpha=1',
    );
    expect([...options.featureGates]).toEqual([
      ['LoggingAlphaOptions', true],
      ['AllAlpha', true],
    ]);
    expect(problemOf('--feature-gates=NoSuchGate=true')).toContain('unrecognized feature gate: NoSuchGate');
    expect(problemOf('--feature-gates=AllAlpha')).toContain('Gate=true');
    expect(problemOf('--feature-gates=AllAlpha=perhaps')).toContain('boolean');
  });

  it('reads verbosity patterns', () => {
    expect(optionsOf('--vmodule=scale-up*=4,watch=2').vmodule).toEqual([
      { pattern: 'scale-up*', level: 4 },
      { pattern: 'watch', level: 2 },
    ]);
    expect(problemOf('--vmodule=watch')).toContain('pattern=N');
  });
});

describe('flag table', () => {
  const expectedDefaults: readonly (readonly [keyof AutoscalerOptions, unknown])[] = [
    ['scanIntervalMs', 10_000],
    ['maxInactivityMs', 600_000],
    ['maxFailingTimeMs', 900_000],
    ['maxStartupTimeMs', 1_200_000],
    ['maxTotalUnreadyPercentage', 45],
    ['okTotalUnreadyCount', 3],
    ['coresTotal', '0:320000'],
    ['memoryTotal', '0:6400000'],
    ['expander', 'least-waste'], // interface 9/9
    ['expendablePodsPriorityCutoff', -10],
    ['nodeInfoCacheExpireTimeMs', 87_600 * 3_600_000],
    ['maxGracefulTerminationSec', 600],
    ['blockingSystemPodDistruptionTimeoutMs', 3_600_000],
    ['daemonsetEvictionForOccupiedNodes', true],
    ['skipNodesWithCustomControllerPods', true],
    ['nodeDeleteDelayAfterTaintMs', 5_000],
    ['leaderElectResourceName', 'cluster-autoscaler'],
    ['logFileMaxSize', 1800],
    ['stderrthreshold', 0],
    ['address', ':8085'],
  ];

  it.each(expectedDefaults)('has the default of %s', (key, value) => {
    expect(defaultOptions()[key]).toBe(value);
  });

  it('shows every flag that is not removed in exactly one group', () => {
    const shown = FLAG_GROUPS.flatMap(({ names }) => names);
    const kept = [...FLAGS].filter(([, definition]) => definition.removed !== true).map(([name]) => name);
    expect([...shown].sort()).toEqual([...kept].sort());
  });

  it('renders defaults so that they parse to themselves', () => {
    for (const [name, definition] of FLAGS) {
      const text = definition.type.render(definition.default);
      if (text === '[]') continue;
      expect({ name, reading: definition.type.read(text, undefined) }).toEqual({
        name,
        reading: { ok: true, value: definition.default },
      });
    }
  });

  it('prints flags in canonical form', () => {
    const { options } = parsed('--scan-interval=90s', '--nodes=1:2:cx22:fsn1:a', '--nodes=b');
    const lines = renderFlagLines(options);
    expect(lines).toContain('FLAG: --scan-interval="1m30s"');
    expect(lines).toContain('FLAG: --node-info-cache-expire-time="87600h0m0s"');
    expect(lines).toContain('FLAG: --scale-down-delay-after-delete="0s"');
    expect(lines).toContain('FLAG: --nodes="[1:2:cx22:fsn1:a,b]"');
    expect(lines).toEqual([...lines].sort());
  });

  it('prints the flags that were set in one line', () => {
    expect(renderExplicitFlags(parsed('--cloud_provider=utho', '-v4'))).toBe('--cloud-provider=utho --v=4');
  });
});

describe('flags without effect', () => {
  // interface 9/14
  it('accepts flags of other clouds and the unread candidate limits, and lists each with a reason', () => {
    const argv = [
      '--aws-use-static-instance-list=true',
      '--bulk-mig-instances-listing-enabled',
      '--gce-concurrent-refreshes=3',
      '--gce-mig-instances-min-refresh-wait-time=7s',
      '--clusterapi-cloud-config-authoritative',
      '--cloud-provider-gce-lb-src-cidrs=130.211.0.0/22',
      '--cloud-provider-gce-l7lb-src-cidrs=130.211.0.0/22',
      '--scale-down-non-empty-candidates-count=1',
      '--scale-down-candidates-pool-ratio=0.2',
      '--scale-down-candidates-pool-min-count=2',
    ];
    const listed = listIneffectiveFlags(parsed(...argv));
    expect(listed.map(({ name }) => `--${name}`)).toEqual(argv.map((argument) => argument.split('=')[0]));
    expect(listed.every(({ kind, reason }) => kind === 'no-effect' && reason !== '')).toBe(true);
  });

  it('lists what is not built only when it is set to another value than its default', () => {
    expect(listIneffectiveFlags(parsed('--enable-provisioning-requests=false'))).toEqual([]);
    expect(listIneffectiveFlags(parsed('--enable-provisioning-requests'))).toEqual([
      { name: 'enable-provisioning-requests', kind: 'not-yet', reason: expect.any(String) },
    ]);
  });

  it('lists nothing for flags that work', () => {
    expect(listIneffectiveFlags(parsed('--scan-interval=1s', '--v=4', '--nodes=1:2:cx22:fsn1:a'))).toEqual(
      [],
    );
  });

  // utho 8/8
  it('says of flags that utho ignores that it is utho that does', () => {
    const flags = ['--nodes=1:2:x', '--node-group-auto-discovery=utho:regexp=^nothing$'];
    const listed = listIneffectiveFlags(parsed('--cloud-provider=utho', ...flags));
    expect(listed.map(({ name, kind }) => [name, kind])).toEqual([
      ['nodes', 'ignored-by-provider'],
      ['node-group-auto-discovery', 'ignored-by-provider'],
    ]);
    expect(listIneffectiveFlags(parsed(...flags)).map(({ name, kind }) => [name, kind])).toEqual([
      ['node-group-auto-discovery', 'no-effect'],
    ]);
  });

  it('accepts removed flags with a word on what to use', () => {
    expect(listIneffectiveFlags(parsed('--max-empty-bulk-delete=10'))).toEqual([
      {
        name: 'max-empty-bulk-delete',
        kind: 'no-effect',
        reason: 'removed in 1.33; use --max-scale-down-parallelism',
      },
    ]);
  });
});
