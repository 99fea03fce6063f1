import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { budget, call, podManifest, readyNode, send, stage, workload } from './support.js';

const PODS = '/api/v1/namespaces/default/pods';

describe('create', () => {
  it('fills in what the server owns, and defaults the pod', async () => {
    const { cluster } = stage();
    const manifest = podManifest('p1', { cpu: '1' });
    const { status, body } = await call(cluster, 'POST', PODS, { ...manifest, status: { phase: 'Running' } });
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({
      name: 'p1',
      namespace: 'default',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    });
    expect(body.metadata.uid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(1);
    expect(body.metadata.managedFields).toBeUndefined();
    expect(body.spec).toMatchObject({
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      priority: 0,
    });
    expect(body.spec.tolerations.map((t: any) => t.key)).toEqual([
      'node.kubernetes.io/not-ready',
      'node.kubernetes.io/unreachable',
    ]);
    expect(body.status).toEqual({ phase: 'Pending', qosClass: 'Burstable' });
  });

  it('makes a name from generateName', async () => {
    const { cluster } = stage();
    const manifest = podManifest('x');
    const { body } = await call(cluster, 'POST', PODS, { ...manifest, metadata: { generateName: 'web-' } });
    expect(body.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('takes limits as requests where there are none', () => {
    const { cluster } = stage();
    const containers = [
      { name: 'c', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } },
    ];
    cluster.create(podManifest('p1', { spec: { containers } }));
    expect(cluster.pod('p1')!.spec.containers[0]!.resources!.requests).toEqual({
      cpu: '500m',
      memory: '1Gi',
    });
  });

  it('takes the priority from the class', () => {
    const { cluster } = stage();
    cluster.create({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'low' },
      value: -20,
    });
    cluster.create(podManifest('p1', { spec: { priorityClassName: 'low' } }));
    cluster.create(podManifest('p2', { spec: { priorityClassName: 'system-node-critical' } }));
    expect([cluster.pod('p1')!.spec.priority, cluster.pod('p2')!.spec.priority]).toEqual([
      -20, 2_000_001_000,
    ]);
  });

  const unknownPath = 'the server could not find the requested resource';
  const noName = 'Pod "" is invalid: metadata.name: Required value: name or generateName is required';
  const notAllowed = 'the server does not allow this method on the requested resource';
  const quantity = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  it.each([
    ['a name in use', `POST ${PODS}`, podManifest('old'), '409 AlreadyExists: pods "old" already exists'],
    [
      'an unknown namespace',
      'POST /api/v1/namespaces/no/pods',
      podManifest('p'),
      '404 NotFound: namespaces "no" not found',
    ],
    ['no name', `POST ${PODS}`, { spec: { containers: [{ name: 'c' }] } }, `422 Invalid: ${noName}`],
    [
      'no containers',
      `POST ${PODS}`,
      { metadata: { name: 'p' } },
      '422 Invalid: Pod "p" is invalid: spec.containers: Required value',
    ],
    [
      'another kind',
      `POST ${PODS}`,
      readyNode('n'),
      '400 BadRequest: Node in version "v1" cannot be handled as a Pod',
    ],
    [
      'amounts that are none',
      `POST ${PODS}`,
      podManifest('p', { cpu: 'abc' }),
      `400 BadRequest: quantities must match the regular expression ${quantity}`,
    ],
    ['an unknown resource', 'GET /apis/example.org/v1/things', undefined, `404 NotFound: ${unknownPath}`],
    [
      'an unknown object',
      'GET /apis/apps/v1/namespaces/default/deployments/d',
      undefined,
      '404 NotFound: deployments.apps "d" not found',
    ],
    [
      'a write across namespaces',
      'POST /api/v1/pods',
      podManifest('p'),
      `405 MethodNotAllowed: ${notAllowed}`,
    ],
  ])('refuses %s with a Status', async (_name, request, body, expected) => {
    const { cluster } = stage();
    cluster.create(podManifest('old'));
    const [method, url] = request.split(' ');
    const { status, body: answer } = await call(cluster, method!, url!, body);
    expect(`${status} ${answer.reason}: ${answer.message}`).toBe(expected);
    expect(answer).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status });
  });

  it('answers 500 to what no check foresaw, and lives on', async () => {
    const { cluster } = stage();
    const odd = podManifest('p', { spec: { containers: [null] } });
    expect((await call(cluster, 'POST', PODS, odd)).status).toBe(500);
    expect((await call(cluster, 'GET', PODS)).body.items).toEqual([]);
  });

  it('stores nothing in a dry run', async () => {
    const { cluster } = stage();
    const { status, body } = await call(cluster, 'POST', `${PODS}?dryRun=All`, podManifest('p1'));
    expect([status, body.metadata.name, cluster.pods().length]).toEqual([201, 'p1', 0]);
  });
});

