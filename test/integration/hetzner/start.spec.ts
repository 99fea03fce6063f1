import type { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { buildHarness, failureOf, startHarness } from './hetzner-harness.js';
import type { HarnessOptions } from './hetzner-harness.js';

const POOL = '0:5:cx33:fsn1:pool1';
const POOLS = [POOL, '0:5:cx33:fsn1:pool2'];

async function startFailure(options: HarnessOptions): Promise<CloudError> {
  const { provider, signal, run } = buildHarness(options);
  return (await failureOf(run(provider.start(signal)))) as CloudError;
}

describe('start-up checks of Hetzner Cloud', () => {
  it('starts a healthy configuration with read calls only, and says what each pool is', async () => {
    const { cloud, log } = await startHarness({ nodes: POOLS, variables: { HCLOUD_NETWORK: 'cluster-net' } });
    expect(cloud.calls().every((call) => call.method === 'GET')).toBe(true);
    expect(cloud.invariants()).toEqual([]);
    expect(log.of('hcloud-pool').map((line) => line.message)).toEqual([
      'pool pool1: cx33 in fsn1, 0 servers of 0 to 5',
      'pool pool2: cx33 in fsn1, 0 servers of 0 to 5',
    ]);
    expect(cloud.calls({ path: /datacenters/ })).toEqual([]);
  });

  // hetzner 7/11
  it('names everything that does not exist, all at once', async () => {
    const error = await startFailure({
      nodes: [POOL],
      pools: { pool1: { firewalls: ['no-fw'], placementGroup: 'no-group' } },
      variables: { HCLOUD_NETWORK: 'no-net', HCLOUD_FIREWALL: '999', HCLOUD_SSH_KEY: 'no-key' },
    });
    expect(error).toMatchObject({ name: 'CloudError', kind: 'configuration', code: 'start-checks' });
    for (const name of ['no-net', '999', 'no-key', 'no-fw', 'no-group'])
      expect(error.message).toContain(`"${name}"`);
  });

  // hetzner 7/17
  it('asks for a numeric reference by id first, then by name; for a name only by name', async () => {
    const variables = { HCLOUD_FIREWALL: '4799', HCLOUD_SSH_KEY: 'ops' };
    const { provider, signal, run, cloud } = buildHarness({ nodes: [POOL], variables });
    await failureOf(run(provider.start(signal)));
    const paths = cloud.calls({ path: /firewalls|ssh_keys/ }).map((call) => `${call.path}?${call.query}`);
    expect(paths.map((path) => path.replace(/&page.*/, '')).sort()).toEqual([
      '/firewalls/4799?',
      '/firewalls?name=4799',
      '/ssh_keys?name=ops',
    ]);
  });

  // hetzner 7/10
  it.each([
    ['10.20.0.0/16', /no subnet 10\.20\.0\.0\/16/],
    ['10.20.64.0/24', /is in us-east, but fsn1 is in eu-central/],
  ])('refuses the subnet %s', async (subnetIPRange, message) => {
    const error = await startFailure({
      nodes: [POOL],
      pools: { pool1: { subnetIPRange } },
      variables: { HCLOUD_NETWORK: 'cluster-net' },
    });
    expect(error.message).toMatch(message);
  });

  // hetzner 7/10
  it.each(['10.20.1.0/24', '10.20.1.5/24'])('accepts the subnet %s', async (subnetIPRange) => {
    await startHarness({
      nodes: [POOL],
      pools: { pool1: { subnetIPRange } },
      variables: { HCLOUD_NETWORK: 'cluster-net' },
    });
  });

  // hetzner 7/12
  it('adds up the maxima of pools that share a placement group, by its id', async () => {
    const pools = { pool1: { placementGroup: '990' }, pool2: { placementGroup: 'batch-spread' } };
    const error = await startFailure({ nodes: ['0:6:cx33:fsn1:pool1', POOLS[1]!], pools });
    expect(error.message).toMatch(/pools pool1, pool2.* 11, which exceeds max placement group size of 10/);
    await startHarness({ nodes: POOLS, pools });
  });

  it('warns of members of a placement group that are not ours', async () => {
    const { log } = await startHarness({ nodes: [POOL], pools: { pool1: { placementGroup: 'crowded' } } });
    expect(log.of('hcloud-limits')[0]?.message).toMatch(/crowded has 8 other members/);
  });

  // hetzner 7/13
  it('never asks for images with an empty reference', async () => {
    const { provider, signal, run, cloud, log } = buildHarness({
      nodes: ['0:5:cax11:fsn1:pool1'],
      pools: { pool1: {} },
      variables: {
        HCLOUD_CLUSTER_CONFIG: Buffer.from(
          '{"imagesForArch":{"amd64":"ubuntu-24.04"},"nodeConfigs":{"pool1":{"cloudInit":"#cloud-config"}}}',
        ).toString('base64'),
      },
    });
    await run(provider.start(signal));
    expect(log.of('hcloud-image-check')[0]?.message).toMatch(/no image is configured for architecture arm64/);
    const error = await failureOf(run(provider.increaseSize('pool1', 1, signal)));
    expect(error).toMatchObject({ kind: 'configuration', code: 'no-image' });
    expect(cloud.calls({ path: /images/ })).toEqual([]);
    expect(cloud.calls({ method: 'POST' })).toEqual([]);
  });

  it.each([
    ['role=k8s-amd', 233445502],
    ['161547269', 161547269],
    ['ubuntu-24.04', 161547269],
  ])('resolves the image %s', async (reference, id) => {
    const { provider, signal, run, cloud } = await startHarness({
      nodes: [POOL],
      pools: { pool1: { imagesForArch: { amd64: reference } } },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    const body = JSON.parse(cloud.calls({ method: 'POST' })[0]!.body) as { image: number };
    expect(body.image).toBe(id);
  });

  it.each(['role=big', '233445566', 'ubuntu-20.04', 'no-such-image'])(
    'refuses the image %s before anything is ordered',
    async (reference) => {
      const { provider, signal, run, cloud } = await startHarness({
        nodes: ['0:5:cx23:fsn1:pool1'],
        pools: { pool1: { imagesForArch: { amd64: reference } } },
      });
      const error = await failureOf(run(provider.increaseSize('pool1', 3, signal)));
      expect(error).toMatchObject({ kind: 'configuration', code: 'image-not-found' });
      expect(cloud.calls({ method: 'POST' })).toEqual([]);
    },
  );

  // U010
  it('disables a pool with a type that is not sold, and lets the others work', async () => {
    const nodes = ['0:2:gone1:fsn1:old', '0:2:cx22:fsn1:retired', '0:2:cax31:nbg1:elsewhere', POOL];
    const { provider, signal, run, log, cloud } = await startHarness({ nodes });
    expect(log.of('hcloud-pool-disabled').map((line) => line.fields?.['code'])).toEqual([
      'unknown-server-type',
      'type-withdrawn',
      'type-not-offered',
    ]);
    expect(() => provider.template('old')).toThrow(/unknown server type gone1/);
    expect(await failureOf(run(provider.increaseSize('old', 1, signal)))).toMatchObject({
      kind: 'configuration',
      code: 'unknown-server-type',
    });
    expect(cloud.calls({ method: 'POST' })).toEqual([]);
    expect(await run(provider.increaseSize('pool1', 1, signal))).toEqual({ accepted: 1, failure: null });
  });

  it('stops where no pool is left', async () => {
    const error = await startFailure({ nodes: ['0:2:gone1:fsn1:old'] });
    expect(error).toMatchObject({ kind: 'configuration', code: 'start-checks' });
  });

  it('says at once that the token is refused', async () => {
    const { provider, signal, run, cloud, clock } = buildHarness({ nodes: [POOL] });
    cloud.revokeToken();
    const startMs = clock.now();
    const error = (await failureOf(run(provider.start(signal)))) as CloudError;
    expect(error).toMatchObject({ kind: 'configuration', code: 'unauthorized' });
    expect(error.message).toMatch(/HCLOUD_TOKEN/);
    expect(error.message).not.toContain(DEFAULT_TOKEN);
    expect(clock.now()).toBe(startMs);
  });

  it('waits for an API that is away, but not for longer than a minute', async () => {
    const { provider, signal, run, dispatcher, clock, cloud, incidents } = buildHarness({ nodes: [POOL] });
    dispatcher.unmount('https://api.hetzner.cloud');
    const startMs = clock.now();
    const error = await failureOf(run(provider.start(signal)));
    expect(incidents.story).toEqual(['began hetzner-api']);
    expect(error).toMatchObject({ kind: 'transient', code: 'connect_failed' });
    expect(clock.now() - startMs).toBeLessThanOrEqual(60_000);
    expect(clock.now() - startMs).toBeGreaterThan(20_000);
    expect(cloud.calls()).toEqual([]);
  });

  it('goes on as soon as the API is back', async () => {
    const { provider, signal, run, dispatcher, clock, cloud } = buildHarness({ nodes: [POOL] });
    dispatcher.unmount('https://api.hetzner.cloud');
    const starting = provider.start(signal);
    await clock.advance(20_000);
    dispatcher.mount('https://api.hetzner.cloud', cloud.front);
    await run(starting);
    expect(provider.nodeGroups()).toHaveLength(1);
  });

  it('stops growths for a token without the right to write, and asks again after ten minutes', async () => {
    const { provider, signal, run, cloud, clock } = await startHarness({ nodes: POOLS });
    cloud.setTokenAccess('read-only');
    expect(await failureOf(run(provider.increaseSize('pool1', 1, signal)))).toMatchObject({
      kind: 'configuration',
      code: 'token_readonly',
    });
    await failureOf(run(provider.increaseSize('pool2', 1, signal)));
    expect(cloud.calls({ method: 'POST' })).toHaveLength(1);
    cloud.setTokenAccess('read-write');
    await clock.advance(10 * 60_000);
    expect(await run(provider.increaseSize('pool2', 1, signal))).toEqual({ accepted: 1, failure: null });
  });
});
