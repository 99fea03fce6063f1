import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { parseAllDocuments } from 'yaml';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { HetznerSandbox } from '../../../src/sandbox/hetzner-sandbox.js';
import type { ServedFronts } from '../../../src/sandbox/cloud-sandbox.js';
import { kinds, serviceAccountToken } from '../../../src/sandbox/kubernetes/index.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { AcceleratedClock } from '../../../src/sandbox/world/index.js';
import { wireMessage, wireObject } from '../../support/protobuf.js';

/** The requests of the Go Cluster Autoscaler, byte for byte where it matters, over loopback. */

const ACCEPT = 'application/vnd.kubernetes.protobuf, application/json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Every list and watch that its informers open (`interface` 8.1), the optional ones too. */
const INFORMERS = [
  ...['nodes', 'pods', 'namespaces', 'services', 'replicationcontrollers'].map((name) => `/api/v1/${name}`),
  ...['persistentvolumeclaims', 'persistentvolumes', 'podtemplates', 'configmaps'].map(
    (name) => `/api/v1/${name}`,
  ),
  ...['daemonsets', 'replicasets', 'statefulsets', 'deployments'].map((name) => `/apis/apps/v1/${name}`),
  ...['jobs', 'cronjobs'].map((name) => `/apis/batch/v1/${name}`),
  '/apis/policy/v1/poddisruptionbudgets',
  ...['storageclasses', 'csinodes', 'csidrivers', 'csistoragecapacities', 'volumeattachments'].map(
    (name) => `/apis/storage.k8s.io/v1/${name}`,
  ),
  ...['resourceclaims', 'resourceslices', 'deviceclasses'].map((name) => `/apis/resource.k8s.io/v1/${name}`),
  '/apis/autoscaling.x-k8s.io/v1/provisioningrequests',
  ...['capacitybuffers', 'capacityquotas'].map((name) => `/apis/autoscaling.x-k8s.io/v1beta1/${name}`),
  '/api/v1/namespaces/kube-system/configmaps',
];

