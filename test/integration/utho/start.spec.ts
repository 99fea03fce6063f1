import { buildNode } from '../../support/builders.js';
import { DEFAULT_CLUSTER, DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { buildHarness, failureOf, startHarness } from './utho-harness.js';
import type { Harness, HarnessOptions } from './utho-harness.js';

const PREFIX = 'Failed to create Utho manager: ';
const labelled = (name: string, clusterId: string) => buildNode(name, { labels: { cluster_id: clusterId } });
const withoutId = (nodes: HarnessOptions['nodes'] = []): HarnessOptions => ({
  nodes,
  config: { cluster_id: undefined },
  pools: [{ id: 'pool-a' }],
});
const start = (harness: Harness) => harness.run(harness.provider.start(harness.signal));

describe('start of the Utho provider', () => {
  // utho 8/4
  it('detects the cluster from the first node that names one', async () => {
    const nodes = [buildNode('a'), labelled('b', DEFAULT_CLUSTER), labelled('c', '')];
    const harness = buildHarness(withoutId(nodes));
    await start(harness);
    await harness.refresh();
    expect(harness.cloud.calls().map(({ path }) => path)).toEqual(Array(2).fill('/kubernetes/701234'));
    expect(harness.log.of('utho-cluster-id')).toMatchObject([
      { level: 'info', fields: { clusterId: '701234', nodeName: 'b' } },
    ]);
    expect(harness.provider.nodeGroups()).toHaveLength(1);
  });

  // utho 8/3
  it.each([
    ['no nodes found in cluster', []],
    ['label "cluster_id" not found on any node', [buildNode('a'), labelled('b', '')]],
  ])('fails after a warning when %s', async (cause, nodes) => {
    const harness = buildHarness(withoutId(nodes));
    expect(await failureOf(start(harness))).toMatchObject({
      name: 'CloudError',
      kind: 'configuration',
      message: `${PREFIX}cluster ID is not provided and couldn't be retrieved from nodes`,
    });
    expect(harness.log.of('utho-cluster-id').map(({ level, message }) => `${level}: ${message}`)).toEqual([
      `warn: failed to get cluster ID from nodes: ${cause}`,
    ]);
    expect(harness.cloud.calls()).toEqual([]);
  });

  // utho 8/3
  it('fails after a warning when nodes can not be listed', async () => {
    const harness = buildHarness(withoutId());
    harness.nodes.isStale = true;
    await failureOf(start(harness));
    expect(harness.log.of('utho-cluster-id')[0]?.message).toContain('failed to list nodes: ');
  });

  it.each([
    [
      'two clusters',
      withoutId([labelled('a', '701234'), labelled('b', '42')]),
      'carry two cluster IDs, 701234 on a and 42 on b',
    ],
    ['no number', withoutId([labelled('a', 'mine')]), 'cluster ID "mine" is not a number'],
    ['another cluster than configured', { nodes: [labelled('a', '42')] }, 'carries the label cluster_id=42'],
  ])('refuses nodes that name %s', async (_, options, words) => {
    const error = await failureOf(start(buildHarness(options)));
    expect(error).toMatchObject({ name: 'CloudError', kind: 'configuration' });
    expect((error as Error).message).toContain(words);
    expect((error as Error).message.startsWith(PREFIX)).toBe(true);
  });

  it('only warns of a wrong key', async () => {
    const harness = buildHarness({ pools: [{ id: 'pool-a' }], config: { token: 'wrong-key' } });
    await start(harness);
    const [warning] = harness.log.of('utho-probe');
    expect(warning?.message).toContain('Unauthorized access. Please provide a valid API key.');
    expect(harness.log.text()).not.toContain('wrong-key');
    expect(await failureOf(harness.refresh())).toMatchObject({ kind: 'configuration' });
  });

  it('names the clusters of the account when the configured one is unknown', async () => {
    const harness = buildHarness({ config: { cluster_id: '42' } });
    await start(harness);
    expect(harness.log.of('utho-probe')[0]?.message).toContain(
      'clusters of this account: 701234 (cluster-701234)',
    );
  });

  it('gives up when the program ends', async () => {
    const harness = buildHarness();
    const stop = new AbortController();
    harness.cloud.faults.add({ action: { kind: 'drop' } });
    const starting = harness.provider.start(stop.signal);
    stop.abort();
    expect(await failureOf(harness.run(starting))).toMatchObject({ name: 'CloudError', kind: 'transient' });
  });

  it('refuses to refresh before it was started', async () => {
    expect(await failureOf(buildHarness().refresh())).toMatchObject({ code: 'not-started' });
  });

  // utho 8/8
  it('shows all autoscaled pools: there is no filter', async () => {
    const { provider } = await startHarness({ pools: [{ id: 'pool-a' }, { id: 'pool-b' }] });
    expect(provider.nodeGroups()).toHaveLength(2);
  });

  it('keeps the key out of everything that it says', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-a', workers: 2 }] });
    harness.cloud.answerNext('POST', /./, { status: 200, body: { status: 'error', message: DEFAULT_TOKEN } });
    const error = await failureOf(harness.grow('pool-a', 1));
    expect(`${JSON.stringify(error)} ${(error as Error).message} ${harness.log.text()}`).not.toContain(
      DEFAULT_TOKEN,
    );
  });
});