describe('update', () => {
  it('refuses an old resource version', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1'));
    const { body: node } = await call(cluster, 'GET', '/api/v1/nodes/n1');
    const first = await call(cluster, 'PUT', '/api/v1/nodes/n1', { ...node, spec: { unschedulable: true } });
    const second = await call(cluster, 'PUT', '/api/v1/nodes/n1', { ...node, spec: {} });
    expect([first.status, second.status]).toEqual([200, 409]);
    expect(second.body).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on nodes "n1": the object has been modified; please apply your changes to ' +
        'the latest version and try again',
      details: { name: 'n1', kind: 'nodes' },
    });
    expect(cluster.node('n1')!.spec!.unschedulable).toBe(true);
  });

  it('draws no new version when nothing changes', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1'));
    const { body: node } = await call(cluster, 'GET', '/api/v1/nodes/n1');
    const { body: after } = await call(cluster, 'PUT', '/api/v1/nodes/n1', node);
    expect(after.metadata.resourceVersion).toBe(node.metadata.resourceVersion);
  });

  it('keeps status and spec apart, and counts generations of the spec', async () => {
    const { cluster } = stage();
    cluster.create(workload('Deployment', 'd', { replicas: 1 }));
    const url = '/apis/apps/v1/namespaces/default/deployments/d';
    const { body: before } = await call(cluster, 'GET', url);
    const main = await call(cluster, 'PUT', url, {
      ...before,
      spec: { ...before.spec, replicas: 2 },
      status: { replicas: 9 },
    });
    expect(main.body.metadata.generation).toBe(2);
    expect(main.body.status).toBeUndefined();
    const wish = { ...main.body, spec: { ...before.spec, replicas: 7 }, status: { replicas: 3 } };
    const status = await call(cluster, 'PUT', `${url}/status`, wish);
    expect(status.body).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 2 },
      status: { replicas: 3 },
    });
  });

  it('demands the version where the kind demands it', async () => {
    const { cluster } = stage();
    cluster.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: {},
    });
    const url = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    const { status, body } = await call(cluster, 'PUT', url, {
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me' },
    });
    expect([status, body.reason]).toEqual([422, 'Invalid']);
  });

  it('lets a pod keep its node for good', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p1'));
    const { body: pod } = await call(cluster, 'GET', `${PODS}/p1`);
    const { status } = await call(cluster, 'PUT', `${PODS}/p1`, {
      ...pod,
      spec: { ...pod.spec, nodeName: 'n1' },
    });
    expect(status).toBe(422);
  });
});

