import { readHetznerConfiguration } from '../../../src/adapters/hetzner/index.js';
import { ConfigurationError } from '../../../src/application/ports/configuration.js';
import type { ConfigurationFault } from '../../../src/application/ports/configuration.js';
import { clusterConfig, source } from '../../integration/hetzner/hetzner-harness.js';

const CLOUD_INIT = "#cloud-config\nruncmd:\n  - [sh, -c, 'echo join']\n";
const CLOUD_INIT_BASE64 = 'I2Nsb3VkLWNvbmZpZwpydW5jbWQ6CiAgLSBbc2gsIC1jLCAnZWNobyBqb2luJ10K';
const NODES = ['1:10:CPX22:FSN1:pool1'];
const LEGACY = {
  HCLOUD_TOKEN: 'secret-token',
  HCLOUD_CLOUD_INIT: CLOUD_INIT_BASE64,
  HCLOUD_IMAGE: 'ubuntu-24.04',
};

function read(
  variables: Record<string, string>,
  nodes: readonly string[] = NODES,
  files: Record<string, string> = {},
) {
  return readHetznerConfiguration(source(variables, files), nodes);
}

function faults(
  variables: Record<string, string>,
  nodes: readonly string[] = NODES,
  files: Record<string, string> = {},
) {
  try {
    read(variables, nodes, files);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

/** The new format with one pool, or with what is given instead. */
function document(pool: object | null, more: object = {}): Record<string, string> {
  const config = { imagesForArch: { amd64: 'ubuntu-24.04' }, nodeConfigs: { pool1: pool }, ...more };
  return { HCLOUD_TOKEN: 'secret-token', HCLOUD_CLUSTER_CONFIG: clusterConfig(config) };
}

const places = (found: readonly ConfigurationFault[]) => found.map((fault) => fault.place);

describe('configuration of Hetzner Cloud', () => {
  // hetzner 7/1
  it('needs a token', () => {
    expect(() => read({ ...LEGACY, HCLOUD_TOKEN: '' })).toThrow(/HCLOUD_TOKEN/);
  });

  it.each(['bad token', 'tök', 'a\nb'])('refuses the token %j without showing it', (token) => {
    const [fault] = faults({ ...LEGACY, HCLOUD_TOKEN: token });
    expect(fault).toMatchObject({ place: 'HCLOUD_TOKEN', value: '(secret)' });
  });

  it('forgives one line break after the token, and never prints it', () => {
    const configuration = read({ ...LEGACY, HCLOUD_TOKEN: 'secret-token\n' });
    expect(configuration.token.reveal()).toBe('secret-token');
    expect(JSON.stringify(configuration)).not.toContain('secret-token');
    expect(JSON.stringify(configuration)).not.toContain('echo join');
    expect(configuration.token.toString()).toBe('(secret)');
  });

  // hetzner 7/2
  it('names the three sources of a cluster configuration', () => {
    const [fault] = faults({ HCLOUD_TOKEN: 't' });
    for (const name of ['HCLOUD_CLUSTER_CONFIG', 'HCLOUD_CLOUD_INIT', 'HCLOUD_CLUSTER_CONFIG_FILE']) {
      expect(`${fault?.place} ${fault?.remedy}`).toContain(name);
    }
  });

  // hetzner 7/3
  it('prefers the variable to the file and does not fall through a broken one', () => {
    const valid = document({ cloudInit: CLOUD_INIT });
    expect(read({ ...valid, HCLOUD_CLUSTER_CONFIG_FILE: '/none' }).pools).toHaveLength(1);
    const files = {
      '/config': JSON.stringify({ imagesForArch: { amd64: 'x' }, nodeConfigs: { pool1: {} } }),
    };
    const broken = { HCLOUD_TOKEN: 't', HCLOUD_CLUSTER_CONFIG: '###', HCLOUD_CLUSTER_CONFIG_FILE: '/config' };
    expect(places(faults(broken, NODES, files))).toEqual(['HCLOUD_CLUSTER_CONFIG']);
    expect(read({ ...broken, HCLOUD_CLUSTER_CONFIG: '' }, NODES, files).pools[0]?.images.amd64).toBe('x');
    expect(places(faults({ ...broken, HCLOUD_CLUSTER_CONFIG: '' }))).toEqual(['HCLOUD_CLUSTER_CONFIG_FILE']);
  });

  // hetzner 7/4
  it.each([
    [CLOUD_INIT_BASE64, true],
    [CLOUD_INIT_BASE64.replace(/(.{20})/g, '$1\n'), true],
    ['I2Nsb3VkLWNvbmZpZwo=', true],
    ['I2Nsb3VkLWNvbmZpZwo', false],
    ['I2Nsb3V-LWNvbmZpZ_o=', false],
    [` ${CLOUD_INIT_BASE64}`, false],
    [CLOUD_INIT, false],
  ])('decodes %j: %p', (encoded, decodes) => {
    const found = faults({ ...LEGACY, HCLOUD_CLOUD_INIT: encoded });
    expect(found.length === 0).toBe(decodes);
    if (decodes) return;
    expect(found[0]?.problem).toMatch(/failed to parse cloud init: .* at input byte \d+/);
    expect(found[0]?.value).toBe('(secret)');
  });

  it('reads the legacy format', () => {
    const configuration = read({
      ...LEGACY,
      HCLOUD_NETWORK: 'cluster-net',
      HCLOUD_FIREWALL: '4711',
      HCLOUD_SSH_KEY: 'ops',
    });
    expect(configuration).toMatchObject({
      network: 'cluster-net',
      firewall: '4711',
      sshKey: 'ops',
      warnings: [],
    });
    expect(configuration.pools[0]?.userData.reveal()).toBe(CLOUD_INIT);
    expect(configuration.pools[0]?.images).toEqual({ amd64: 'ubuntu-24.04', arm64: 'ubuntu-24.04' });
  });

  it('keeps the old default image, with a warning', () => {
    const rest = { ...LEGACY, HCLOUD_IMAGE: '' };
    expect(read(rest)).toMatchObject({ pools: [{ images: { amd64: 'ubuntu-20.04' } }] });
    expect(read(rest).warnings[0]).toMatch(/ubuntu-20\.04 is past its removal date/);
  });

  // hetzner 7/5
  it('accepts the spellings of a boolean that Go accepts, and no other', () => {
    for (const [spellings, value] of [
      ['1 t T TRUE true True', true],
      ['0 f F FALSE false False', false],
    ] as const) {
      for (const spelling of spellings.split(' ')) {
        expect(read({ ...LEGACY, HCLOUD_PUBLIC_IPV4: spelling }).publicIpv4).toBe(value);
      }
    }
    expect(read(LEGACY).publicIpv4).toBe(true);
    expect(faults({ ...LEGACY, HCLOUD_PUBLIC_IPV4: 'yes' })[0]).toMatchObject({
      place: 'HCLOUD_PUBLIC_IPV4',
      value: 'yes',
      problem: 'failed to parse HCLOUD_PUBLIC_IPV4',
    });
  });

  // hetzner 7/6
  it.each([
    [undefined, 5],
    ['0', 5],
    ['12', 12],
  ])('takes a creation timeout of %p as %p minutes', (text, minutes) => {
    const variables = text === undefined ? LEGACY : { ...LEGACY, HCLOUD_SERVER_CREATION_TIMEOUT: text };
    expect(read(variables).creationTimeoutMs).toBe(minutes * 60_000);
  });

  // hetzner 7/6
  it.each(['abc', '-3', '1.5'])('refuses a creation timeout of %p', (text) => {
    const found = faults({ ...LEGACY, HCLOUD_SERVER_CREATION_TIMEOUT: text });
    expect(places(found)).toEqual(['HCLOUD_SERVER_CREATION_TIMEOUT']);
  });

  // hetzner 7/7
  it('reads --nodes in flag order, lower-casing type and location', () => {
    const { pools } = read(LEGACY, ['1:10:CPX22:FSN1:pool1', '0:3:cx33:nbg1:a']);
    expect(pools).toMatchObject([
      { id: 'pool1', minSize: 1, maxSize: 10, serverType: 'cpx22', location: 'fsn1' },
      { id: 'a', minSize: 0, maxSize: 3, serverType: 'cx33', location: 'nbg1' },
    ]);
  });

  // hetzner 7/7
  it('says what a spec should look like', () => {
    expect(faults(LEGACY, ['1:10:cpx22:fsn1'])[0]).toMatchObject({
      place: '--nodes[0]',
      problem:
        'expected format `<min-servers>:<max-servers>:<machine-type>:<region>:<name>` got 1:10:cpx22:fsn1',
    });
  });

  // hetzner 7/8, U089
  it.each([
    ['a', true],
    ['pool-1', true],
    ['prod.pool', true],
    ['a'.repeat(46), true],
    ['-a', false],
    ['a-', false],
    ['', false],
    ['a b', false],
    ['a:b', false],
    ['pöl', false],
    ['pool_1', false],
    ['Pool1', false],
    ['a'.repeat(47), false],
  ])('pool name %j is usable: %p', (name, usable) => {
    expect(faults(LEGACY, [`0:1:cx33:fsn1:${name}`]).length === 0).toBe(usable);
  });

  it('takes upper case where it is allowed', () => {
    const variables = { ...LEGACY, HCLOUD_ALLOW_UPPERCASE_POOL: 'true' };
    expect(read(variables, ['0:1:cx33:fsn1:Pool1']).pools[0]?.id).toBe('Pool1');
  });

  // hetzner 7/8
  it('refuses a pool name that is used twice', () => {
    const found = faults(LEGACY, ['0:1:cx33:fsn1:a', '0:1:cx33:nbg1:a']);
    expect(found).toMatchObject([{ place: '--nodes[1]', value: 'a' }]);
  });

  it.each([
    '2:1:cx33:fsn1:a',
    '0:0:cx33:fsn1:a',
    '-1:1:cx33:fsn1:a',
    '+1:2:cx33:fsn1:a',
    'x:2:cx33:fsn1:a',
    '0:1::fsn1:a',
  ])('refuses the spec %s', (spec) => {
    expect(places(faults(LEGACY, [spec]))).toEqual(['--nodes[0]']);
  });

  // hetzner 7/9
  it('refuses documents without a usable entry for the pool, and names it', () => {
    const encoded = (text: string) => ({
      HCLOUD_TOKEN: 't',
      HCLOUD_CLUSTER_CONFIG: Buffer.from(text).toString('base64'),
    });
    expect(faults(encoded('{"nodeConfigs":{}}'))[0]?.problem).toMatch(/no node configs present/);
    expect(places(faults(encoded('{"nodeConfigs":{"other":{}},"imagesForArch":{"amd64":"x"}}')))).toEqual([
      'HCLOUD_CLUSTER_CONFIG.nodeConfigs.pool1',
    ]);
    expect(faults(encoded('null'))[0]?.problem).toMatch(/no JSON object/);
    expect(faults(encoded('{"nodeConfigs":{"pool1":null}}'))[0]?.problem).toMatch(/must be a JSON object/);
    expect(faults(encoded('{\n  "nodeConfigs": {,}\n}'))[0]?.problem).toMatch(/at line 2, column 19/);
    expect(faults(encoded(' '))[0]?.problem).toMatch(/unexpected end of JSON input/);
    expect(faults(encoded('{"a":1,"a":2}'))[0]?.problem).toMatch(/duplicate key "a"/);
  });

  it('names unknown keys, and takes a known key in another case, both with a warning', () => {
    const { pools, warnings } = read(document({ CloudInit: CLOUD_INIT, 'taints:': [] }));
    expect(pools[0]?.userData.reveal()).toBe(CLOUD_INIT);
    expect(warnings).toEqual([
      'HCLOUD_CLUSTER_CONFIG.nodeConfigs.pool1.CloudInit: the key is spelt cloudInit',
      expect.stringMatching(
        /nodeConfigs\.pool1: unknown keys taints: \(meant: taints\?\) are ignored; known are cloudInit, /,
      ),
    ]);
  });

  it('reads everything that a pool can say', () => {
    const [pool] = read({
      ...document(
        {
          cloudInit: CLOUD_INIT,
          labels: { team: 'web' },
          serverLabels: { 'cost-center': 'a17' },
          taints: [{ key: 'batch', value: 'true', effect: 'NoSchedule' }],
          placementGroup: 'spread',
          subnetIPRange: '10.20.2.5/24',
          firewalls: ['extra', '4712'],
          imagesForArch: { arm64: 'role=arm' },
          autoscalingOptions: { scaleDownUnneededTime: '15m', scaleDownUtilizationThreshold: 0.6 },
        },
        { defaultSubnetIPRange: '10.20.1.0/24' },
      ),
      HCLOUD_NETWORK: 'net',
    }).pools;
    expect(pool).toMatchObject({
      labels: new Map([['team', 'web']]),
      serverLabels: new Map([['cost-center', 'a17']]),
      taints: [{ key: 'batch', value: 'true', effect: 'NoSchedule' }],
      placementGroup: 'spread',
      subnetIpRange: '10.20.2.0/24',
      firewalls: ['extra', '4712'],
      images: { amd64: 'ubuntu-24.04', arm64: 'role=arm' },
      options: { scaleDownUnneededTimeMs: 900_000, scaleDownUtilizationThreshold: 0.6 },
    });
  });

  // hetzner 7/13
  it('falls back from pool to global image to HCLOUD_IMAGE', () => {
    const image = (pool: object, more: object, fallback = '') =>
      read({ ...document(pool, more), HCLOUD_IMAGE: fallback }).pools[0]?.images.amd64;
    expect(image({ imagesForArch: null }, {})).toBe('ubuntu-24.04');
    expect(image({}, {})).toBe('ubuntu-24.04');
    expect(image({ imagesForArch: { amd64: 'own' } }, {})).toBe('own');
    expect(image({ imagesForArch: { amd64: '' } }, {})).toBe('ubuntu-24.04');
    expect(image({}, { imagesForArch: null }, 'x')).toBe('x');
    expect(faults(document({}, { imagesForArch: null }))[0]?.place).toBe(
      'HCLOUD_CLUSTER_CONFIG.nodeConfigs.pool1.imagesForArch',
    );
  });

  it.each([
    [{ subnetIPRange: '10.0.0.0/33' }, 'subnetIPRange'],
    [{ subnetIPRange: '10.0/8' }, 'subnetIPRange'],
    [{ labels: { 'kubernetes.io/hostname': 'x' } }, 'labels'],
    [{ labels: { 'hcloud/node-group': 'x' } }, 'labels'],
    [{ labels: { 'bad key': 'x' } }, 'labels'],
    [{ labels: { a: 'not valid!' } }, 'labels'],
    [{ labels: ['a'] }, 'labels'],
    [{ serverLabels: { 'hetzner.cloud/x': 'y' } }, 'serverLabels'],
    [{ taints: [{ key: 'a', effect: 'Never' }] }, 'taints[0].effect'],
    [{ taints: [{ key: '', effect: 'NoExecute' }] }, 'taints[0].key'],
    [{ firewalls: [1] }, 'firewalls'],
    [{ cloudInit: 7 }, 'cloudInit'],
    [
      { autoscalingOptions: { scaleDownUtilizationThreshold: 2 } },
      'autoscalingOptions.scaleDownUtilizationThreshold',
    ],
    [{ autoscalingOptions: [{ scaleDownUtilizationThreshold: 2 }] }, 'autoscalingOptions'],
    [{ imagesForArch: [] }, 'imagesForArch'],
    [{ taints: [7] }, 'taints[0].key'],
    [{ autoscalingOptions: { zeroOrMaxNodeScaling: true } }, 'autoscalingOptions.zeroOrMaxNodeScaling'],
    [{ autoscalingOptions: { maxNodeProvisionTime: '5x' } }, 'autoscalingOptions.maxNodeProvisionTime'],
  ])('refuses %j', (pool, place) => {
    const found = faults({ ...document(pool), HCLOUD_NETWORK: 'net' });
    expect(places(found)).toContain(`HCLOUD_CLUSTER_CONFIG.nodeConfigs.pool1.${place}`);
  });

  it('needs a network for a subnet, and some way to reach a server', () => {
    expect(faults(document({ subnetIPRange: '10.0.0.0/24' }))[0]?.problem).toMatch(
      /HCLOUD_NETWORK is not set/,
    );
    const closed = { ...LEGACY, HCLOUD_PUBLIC_IPV4: 'false', HCLOUD_PUBLIC_IPV6: 'false' };
    expect(places(faults(closed))).toEqual(['HCLOUD_PUBLIC_IPV4']);
    expect(read({ ...closed, HCLOUD_NETWORK: 'net' }).publicIpv4).toBe(false);
  });

  // U042
  it('counts the bytes of the boot script', () => {
    const script = `#${'ä'.repeat(20_000)}`;
    expect(faults(document({ cloudInit: script }))[0]).toMatchObject({
      value: '(secret)',
      problem: 'pool pool1: user_data has 40001 bytes, more than the 32768 of the API',
    });
  });

  it('notices a boot script that is encoded twice', () => {
    expect(read(document({ cloudInit: CLOUD_INIT_BASE64 })).warnings[0]).toMatch(
      /looks base64-encoded twice/,
    );
  });

  it('knows its own variables with their defaults and bounds', () => {
    expect(read(LEGACY)).toMatchObject({
      endpoint: 'https://api.hetzner.cloud/v1',
      clusterName: null,
      apiTimeoutMs: 30_000,
      serversTtlMs: 60_000,
      pollIntervalMs: 1_000,
      maxParallelCreates: 10,
      rateLimitReserve: 300,
      asyncScaleUp: true,
      zoneLabelEnabled: true,
      memoryOverhead: { kind: 'auto' },
    });
    const elsewhere = read({ ...LEGACY, HCLOUD_ENDPOINT: 'http://h.example/v1\n' });
    expect(elsewhere.endpoint).toBe('http://h.example/v1');
    expect(elsewhere.warnings).toContainEqual(
      expect.stringMatching(/^HCLOUD_ENDPOINT: .* without encryption/),
    );
    for (const HCLOUD_ENDPOINT of ['https://user:word@h/v1', 'https://h/v1?key=word', 'htp://user:word@h']) {
      const found = faults({ ...LEGACY, HCLOUD_ENDPOINT });
      expect(places(found)).toEqual(['HCLOUD_ENDPOINT']);
      expect(JSON.stringify(found)).not.toContain('word');
    }
    expect(read({ ...LEGACY, HCLOUD_ENDPOINT: 'http://127.0.0.1:8080/v1//' }).endpoint).toBe(
      'http://127.0.0.1:8080/v1',
    );
    expect(read({ ...LEGACY, HCLOUD_MEMORY_OVERHEAD: '5%' }).memoryOverhead).toEqual({
      kind: 'share',
      share: 0.05,
    });
    const wrong = {
      HCLOUD_ENDPOINT: 'ftp://x',
      HCLOUD_POLL_INTERVAL_MS: '6000',
      HCLOUD_API_TIMEOUT_SECONDS: '0',
      HCLOUD_MEMORY_OVERHEAD: 'much',
      HCLOUD_CLUSTER_NAME: 'no spaces!',
      HCLOUD_ASYNC_SCALE_UP: 'perhaps',
    };
    expect(places(faults({ ...LEGACY, ...wrong })).sort()).toEqual(Object.keys(wrong).sort());
  });

  it('tells all faults at once', () => {
    const found = faults({ HCLOUD_CLOUD_INIT: '#', HCLOUD_PUBLIC_IPV6: 'maybe' }, ['x', '0:1:cx33:fsn1:a_b']);
    expect(places(found)).toEqual([
      'HCLOUD_TOKEN',
      'HCLOUD_PUBLIC_IPV6',
      '--nodes[0]',
      '--nodes[1]',
      'HCLOUD_CLOUD_INIT',
    ]);
  });
});