describe('the Go autoscaler', () => {
  const clock = new AcceleratedClock(20);
  let world: HetznerSandbox;
  let served: ServedFronts;

  beforeAll(async () => {
    const nodeProfile = (): object => ({ joinAfterMs: 0, readyAfterMs: 0 });
    world = new HetznerSandbox({ clock, seed: 1, nodeProfile });
    world.cloud.seedServer({ name: 'worker-1', type: 'cx33' });
    world.start();
    served = await world.serve();
    const isReady = (): boolean => world.cluster.node('worker-1')?.spec?.taints?.length === 0;
    while (!isReady()) await clock.sleep(200);
  });

  afterAll(async () => {
    await served.close();
    world.stop();
  });

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: any; type: string }> {
    const isBytes = Buffer.isBuffer(body);
    const response = await request(served.kubernetesUrl + path, {
      method,
      headers: { accept: ACCEPT, 'content-type': isBytes ? PROTOBUF : 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    });
    const type = String(response.headers['content-type']);
    return { status: response.statusCode, body: await response.body.json(), type };
  }

  /** Events of a watch until one of them is wanted. */
  async function watchUntil(path: string, isLast: (event: any) => boolean): Promise<any[]> {
    const { statusCode, body } = await request(served.kubernetesUrl + path, { headers: { accept: ACCEPT } });
    expect(statusCode).toBe(200);
    const events: any[] = [];
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop()!;
      events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
      if (events.some(isLast)) break;
    }
    return events;
  }

  describe.each(INFORMERS)('its informer on %s', (path) => {
    it('gets its list in JSON, from the cache and page by page', async () => {
      const { status, body, type } = await send('GET', `${path}?limit=500&resourceVersion=0`);
      expect([status, type]).toEqual([200, 'application/json']);
      expect(body.kind).toMatch(/List$/);
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(0);
      expect(Array.isArray(body.items)).toBe(true);
    });

    it('may take the list from the watch', async () => {
      const query =
        'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=400&watch=true';
      const isEnd = (event: any): boolean =>
        event.object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
      const events = await watchUntil(`${path}?${query}`, isEnd);
      const { body } = await send('GET', path);
      const types = events.map((event) => event.type);
      expect(types).toEqual([...body.items.map(() => 'ADDED'), 'BOOKMARK']);
    });
  });

  it('watches all of them from where their lists end, and is told when nothing happens', async () => {
    const watchFromList = async (path: string): Promise<void> => {
      const { body } = await send('GET', `${path}?limit=500&resourceVersion=0`);
      const from = body.metadata.resourceVersion as string;
      const query = `allowWatchBookmarks=true&resourceVersion=${from}&timeout=8m&timeoutSeconds=480&watch=true`;
      // About a minute of the world.
      const events = await watchUntil(`${path}?${query}`, (event) => event.type === 'BOOKMARK');
      expect(Number(events.at(-1).object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(from));
    };
    await Promise.all(INFORMERS.map(watchFromList));
  }, 15_000);

  it('finds no group that is long gone, as on a real cluster', async () => {
    for (const name of ['replicasets', 'daemonsets', 'jobs']) {
      expect((await send('GET', `/apis/extensions/v1beta1/${name}`)).status).toBe(404);
    }
  });

  it('takes, keeps and loses its lease', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    expect((await send('GET', `${path}/cluster-autoscaler`)).status).toBe(404);
    const time = wireMessage([1, 1_796_000_000], [2, 250_000_000]);
    const spec = wireMessage([1, 'pod-a'], [2, 15], [3, time], [4, time], [5, 0]);
    const metadata = wireMessage([1, 'cluster-autoscaler'], [2, ''], [3, 'kube-system'], [8, '']);
    const created = await send('POST', path, lease(metadata, spec));
    expect(created.status).toBe(201);
    expect(created.body.spec).toEqual({
      holderIdentity: 'pod-a',
      leaseDurationSeconds: 15,
      acquireTime: new Date(1_796_000_000_250).toISOString().replace('Z', '000Z'),
      renewTime: new Date(1_796_000_000_250).toISOString().replace('Z', '000Z'),
      leaseTransitions: 0,
    });
    const { resourceVersion, uid } = created.body.metadata;
    const known = wireMessage([1, 'cluster-autoscaler'], [3, 'kube-system'], [5, uid], [6, resourceVersion]);
    expect((await send('PUT', `${path}/cluster-autoscaler`, lease(known, spec))).status).toBe(200);
    const other = wireMessage([1, 'pod-b'], [2, 15], [5, 1]);
    expect((await send('PUT', `${path}/cluster-autoscaler`, lease(known, other))).status).toBe(200);
    // Somebody was faster.
    expect((await send('PUT', `${path}/cluster-autoscaler`, lease(known, spec))).status).toBe(409);
  });

  function lease(metadata: Buffer, spec: Buffer): Buffer {
    return wireObject('coordination.k8s.io/v1', 'Lease', wireMessage([1, metadata], [2, spec]));
  }

  it('taints a node with a full update, once for each version of it', async () => {
    const path = '/api/v1/nodes/worker-1';
    const { body: node } = await send('GET', path);
    const { resourceVersion, uid, labels } = node.metadata;
    const metadata = wireMessage(
      [1, 'worker-1'],
      [5, uid],
      [6, resourceVersion],
      ...Object.entries(labels as Record<string, string>).map(
        ([key, value]) => [11, wireMessage([1, key], [2, value])] as const,
      ),
    );
    const taint = wireMessage([1, 'ToBeDeletedByClusterAutoscaler'], [2, '1796000000'], [3, 'NoSchedule']);
    const spec = wireMessage([3, node.spec.providerID], [4, 1], [5, taint]);
    const bytes = wireObject('v1', 'Node', wireMessage([1, metadata], [2, spec], [3, '']));
    const updated = await send('PUT', path, bytes);
    expect([updated.status, updated.body.spec]).toMatchObject([
      200,
      {
        unschedulable: true,
        providerID: node.spec.providerID,
        taints: [{ key: 'ToBeDeletedByClusterAutoscaler', value: '1796000000', effect: 'NoSchedule' }],
      },
    ]);
    expect(updated.body.metadata.labels).toEqual(labels);
    // The status is not the spec's business.
    expect(updated.body.status.allocatable).toEqual(node.status.allocatable);
    expect((await send('PUT', path, bytes)).status).toBe(409);
    await restore(path);
  });

  /** The node's kubelet may get in between. */
  async function restore(path: string): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const { body: now } = await send('GET', path);
      const spec = { ...now.spec, unschedulable: false, taints: [] };
      if ((await send('PUT', path, { ...now, spec })).status === 200) return;
    }
    throw new Error(`${path} was not restored`);
  }

  it('evicts within the budget', async () => {
    world.cluster.apply(
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'guarded' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      },
      ...['guarded', 'free'].map((name) => ({
        kind: 'Pod',
        metadata: { name, labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'b' }] },
      })),
    );
    while (world.cluster.pods('default').some(({ status }) => status?.phase !== 'Running'))
      await clock.sleep(500);
    await clock.sleep(1_000);
    const evict = (name: string): ReturnType<typeof send> => {
      const options = wireMessage([1, 30]);
      const metadata = wireMessage([1, name], [3, 'default']);
      const body = wireObject('policy/v1', 'Eviction', wireMessage([1, metadata], [2, options]));
      return send('POST', `/api/v1/namespaces/default/pods/${name}/eviction`, body);
    };
    expect((await evict('free')).status).toBe(201);
    expect(await evict('guarded')).toMatchObject({
      status: 429,
      body: { reason: 'TooManyRequests', details: { causes: [{ reason: 'DisruptionBudget' }] } },
    });
    expect(world.cluster.pod('guarded')!.metadata.deletionTimestamp).toBeUndefined();
  });

  it('writes an event, and counts its repeat', async () => {
    const path = '/api/v1/namespaces/default/events';
    const object = wireMessage([1, 'Pod'], [2, 'default'], [3, 'web-1'], [4, 'uid-1'], [5, 'v1']);
    const now = wireMessage([1, 1_796_000_000]);
    const body = wireObject(
      'v1',
      'Event',
      wireMessage(
        [1, wireMessage([1, 'web-1.18ecedf424f9b2a4'], [3, 'default'], [8, ''])],
        [2, object],
        [3, 'TriggeredScaleUp'],
        [4, 'pod triggered scale-up: [{pool1 1->2 (max: 10)}]'],
        [5, wireMessage([1, 'cluster-autoscaler'])],
        [6, now],
        [7, now],
        [8, 1],
        [9, 'Normal'],
        [10, ''],
        [14, 'cluster-autoscaler'],
        [15, ''],
      ),
    );
    const created = await send('POST', path, body);
    expect([created.status, created.body]).toMatchObject([201, { reason: 'TriggeredScaleUp', count: 1 }]);
    const patched = await send(
      'PATCH',
      `${path}/web-1.18ecedf424f9b2a4`,
      { count: 2, lastTimestamp: '2026-11-30T00:00:10Z' },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
    expect([patched.status, patched.body.count]).toEqual([200, 2]);
  });

  it('writes, updates and deletes its status', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps';
    const map = (text: string, version: string): Buffer => {
      const annotation = wireMessage([1, 'cluster-autoscaler.kubernetes.io/last-updated'], [2, 'now']);
      const metadata = wireMessage([1, 'cluster-autoscaler-status'], [6, version], [12, annotation]);
      return wireObject(
        'v1',
        'ConfigMap',
        wireMessage([1, metadata], [2, wireMessage([1, 'status'], [2, text])]),
      );
    };
    expect((await send('GET', `${path}/cluster-autoscaler-status`)).status).toBe(404);
    const { status, body } = await send('POST', path, map('a', ''));
    expect(status).toBe(201);
    const name = `${path}/cluster-autoscaler-status`;
    const updated = await send('PUT', name, map('b', body.metadata.resourceVersion as string));
    expect([updated.status, updated.body.data]).toEqual([200, { status: 'b' }]);
    const options = wireObject('v1', 'DeleteOptions', Buffer.alloc(0));
    expect((await send('DELETE', name, options)).status).toBe(200);
    expect(world.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system')).toBeUndefined();
  });

  it('is kept to its published rules once they are applied', async () => {
    const rules = readFileSync(join(__dirname, '../../../deploy/hetzner/rbac.yaml'), 'utf8');
    world.cluster.apply(...parseAllDocuments(rules).map((document) => document.toJS() as Manifest));
    const authorization = `Bearer ${serviceAccountToken('kube-system', 'cluster-autoscaler')}`;
    const as = (method: 'GET' | 'DELETE', path: string): ReturnType<typeof send> =>
      send(method, path, undefined, { authorization });
    expect((await as('GET', '/api/v1/nodes')).status).toBe(200);
    expect((await as('GET', '/apis/policy/v1/poddisruptionbudgets')).status).toBe(200);
    expect(await as('DELETE', '/api/v1/nodes/worker-1')).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'nodes "worker-1" is forbidden: User "system:serviceaccount:kube-system:cluster-autoscaler" cannot ' +
          'delete resource "nodes" in API group "" at the cluster scope',
      },
    });
    expect((await as('GET', '/api/v1/namespaces/default/secrets')).status).toBe(403);
    // The administrator is nobody's subject.
    expect((await send('GET', '/api/v1/namespaces/default/secrets')).status).toBe(200);
  });

  // hetzner 2.11
  it('finds its cloud: all that its Hetzner client calls, in order', async () => {
    const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> => {
      const response = await request(served.cloudUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${DEFAULT_TOKEN}`,
          'user-agent': 'hcloud-go/1.59.1',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([path, response.statusCode < 300]).toEqual([path, true]);
      const text = await response.body.text();
      return text === '' ? {} : JSON.parse(text);
    };
    expect((await call('GET', '/ssh_keys?name=ops')).ssh_keys).toHaveLength(1);
    expect((await call('GET', '/networks?name=cluster-net')).networks).toHaveLength(1);
    expect((await call('GET', '/firewalls/4711')).firewall.name).toBe('cluster-fw');
    expect((await call('GET', '/servers?page=1&per_page=50')).meta.pagination.page).toBe(1);
    expect((await call('GET', '/placement_groups?page=1&per_page=50')).placement_groups.length).toBe(2);
    expect((await call('GET', '/server_types?page=1&per_page=50')).server_types.length).toBeGreaterThan(3);
    const images = await call('GET', '/images?architecture=x86&include_deprecated=true&name=ubuntu-24.04');
    const bySelector =
      '/images?architecture=x86&label_selector=role%3Dk8s-amd&page=1&per_page=50&sort=created:desc&status=available&type=snapshot';
    expect((await call('GET', bySelector)).images.map(({ id }: any) => id)).toEqual([233445502, 233445501]);
    const created = await call('POST', '/servers', {
      name: 'pool1-1a2b',
      server_type: 'cx33',
      location: 'fsn1',
      image: images.images[0].id,
      user_data: '#cloud-config',
      labels: { 'hcloud/node-group': 'pool1' },
      start_after_create: true,
      public_net: { enable_ipv4: true, enable_ipv6: true },
    });
    const ids = [created.action, ...created.next_actions].map(({ id }: any) => `id=${id}`).join('&');
    let actions: any[];
    do {
      await clock.sleep(1_000);
      actions = (await call('GET', `/actions?${ids}`)).actions;
    } while (actions.some(({ status }) => status === 'running'));
    expect(actions.map(({ status }) => status)).toEqual(actions.map(() => 'success'));
    expect((await call('GET', '/servers?page=1&per_page=50')).servers.map(({ name }: any) => name)).toContain(
      'pool1-1a2b',
    );
    while (world.cluster.node('pool1-1a2b') === undefined) await clock.sleep(500);
    await call('DELETE', `/servers/${created.server.id}`);
    while (world.cloud.servers().length > 1) await clock.sleep(500);
  }, 20_000);
});
