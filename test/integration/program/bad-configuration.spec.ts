import { runCommand } from '../../../src/infrastructure/run-command.js';
import { parseFlags } from '../../../src/infrastructure/command-line/index.js';
import { SeededRandom } from '../../../src/sandbox/world/index.js';
import { ENVIRONMENT, FLAGS, createWorld } from './program.js';
import type { World } from './program.js';

const NODES = '--nodes=0:4:cx33:fsn1:pool';

interface Mistake {
  readonly flags?: readonly string[];
  /** Undefined takes the variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the error must name: place, value, remedy. */
  readonly names: readonly string[];
}

async function start(world: World, { flags = [], environment = {} }: Mistake) {
  const parsed = parseFlags([...FLAGS, NODES, '--address=127.0.0.1:0', ...flags]);
  if (parsed.kind !== 'flags') throw new Error('not a flag error of this test');
  return runCommand(
    parsed.flags,
    {
      clock: world.clock,
      random: new SeededRandom(1),
      environment: { ...ENVIRONMENT, ...environment },
      hostName: 'evenkeel-0',
      kubernetesDispatcher: world.dispatcher,
      cloudDispatcher: world.dispatcher,
      logDestination: { write: () => undefined },
    },
    AbortSignal.timeout(1_000),
  );
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'no token': { environment: { HCLOUD_TOKEN: undefined }, names: ['HCLOUD_TOKEN', 'not set'] },
  'a token that no header can carry': { environment: { HCLOUD_TOKEN: 'a\u0007b' }, names: ['HCLOUD_TOKEN'] },
  'none of the three configurations': {
    environment: { HCLOUD_CLOUD_INIT: undefined },
    names: ['HCLOUD_CLUSTER_CONFIG', 'HCLOUD_CLOUD_INIT', 'HCLOUD_CLUSTER_CONFIG_FILE'],
  },
  'cloud-init that is no base64': {
    environment: { HCLOUD_CLOUD_INIT: '#cloud' },
    names: ['HCLOUD_CLOUD_INIT'],
  },
  'cluster configuration that is no JSON': {
    environment: { HCLOUD_CLUSTER_CONFIG: Buffer.from('{').toString('base64') },
    names: ['HCLOUD_CLUSTER_CONFIG'],
  },
  'a label of a wrong type deep in the cluster configuration': {
    environment: {
      HCLOUD_CLUSTER_CONFIG: base64({ nodeConfigs: { pool: { cloudInit: '#', labels: { tier: 3 } } } }),
    },
    names: ['nodeConfigs.pool.labels'],
  },
  'a pool without its part of the configuration': {
    environment: { HCLOUD_CLUSTER_CONFIG: base64({ nodeConfigs: { other: { cloudInit: '#' } } }) },
    names: ['pool', 'nodeConfigs'],
  },
  'a configuration file that is not there': {
    environment: { HCLOUD_CLOUD_INIT: '', HCLOUD_CLUSTER_CONFIG_FILE: '/nowhere/config.json' },
    names: ['/nowhere/config.json', 'no such file'],
  },
  'a boolean that is none': {
    environment: { HCLOUD_PUBLIC_IPV4: 'yes' },
    names: ['HCLOUD_PUBLIC_IPV4', 'yes'],
  },
  'an endpoint that is no URL': {
    environment: { HCLOUD_ENDPOINT: 'ftp://x' },
    names: ['HCLOUD_ENDPOINT', 'ftp://x'],
  },
  'a node spec of four parts': { flags: ['--nodes=1:2:cx33:fsn1'], names: ['--nodes', '1:2:cx33:fsn1'] },
  'a minimum above the maximum': { flags: ['--nodes=5:2:cx33:fsn1:b'], names: ['--nodes', '5'] },
  'an unknown expander': { flags: ['--expander=cheapest'], names: ['--expander', 'cheapest'] },
  'an unknown provider': { flags: ['--cloud-provider=gce'], names: ['--cloud-provider', 'gce', 'hetzner'] },
  'a provider without its file': {
    flags: ['--cloud-provider=utho', '--cloud-config=/nowhere/utho.json'],
    names: ['--cloud-config', '/nowhere/utho.json', 'no such file'],
  },
  'a kubeconfig that is not there': { flags: ['--kubeconfig=/nowhere'], names: ['--kubeconfig', '/nowhere'] },
  'limits the wrong way round': { flags: ['--cores-total=5:2'], names: ['--cores-total', '5:2'] },
};

describe('bad configuration', () => {
  // interface 9/4, 9/15
  it.each(Object.entries(MISTAKES))(
    '%s: one error with place and value, exit code 255, no request',
    async (_, mistake) => {
      const world = createWorld();
      const { exitCode, problem } = await start(world, mistake);
      expect(exitCode).toBe(255);
      for (const name of mistake.names) expect(problem).toContain(name);
      expect(problem).not.toContain(ENVIRONMENT['HCLOUD_TOKEN']);
      expect(world.sandbox.cloud.calls()).toEqual([]);
      expect(world.sandbox.cluster.requests.list()).toEqual([]);
    },
  );

  it('of several kinds is reported at once', async () => {
    const { problem } = await start(createWorld(), {
      flags: ['--nodes=1:2:cx33:fsn1'],
      environment: { HCLOUD_TOKEN: undefined, HCLOUD_PUBLIC_IPV6: 'maybe' },
      names: [],
    });
    expect(problem!.split('\n')).toHaveLength(3);
  });
});
