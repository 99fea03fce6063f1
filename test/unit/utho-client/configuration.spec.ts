import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessConfigurationSource } from '../../../src/adapters/config/process-configuration-source.js';
import { parseCloudConfig } from '../../../src/adapters/utho/configuration/cloud-config.js';
import { readUthoConfiguration } from '../../../src/adapters/utho/index.js';
import { ConfigurationError, UnreadableFileError } from '../../../src/application/ports/configuration.js';
import { source } from '../../support/recorders.js';

const PATH = '/config/cloud-config';
const VALID = { token: '123-456', cluster_id: '1111' };
/** Would be noticed wherever it turns up. */
const KEY = 'never-show-this-key';

type Variables = Record<string, string>;

const asText = (config: object | string) => (typeof config === 'string' ? config : JSON.stringify(config));

function read(config: object | string, variables: Variables = {}, files: Record<string, string> = {}) {
  return readUthoConfiguration(source(variables, { [PATH]: asText(config), ...files }), PATH);
}

function errorOf(work: () => unknown): ConfigurationError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('it is taken as good');
}

const failure = (...parts: Parameters<typeof read>) => errorOf(() => read(...parts));
const places = (error: ConfigurationError) => error.faults.map((fault) => fault.place);
const headline = (error: Error) => error.message.split('\n')[0];

describe('the cloud-config of Utho', () => {
  // utho 8/1
  it('names the cluster', () => {
    expect(read('{"token":"123-456","cluster_id":"1111"}').clusterId).toBe('1111');
  });

  it('has defaults for all the rest', () => {
    const { token, ...rest } = read({ token: '123-456' });
    expect(token.reveal()).toBe('123-456');
    expect(rest).toEqual({
      clusterId: null,
      apiUrl: 'https://api.utho.com/v2/',
      requestTimeoutMs: { read: 30_000, write: 60_000 },
      maxRetries: { read: 3, write: 1 },
      verifyTimeoutMs: 30_000,
      verifyIntervalMs: 1_000,
      allowScaleToZero: false,
      legacyDecreasePayload: false,
      nodeTemplates: new Map(),
      reserved: { cpuMilli: 0, memoryBytes: 0, ephemeralStorageBytes: 0 },
      poolOptions: new Map(),
      warnings: [],
    });
  });

  it('may say everything', () => {
    const configuration = read({
      ...VALID,
      api_url: 'https://fake.example/v2//',
      request_timeout_ms: 5_000,
      max_retries: 7,
      verify_timeout_ms: 10_000,
      verify_interval_ms: 250,
      allow_scale_to_zero: true,
      legacy_decrease_payload: true,
      node_templates: {
        workers: {
          cpu: 4,
          memoryMb: 8_192,
          diskGb: 160,
          labels: { team: 'web' },
          taints: [
            { key: 'batch', value: 'true', effect: 'NoSchedule' },
            { key: 'bare', effect: 'NoExecute' },
          ],
          gpu: 2,
          gpuResource: 'amd.com/gpu',
        },
        '10400': { gpu: 1 },
      },
      reserved: { cpu: '100m', memory: '512Mi', 'ephemeral-storage': 1_000 },
      node_group_options: { workers: { scaleDownUnneededTime: '15m', scaleDownUtilizationThreshold: 0.6 } },
    });
    expect(configuration).toMatchObject({
      apiUrl: 'https://fake.example/v2/',
      requestTimeoutMs: { read: 5_000, write: 5_000 },
      // A write is repeated once at most.
      maxRetries: { read: 7, write: 1 },
      verifyTimeoutMs: 10_000,
      verifyIntervalMs: 250,
      allowScaleToZero: true,
      legacyDecreasePayload: true,
      reserved: { cpuMilli: 100, memoryBytes: 536_870_912, ephemeralStorageBytes: 1_000 },
      poolOptions: new Map([
        ['workers', { scaleDownUnneededTimeMs: 900_000, scaleDownUtilizationThreshold: 0.6 }],
      ]),
      warnings: [],
    });
    expect(configuration.nodeTemplates).toEqual(
      new Map([
        [
          'workers',
          {
            cpu: 4,
            memoryMb: 8_192,
            diskGb: 160,
            labels: new Map([['team', 'web']]),
            taints: [
              { key: 'batch', value: 'true', effect: 'NoSchedule' },
              { key: 'bare', value: '', effect: 'NoExecute' },
            ],
            gpu: { resource: 'amd.com/gpu', count: 2 },
          },
        ],
        [
          '10400',
          {
            cpu: undefined,
            memoryMb: undefined,
            diskGb: undefined,
            labels: new Map(),
            taints: [],
            gpu: { resource: 'nvidia.com/gpu', count: 1 },
          },
        ],
      ]),
    );
  });

  it('may name pools and labels as the language names its own things', () => {
    const text =
      '{"token":"x","node_templates":{"__proto__":{"cpu":3},"constructor":{"labels":{"constructor":"y"}}}}';
    const { nodeTemplates } = read(text);
    expect(nodeTemplates.get('__proto__')?.cpu).toBe(3);
    expect(nodeTemplates.get('constructor')?.labels).toEqual(new Map([['constructor', 'y']]));
  });

  it('may hold nulls, which say nothing', () => {
    const keys = [
      'cluster_id',
      'api_url',
      'max_retries',
      'allow_scale_to_zero',
      'node_templates',
      'reserved',
    ];
    const nulls = Object.fromEntries(keys.map((key) => [key, null]));
    expect({ ...read({ token: 'x', ...nulls }), token: null }).toEqual({
      ...read({ token: 'x' }),
      token: null,
    });
  });
});