describe('patch', () => {
  const json = 'application/json-patch+json';
  const merge = 'application/merge-patch+json';
  const strategic = 'application/strategic-merge-patch+json';
  const taint = (key: string): object => ({ key, effect: 'NoSchedule' });

  it.each([
    [
      'json patch adds to a list',
      json,
      [{ op: 'add', path: '/spec/taints/-', value: taint('b') }],
      [taint('a'), taint('b')],
    ],
    ['merge patch replaces lists', merge, { spec: { taints: [taint('b')] } }, [taint('b')]],
    [
      'strategic merge patch replaces taints, which have no merge key',
      strategic,
      { spec: { taints: [taint('b')] } },
      [taint('b')],
    ],
    ['null removes the field', merge, { spec: { taints: null } }, undefined],
  ])('%s', async (_name, type, patch, expected) => {
    const { cluster } = stage();
    cluster.create(readyNode('n1', { spec: { taints: [taint('a')] } }));
    const { status, body } = await call(cluster, 'PATCH', '/api/v1/nodes/n1', patch, type);
    expect(status).toBe(200);
    expect(body.spec.taints).toEqual(expected);
  });

  it('merges conditions, containers and finalizers by their keys', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1'));
    const conditions = [{ type: 'Suspended', status: 'True' }];
    const node = await call(
      cluster,
      'PATCH',
      '/api/v1/nodes/n1/status',
      { status: { conditions } },
      strategic,
    );
    expect(node.body.status.conditions.map((c: any) => c.type)).toEqual(['Ready', 'Suspended']);
    cluster.create(podManifest('p1'));
    const patch = {
      metadata: { finalizers: ['example.org/a'] },
      spec: { containers: [{ name: 'main', image: 'app:2' }] },
    };
    const pod = await call(cluster, 'PATCH', `${PODS}/p1`, patch, strategic);
    expect(pod.body.spec.containers).toMatchObject([
      { name: 'main', image: 'app:2', resources: { requests: { cpu: '100m' } } },
    ]);
    const more = {
      metadata: { finalizers: ['example.org/b'], '$deleteFromPrimitiveList/finalizers': ['example.org/a'] },
    };
    const after = await call(cluster, 'PATCH', `${PODS}/p1`, more, strategic);
    expect(after.body.metadata.finalizers).toEqual(['example.org/b']);
  });

  it('deletes list items by directive', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1'));
    const conditions = [{ type: 'Ready', $patch: 'delete' }];
    const { body } = await call(
      cluster,
      'PATCH',
      '/api/v1/nodes/n1/status',
      { status: { conditions } },
      strategic,
    );
    expect(body.status.conditions).toEqual([]);
  });

  it('refuses a failed test, an old version and an unknown type', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1'));
    const test = [{ op: 'test', path: '/metadata/resourceVersion', value: '0' }];
    const old = { metadata: { resourceVersion: '1' }, spec: { unschedulable: true } };
    const answers = [
      await call(cluster, 'PATCH', '/api/v1/nodes/n1', test, json),
      await call(cluster, 'PATCH', '/api/v1/nodes/n1', old, merge),
      await call(cluster, 'PATCH', '/api/v1/nodes/n1', {}, 'application/apply-patch+yaml'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 409, 415]);
  });
});

describe('delete', () => {
  it('gives a bound pod its grace, and never a longer one', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p1'));
    cluster.bind('p1', 'n1');
    const first = await call(cluster, 'DELETE', `${PODS}/p1`);
    expect(first.body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    });
    const longer = await call(cluster, 'DELETE', `${PODS}/p1`, { gracePeriodSeconds: 60 });
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = await call(cluster, 'DELETE', `${PODS}/p1?gracePeriodSeconds=5`);
    expect(shorter.body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:05Z',
      deletionGracePeriodSeconds: 5,
    });
    await call(cluster, 'DELETE', `${PODS}/p1`, { gracePeriodSeconds: 0 });
    expect(cluster.pod('p1')).toBeUndefined();
  });

  it('removes a pod without a node at once', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p1'));
    await call(cluster, 'DELETE', `${PODS}/p1`);
    expect(cluster.pods()).toEqual([]);
  });

  it('checks preconditions', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p1'));
    const { status, body } = await call(cluster, 'DELETE', `${PODS}/p1`, { preconditions: { uid: 'other' } });
    expect([status, body.reason]).toEqual([409, 'Conflict']);
    expect(cluster.pod('p1')).toBeDefined();
  });

  it('waits for finalizers', async () => {
    const { cluster } = stage();
    cluster.create({ ...readyNode('n1'), metadata: { name: 'n1', finalizers: ['example.org/hold'] } });
    await call(cluster, 'DELETE', '/api/v1/nodes/n1');
    expect(cluster.node('n1')!.metadata.deletionTimestamp).toBeDefined();
    await call(
      cluster,
      'PATCH',
      '/api/v1/nodes/n1',
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
    expect(cluster.node('n1')).toBeUndefined();
  });

  it('deletes a selection of a collection', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('a', { labels: { app: 'x' } }));
    cluster.create(podManifest('b', { labels: { app: 'y' } }));
    await call(cluster, 'DELETE', `${PODS}?labelSelector=app%3Dx`);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['b']);
  });
});

