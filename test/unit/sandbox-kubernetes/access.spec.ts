import { serviceAccountToken } from '../../../src/sandbox/kubernetes/index.js';
import type { KubernetesCluster, Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { call, send, stage } from './support.js';

const RBAC = 'rbac.authorization.k8s.io/v1';

function role(kind: 'Role' | 'ClusterRole', name: string, ...rules: object[]): Manifest {
  return {
    apiVersion: RBAC,
    kind,
    metadata: { name, ...(kind === 'Role' && { namespace: 'kube-system' }) },
    rules,
  };
}

function binding(kind: 'RoleBinding' | 'ClusterRoleBinding', roleKind: string, roleName: string): Manifest {
  return {
    apiVersion: RBAC,
    kind,
    metadata: { name: 'b', ...(kind === 'RoleBinding' && { namespace: 'kube-system' }) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'kube-system' }],
  };
}

const authorization = `Bearer ${serviceAccountToken('kube-system', 'robot')}`;

async function status(cluster: KubernetesCluster, method: string, path: string): Promise<number> {
  return (await send(cluster, method, path, { headers: { authorization } })).status;
}

const MAPS = '/api/v1/namespaces/kube-system/configmaps';

describe('access by roles', () => {
  it('is free for an account that no binding names', async () => {
    const { cluster } = stage();
    cluster.apply(role('ClusterRole', 'r', { verbs: ['get'], apiGroups: [''], resources: ['nodes'] }));
    expect(await status(cluster, 'GET', '/api/v1/secrets')).toBe(200);
  });

  it('is what the rules allow once one does', async () => {
    const { cluster } = stage();
    cluster.apply(
      role(
        'ClusterRole',
        'r',
        { verbs: ['list', 'watch'], apiGroups: [''], resources: ['nodes'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
        { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
      ),
      binding('ClusterRoleBinding', 'ClusterRole', 'r'),
    );
    expect(await status(cluster, 'GET', '/api/v1/nodes')).toBe(200);
    expect(await status(cluster, 'GET', '/api/v1/nodes/n1')).toBe(403);
    expect(await status(cluster, 'DELETE', '/api/v1/nodes/n1')).toBe(403);
    expect(await status(cluster, 'GET', '/apis/apps/v1/deployments')).toBe(200);
    expect(await status(cluster, 'GET', '/api/v1/pods')).toBe(403);
    expect(await status(cluster, 'PUT', '/api/v1/namespaces/default/replicationcontrollers/x/scale')).toBe(
      400,
    );
    // Others are not meant.
    expect((await call(cluster, 'GET', '/api/v1/pods')).status).toBe(200);
  });

  it('keeps a role to its namespace, and to the objects that it names', async () => {
    const { cluster } = stage();
    const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'] };
    cluster.apply(
      role('Role', 'r', { ...rule, verbs: ['get', 'watch'] }),
      binding('RoleBinding', 'Role', 'r'),
      { kind: 'ConfigMap', metadata: { name: 'mine', namespace: 'kube-system' } },
    );
    expect(await status(cluster, 'GET', `${MAPS}/mine`)).toBe(200);
    expect(await status(cluster, 'GET', `${MAPS}/other`)).toBe(403);
    expect(await status(cluster, 'GET', MAPS)).toBe(403);
    expect(await status(cluster, 'GET', `${MAPS}?watch=true&fieldSelector=metadata.name%3Dmine`)).toBe(200);
    expect(await status(cluster, 'GET', '/api/v1/namespaces/default/configmaps/mine')).toBe(403);
  });
});