describe('cluster_id', () => {
  // utho 8/10
  it.each([
    [701234, '701234'],
    ['701234', '701234'],
    [' 701234\n', '701234'],
    ['', null],
    [' ', null],
  ])('%j is %p', (clusterId, result) => {
    expect(read({ token: 'x', cluster_id: clusterId }).clusterId).toBe(result);
  });

  it('is not taken from a number that has lost digits', () => {
    const error = failure('{"token":"x","cluster_id":9007199254740993}');
    expect(error.message).toContain('must be digits as text');
  });

  // utho 8/10
  it.each(['my-cluster', '12a', '-1', '1.5'])('%s is refused, with a word on names', (clusterId) => {
    const error = failure({ token: 'x', cluster_id: clusterId });
    expect(headline(error)).toBe(`Failed to create Utho manager: cluster ID "${clusterId}" is not a number`);
    expect(error.faults).toMatchObject([{ place: 'cloud-config.cluster_id', value: clusterId }]);
    expect(error.message).toContain("the cluster's name is not its ID");
    expect(error.message).toContain('kubeconfig_mks_<id>.yaml');
  });

  it('comes from the environment where the file has none', () => {
    expect(read({ token: 'x' }, { UTHO_CLUSTER_ID: '7' }).clusterId).toBe('7');
    expect(read(VALID, { UTHO_CLUSTER_ID: '7' }).clusterId).toBe('1111');
    expect(places(failure({ token: 'x' }, { UTHO_CLUSTER_ID: 'seven' }))).toEqual(['UTHO_CLUSTER_ID']);
  });
});