describe('subresources', () => {
  it('binds a pod once', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p1'));
    const binding = { target: { kind: 'Node', name: 'n1' } };
    const first = await call(cluster, 'POST', `${PODS}/p1/binding`, binding);
    const second = await call(cluster, 'POST', `${PODS}/p1/binding`, { target: { name: 'n2' } });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(cluster.pod('p1')!.spec.nodeName).toBe('n1');
    expect(cluster.pod('p1')!.status!.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
  });

  it('scales', async () => {
    const { cluster } = stage();
    cluster.create(workload('Deployment', 'd', { replicas: 1 }));
    const url = '/apis/apps/v1/namespaces/default/deployments/d/scale';
    const { body: scale } = await call(cluster, 'GET', url);
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { selector: 'app=d' } });
    await call(cluster, 'PATCH', url, { spec: { replicas: 4 } }, 'application/merge-patch+json');
    expect(cluster.list(kinds.DEPLOYMENTS)[0]!.spec.replicas).toBe(4);
  });
});

describe('access', () => {
  it('accepts only known tokens', async () => {
    const { cluster } = stage();
    cluster.faults.acceptedTokens = new Set(['T1']);
    const answers = await Promise.all(
      ['Bearer T0', 'Bearer T1'].map((authorization) =>
        send(cluster, 'GET', PODS, { headers: { authorization } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('forbids with the text of RBAC', async () => {
    const { cluster } = stage();
    cluster.faults.forbids = ({ verb, resource }) =>
      verb === 'list' && resource === 'resourceslices.resource.k8s.io';
    const { status, body } = await call(cluster, 'GET', '/apis/resource.k8s.io/v1/resourceslices');
    expect([status, body.reason]).toEqual([403, 'Forbidden']);
    expect(body.message).toContain(
      'cannot list resource "resourceslices" in API group "resource.k8s.io" at the cluster scope',
    );
  });

  it('answers nothing while it is down, and remembers the attempts', async () => {
    const { cluster } = stage();
    cluster.faults.down = true;
    const response = await send(cluster, 'GET', PODS);
    cluster.faults.down = false;
    expect(response.cut).toBe(true);
    expect(cluster.requests.list().map(({ path, status }) => [path, status])).toEqual([[PODS, 0]]);
  });
});

describe('discovery', () => {
  it('lists what the Go autoscaler watches', async () => {
    const { cluster } = stage();
    const core = await call(cluster, 'GET', '/api/v1');
    expect(core.body.resources.map((resource: any) => resource.name)).toEqual(
      expect.arrayContaining([
        'pods',
        'pods/eviction',
        'nodes',
        'replicationcontrollers',
        'persistentvolumes',
      ]),
    );
    const groups = await call(cluster, 'GET', '/apis');
    expect(groups.body.groups.map((group: any) => group.name)).toEqual(
      expect.arrayContaining([
        'apps',
        'batch',
        'policy',
        'storage.k8s.io',
        'resource.k8s.io',
        'autoscaling.x-k8s.io',
      ]),
    );
    const health = await send(cluster, 'GET', '/readyz');
    expect(health.body).toBe('ok');
  });

  it('prints tables', async () => {
    const { cluster } = stage();
    cluster.create(readyNode('n1', { spec: { unschedulable: true } }));
    cluster.create(budget('b', 'x', { maxUnavailable: 1 }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const response = await send(cluster, 'GET', '/api/v1/nodes', { headers: { accept } });
    const table = JSON.parse(response.body as string);
    expect(table.columnDefinitions.slice(0, 4).map((c: any) => c.name)).toEqual([
      'Name',
      'Status',
      'Roles',
      'Age',
    ]);
    expect(table.rows[0].cells.slice(0, 4)).toEqual(['n1', 'Ready,SchedulingDisabled', '<none>', '0s']);
  });
});
