import { request } from 'undici';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { UthoSandbox } from '../../../src/sandbox/utho-sandbox.js';
import type { UthoSandboxOptions } from '../../../src/sandbox/utho-sandbox.js';
import { VirtualClock } from '../../../src/sandbox/world/index.js';

/** Nodes beside the platform (`utho` 5.3). */

const ORIGINS = { kubernetes: 'http://kubernetes.test', cloud: 'https://api.utho.com' };
const QUICK = { joinAfterMs: 1_000, readyAfterMs: 500 };

function world(options: Partial<UthoSandboxOptions> = {}): UthoSandbox & { clock: VirtualClock } {
  const clock = new VirtualClock();
  const sandbox = new UthoSandbox({ clock, seed: 1, nodeProfile: () => QUICK, ...options });
  sandbox.cloud.seedCluster({ label: 'MyK8S' });
  sandbox.cloud.seedPool({
    id: 'pool-A',
    count: 1,
    workers: [{ cloudId: '11', hostname: 'pool-A-Worker' }],
  });
  sandbox.start();
  return Object.assign(sandbox, { clock });
}

describe('a worker that runs', () => {
  it('becomes a node with the labels of the platform', async () => {
    const { cluster, clock } = world();
    await clock.advance(10_000);
    const { metadata, spec, status } = cluster.node('pool-a-worker')!;
    expect(metadata.labels).toEqual({
      ...{ node_id: '11', nodepool_id: 'pool-A', cluster_id: '701234' },
      ...{ cluster_dcslug: 'inmumbaizone2', cluster_vpc: 'vpc-1' },
      ...{
        'kubernetes.io/hostname': 'pool-a-worker',
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
      },
      ...{ 'beta.kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': 'amd64' },
      ...{ 'node.kubernetes.io/instance-type': '10355', 'beta.kubernetes.io/instance-type': '10355' },
      'topology.kubernetes.io/region': 'inmumbaizone2',
      'failure-domain.beta.kubernetes.io/region': 'inmumbaizone2',
    });
    expect(spec?.providerID).toBe('utho://11');
    expect(spec?.taints ?? []).toEqual([]);
    expect(status?.capacity).toMatchObject({ cpu: '4', memory: `${8_192 * 1_024}Ki`, pods: '110' });
  });

  it('gets its provider id from the cloud controller, after a while', async () => {
    const { cluster, clock } = world({ kubernetes: { initializeMs: 30_000 } });
    await clock.advance(30_000);
    expect(cluster.node('pool-a-worker')!.spec?.providerID).toBeUndefined();
    await clock.advance(2_000);
    expect(cluster.node('pool-a-worker')!.spec?.providerID).toBe('utho://11');
  });

  it('never gets one where no cloud controller runs', async () => {
    const { cluster, clock } = world({ cloudController: false });
    await clock.advance(600_000);
    const { metadata, spec, status } = cluster.node('pool-a-worker')!;
    expect(spec?.providerID).toBeUndefined();
    expect(spec?.taints ?? []).toEqual([]);
    expect(metadata.labels).toMatchObject({ node_id: '11' });
    expect(metadata.labels).not.toHaveProperty('node.kubernetes.io/instance-type');
    expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });

  it('is a node as long as it lives', async () => {
    const { cluster, cloud, clock } = world({ kubernetes: { silenceGraceMs: 1_000 } });
    await clock.advance(10_000);
    cloud.resizePool('pool-A', 2);
    // It runs after 50 ms, and its kubelet joins a second later.
    await clock.advance(1_049);
    expect(cluster.nodes()).toHaveLength(2);
    await clock.advance(1);
    expect(cluster.nodes()).toHaveLength(3);
    cloud.destroyWorker('11');
    await clock.advance(20_000);
    expect(cluster.node('pool-a-worker')).toBeUndefined();
    expect(cluster.nodes()).toHaveLength(3);
  });

  it('stays when only its node is deleted', async () => {
    // utho 4.10: kubectl delete node
    const { cluster, cloud, clock } = world();
    await clock.advance(10_000);
    cluster.delete(kinds.NODES, 'pool-a-worker');
    await clock.advance(600_000);
    expect(cluster.node('pool-a-worker')).toBeUndefined();
    expect(cloud.worker('11')?.state).toBe('active');
  });
});

it('nodes go with the world that is reset, also those of a cluster that is off', async () => {
  const { cluster, cloud, clock } = world({ kubernetes: { silenceGraceMs: 1_000 } });
  await clock.advance(10_000);
  cloud.stopCluster();
  await clock.advance(10_000);
  expect(cluster.nodes()).toHaveLength(2);
  cloud.reset();
  await clock.advance(60_000);
  expect(cluster.nodes()).toEqual([]);
});

it('a pool whose name has no letter of a host name has nodes with valid names', async () => {
  const { cluster, cloud, clock } = world();
  cloud.seedPool({ id: '_ж_' });
  await clock.advance(10_000);
  expect(cloud.workers('_ж_')[0]!.hostname).toMatch(/^worker-[0-9a-f]{6}$/);
  expect(cluster.nodes()).toHaveLength(3);
});

it('the control plane is a node of its own, in no pool', async () => {
  const { cluster, cloud, clock } = world();
  await clock.advance(10_000);
  const { metadata, spec } = cluster.node('myk8s-master')!;
  const { cloudId } = cloud.cluster().master;
  expect(metadata.labels).toMatchObject({
    ...{ node_id: cloudId, cluster_id: '701234', 'node-role.kubernetes.io/control-plane': '' },
    'node.kubernetes.io/instance-type': '10045',
  });
  expect(metadata.labels).not.toHaveProperty('nodepool_id');
  expect(spec).toMatchObject({
    providerID: `utho://${cloudId}`,
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
  });
});

it('workers of other clusters are no nodes here', async () => {
  const { cluster, cloud, clock } = world();
  cloud.seedCluster({ id: '5', label: 'other' });
  cloud.seedPool({ id: 'pool-b' }, '5');
  await clock.advance(600_000);
  expect(
    cluster
      .nodes()
      .map(({ metadata }) => metadata.name)
      .sort(),
  ).toEqual(['myk8s-master', 'pool-a-worker']);
});

it('is read and resized without sockets', async () => {
  const sandbox = world();
  const dispatcher = sandbox.dispatcher(ORIGINS);
  const headers = { authorization: `Bearer ${DEFAULT_TOKEN}` };
  await request(`${ORIGINS.cloud}/v2/kubernetes/701234/nodepool/pool-A/update`, {
    ...{ dispatcher, headers, method: 'POST' },
    body: '{"count":"2"}',
  });
  await sandbox.clock.advance(10_000);
  const answer = await request(`${ORIGINS.kubernetes}/api/v1/nodes`, { dispatcher });
  expect(((await answer.body.json()) as any).items).toHaveLength(3);
});

it('is served on the loopback interface, with both admin interfaces', async () => {
  const sandbox = world();
  const served = await sandbox.serve();
  try {
    expect(served.cloudUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
    const admin = await request(new URL('/_fake/state', served.cloudUrl));
    expect(((await admin.body.json()) as any).clusters).toHaveLength(1);
    const state = await request(`${served.kubernetesUrl}/_sandbox/state`);
    expect(state.statusCode).toBe(200);
    await state.body.dump();
    const headers = { authorization: `Bearer ${DEFAULT_TOKEN}` };
    const answer = await request(`${served.cloudUrl}/kubernetes/701234`, { headers });
    expect(((await answer.body.json()) as any).rcode).toBe('success');
  } finally {
    await served.close();
    sandbox.stop();
  }
});