describe('token', () => {
  // utho 8/2
  it.each([
    [{ token: '', cluster_id: '1111' }],
    [{ token: '' }],
    [{ token: ' \n' }],
    [{ cluster_id: '1111' }],
    [{ token: null }],
    [{}],
    [{ token: '', cluster_id: 'my-cluster' }],
  ])('is missing in %j', (config) => {
    const bare = errorOf(() => parseCloudConfig(asText(config), source({})));
    expect(headline(bare)).toBe('access token is not provided');
    const error = failure(config);
    expect(headline(error)).toBe('Failed to create Utho manager: access token is not provided');
    expect(places(error)).toContain('cloud-config.token');
  });

  // utho 8/10
  it('is trimmed, as a Secret often ends with a line break', () => {
    expect(read({ token: ' 123-456\n' }).token.reveal()).toBe('123-456');
  });

  it.each([
    [{ token: 'own' }, {}, 'own'],
    [{ token: 'own' }, { UTHO_API_KEY: 'a' }, 'own'],
    [{ token_file: '/key' }, { UTHO_API_KEY: 'a' }, 'from file'],
    [{}, { UTHO_API_KEY: ' a\n', UTHO_TOKEN: 'b' }, 'a'],
    [{}, { UTHO_API_KEY: '', UTHO_TOKEN: 'b', UTHO_API_KEY_FILE: '/key' }, 'b'],
    [{}, { UTHO_API_KEY_FILE: '/key' }, 'from file'],
  ])('of %j with %j', (config, variables: Variables, token) => {
    const { token: found } = read(config, variables, { '/key': 'from-file\n' });
    expect(found.reveal()).toBe(token.replace(' ', '-'));
  });

  it('wins over token_file, with a warning', () => {
    const { token, warnings } = read({ token: 'own', token_file: '/key' }, {}, { '/key': 'other' });
    expect(token.reveal()).toBe('own');
    expect(warnings).toEqual([expect.stringContaining('token_file is ignored')]);
  });

  it.each([
    ['cloud-config.token_file', { token_file: '/none' }, {}],
    ['UTHO_API_KEY_FILE', {}, { UTHO_API_KEY_FILE: '/none' }],
  ])('needs the file that %s names', (place, config, variables) => {
    const error = failure(config, variables);
    expect(headline(error)).toBe('Failed to create Utho manager: access token is not provided');
    expect(error.faults).toMatchObject([{ place, value: '/none', problem: 'there is no such file' }]);
  });

  it.each(['', 'two words', 'line\nbreak', 'schlüssel'])('is not in a file that holds %j', (text) => {
    const error = failure({ token_file: '/key' }, {}, { '/key': text });
    expect(places(error)).toEqual(['cloud-config.token_file']);
    if (text !== '') expect(error.message).not.toContain(text);
  });

  // utho 8/9
  it.each([
    { token: `${KEY} with spaces` },
    { token: `${KEY}\u00e9`, cluster_id: 'x' },
    { token: KEY, cluster_id: 'x', max_retries: -1, node_templates: 7 },
    { token: [KEY] },
    `token = ${KEY}`,
    `{"token": "${KEY}"`,
    `["${KEY}"]`,
    { token_file: KEY },
    { token: KEY, api_url: `https://user:${KEY}@api.utho.com/` },
    { token: KEY, api_url: `https://api.utho.com/?key=${KEY}` },
  ])('is never shown, as in %j', (config) => {
    const error = failure(config);
    expect(`${error.message} ${JSON.stringify(error.faults)} ${error.stack}`).not.toContain(KEY);
  });

  it('never shows in the configuration', () => {
    const configuration = read({ token: KEY });
    expect(`${JSON.stringify(configuration)} ${String(configuration.token)}`).not.toContain(KEY);
    const registered: string[] = [];
    configuration.token.registerWith({ register: (value) => void registered.push(value) });
    expect(registered).toEqual([KEY]);
  });
});

describe('api_url', () => {
  it.each([
    ['https://api.utho.com/v2', 'https://api.utho.com/v2/'],
    ['https://api.utho.com/v2///', 'https://api.utho.com/v2/'],
    [' http://127.0.0.1:8080/v2/\n', 'http://127.0.0.1:8080/v2/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
    ['https://API.utho.com/v2?#', 'https://api.utho.com/v2/'],
  ])('%j becomes %s', (text, url) => {
    expect(read({ ...VALID, api_url: text })).toMatchObject({ apiUrl: url, warnings: [] });
    expect(read(VALID, { UTHO_API_URL: text }).apiUrl).toBe(url);
  });

  it('may be plain http elsewhere, with a warning', () => {
    expect(read({ ...VALID, api_url: 'http://utho.example/v2' }).warnings).toEqual([
      'cloud-config.api_url: the API key goes to utho.example without encryption, use https',
    ]);
  });

  it.each([
    'ftp://api.utho.com',
    'api.utho.com',
    'https://',
    'https://u@h/',
    'https://h/?a=1',
    'https://h/#x',
    'htp://user:never-show@h',
    'https://user:never-show@',
  ])('is not %s', (text) => {
    const error = failure({ ...VALID, api_url: text });
    expect(headline(error)).toBe('Failed to create Utho manager: unable to create utho client instance');
    expect(places(error)).toEqual(['cloud-config.api_url']);
    expect(error.message).not.toContain('never-show');
  });
});

describe('faulty values', () => {
  it.each([
    ['request_timeout_ms', 999],
    ['request_timeout_ms', 300_001],
    ['request_timeout_ms', '5000'],
    ['max_retries', -1],
    ['max_retries', 11],
    ['max_retries', 1.5],
    ['verify_timeout_ms', 300_001],
    ['verify_interval_ms', 99],
    ['verify_interval_ms', 30_001],
    ['allow_scale_to_zero', 'yes'],
    ['legacy_decrease_payload', 1],
    ['reserved', []],
    ['reserved.memory', { memory: 'much' }],
    ['reserved.cpu', { cpu: '-1' }],
    ['node_templates', []],
    ['node_templates.p', { p: 4 }],
    ['node_templates.p.cpu', { p: { cpu: 0 } }],
    ['node_templates.p.memoryMb', { p: { memoryMb: '8Gi' } }],
    ['node_templates.p.diskGb', { p: { diskGb: -1 } }],
    ['node_templates.p.labels', { p: { labels: { 'bad key': 'x' } } }],
    ['node_templates.p.taints[0].effect', { p: { taints: [{ key: 'a', effect: 'Never' }] } }],
    ['node_templates.p.taints', { p: { taints: { key: 'a', effect: 'NoExecute' } } }],
    ['node_templates.p.gpu', { p: { gpu: 65 } }],
    ['node_templates.p.gpuResource', { p: { gpu: 1, gpuResource: 'no spaces!' } }],
    ['node_group_options.p.scaleDownUtilizationThreshold', { p: { scaleDownUtilizationThreshold: 2 } }],
    ['node_group_options.p.scaleDownUnneededTime', { p: { scaleDownUnneededTime: '5x' } }],
  ])('are named: %s', (path, value) => {
    const error = failure({ ...VALID, [path.split('.')[0]!]: value });
    expect(headline(error)).toBe('Failed to create Utho manager: cloud-config has faulty values');
    expect(places(error)).toEqual([`cloud-config.${path}`]);
    expect(error.faults[0]?.remedy).not.toBe('');
  });

  it.each([[1], [[]], [null], ['a']])('are taints like %j', (...taints) => {
    const error = failure({ ...VALID, node_templates: { p: { taints } } });
    expect(places(error).sort()).toEqual([
      'cloud-config.node_templates.p.taints[0].effect',
      'cloud-config.node_templates.p.taints[0].key',
    ]);
  });

  it('are told all at once, under the text of the first that the Go program finds', () => {
    const error = failure({
      cluster_id: 'x',
      api_url: 'y',
      max_retries: 99,
      node_templates: { p: { cpu: 0 } },
    });
    expect(headline(error)).toBe('Failed to create Utho manager: access token is not provided');
    expect(places(error).sort()).toEqual([
      'cloud-config.api_url',
      'cloud-config.cluster_id',
      'cloud-config.max_retries',
      'cloud-config.node_templates.p.cpu',
      'cloud-config.token',
    ]);
  });

  // utho 1.4
  it.each([
    { token: 7 },
    { ...VALID, token: {} },
    { token: 'x', cluster_id: ['7'] },
    { token: 'x', cluster_id: true },
  ])('of the wrong type end the reading: %j', (config) => {
    expect(headline(failure(config))).toBe(
      'Failed to create Utho manager: cloud-config has a value of the wrong type',
    );
  });

  it('are told from keys that nobody knows, which get a warning and a suggestion', () => {
    const { warnings } = read({
      ...VALID,
      clusterid: '5',
      Api_URL: 'https://h/v2',
      comment: 'mine',
      node_templates: { p: { memoryMB: 1, memory: 2, taints: [{ key: 'a', effect: 'NoExecute', keys: 1 }] } },
    });
    expect(warnings).toEqual([
      'cloud-config.Api_URL: the key is spelt api_url',
      expect.stringMatching(
        /^cloud-config: unknown keys clusterid \(meant: cluster_id\?\), comment are ignored; known are token, /,
      ),
      'cloud-config.node_templates.p.memoryMB: the key is spelt memoryMb',
      expect.stringContaining('unknown keys memory (meant: memoryMb?) are ignored'),
      expect.stringContaining('taints[0]: unknown keys keys (meant: key?) are ignored'),
    ]);
  });
});

describe('a cloud-config that cannot be read', () => {
  // utho 8/7
  it.each([
    ['[global]\ntoken = abc\n', true],
    ['token=abc', true],
    ['; comment\n[utho]\n', true],
    ['', false],
    ['{"token": "a",}', false],
    ['token: abc', false],
  ])('%j must be JSON', (text, isIni) => {
    const error = failure(text);
    expect(headline(error)).toMatch(/^Failed to create Utho manager: cloud-config must be JSON: \w/);
    expect(error.message.includes('INI')).toBe(isIni);
    expect(error.message).toContain('{"cluster_id": "701234", "token": "…"}');
  });

  it('says where the JSON ends to be JSON', () => {
    expect(headline(failure('{\n  "token": abc\n}'))).toMatch(/at line 2, column 12$/);
    expect(headline(failure(''))).toContain('unexpected end of JSON input');
    expect(headline(failure('[]'))).toBe('Failed to create Utho manager: cloud-config must be a JSON object');
  });

  // utho 8/6
  it.each([
    ['ENOENT', 'no such file or directory'],
    ['EACCES', 'permission denied'],
    ['EPERM', 'operation not permitted'],
    ['ENOTDIR', 'not a directory'],
    ['EMFILE', 'EMFILE'],
  ])('could not be opened: %s', (code, text) => {
    expect(headline(unreadable(code))).toBe(
      `Could not open cloud provider configuration file "${PATH}", error: open ${PATH}: ${text}`,
    );
  });

  it.each([
    ['EISDIR', 'is a directory'],
    ['EFBIG', 'file too large'],
    ['EIO', 'input/output error'],
  ])('could be opened, but not read: %s', (code, text) => {
    expect(headline(unreadable(code))).toBe(`Failed to create Utho manager: read ${PATH}: ${text}`);
  });

  // utho 8/6
  it('is told so from real files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-utho-'));
    try {
      mkdirSync(join(folder, 'directory'));
      writeFileSync(join(folder, 'good'), JSON.stringify(VALID));
      const files = new ProcessConfigurationSource({});
      const at = (name: string) => errorOf(() => readUthoConfiguration(files, join(folder, name)));
      expect(readUthoConfiguration(files, join(folder, 'good')).clusterId).toBe('1111');
      expect(headline(at('none'))).toMatch(/^Could not open .*no such file or directory$/);
      expect(headline(at('directory'))).toMatch(
        /^Failed to create Utho manager: read .*directory: is a directory$/,
      );
      expect(at('none').faults).toMatchObject([{ place: '--cloud-config', value: join(folder, 'none') }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function unreadable(code: string): ConfigurationError {
  const file = () => {
    throw new UnreadableFileError(code, { place: 'file', value: PATH, problem: 'p', remedy: 'r' });
  };
  return errorOf(() => readUthoConfiguration({ variable: () => undefined, file }, PATH));
}
