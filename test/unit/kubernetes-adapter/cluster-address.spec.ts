import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKubeConfig } from '../../../src/adapters/kubernetes/connection/cluster-address.js';
import { ConfigurationError } from '../../../src/application/ports/configuration.js';

const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'one',
  clusters: [
    { name: 'c1', cluster: { server: 'https://10.0.0.1:6443', 'proxy-url': 'http://proxy:3128' } },
    { name: 'c2', cluster: { server: 'https://10.0.0.2:6443' } },
  ],
  users: [{ name: 'u1', user: { token: 'T1' } }],
  contexts: [
    { name: 'one', context: { cluster: 'c1', user: 'u1' } },
    { name: 'two', context: { cluster: 'c2', user: 'u1' } },
  ],
});

describe('loadKubeConfig', () => {
  let root = '';
  let path = '';
  const environment = { ...process.env };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
    path = join(root, 'config');
    writeFileSync(path, KUBECONFIG);
    mkdirSync(join(root, 'var/run/secrets/kubernetes.io/serviceaccount'), { recursive: true });
    writeFileSync(join(root, 'var/run/secrets/kubernetes.io/serviceaccount/token'), 'pod-token');
    writeFileSync(join(root, 'var/run/secrets/kubernetes.io/serviceaccount/ca.crt'), 'CA');
    process.env['KUBERNETES_SERVICE_HOST'] = '10.96.0.1';
    process.env['KUBERNETES_SERVICE_PORT'] = '443';
  });

  afterEach(() => {
    process.env = { ...environment };
    rmSync(root, { recursive: true });
  });

  test('a kubeconfig gives its current context', () => {
    const config = loadKubeConfig({ kind: 'kubeconfig', path });
    expect(config.getCurrentCluster()).toMatchObject({
      server: 'https://10.0.0.1:6443',
      proxyUrl: 'http://proxy:3128',
    });
    expect(config.getCurrentUser()?.token).toBe('T1');
  });

  test.each<[string, string, string | undefined]>([
    // interface 1.7
    ['', 'https://10.96.0.1:443', undefined],
    ['https://api:6443', 'https://api:6443', undefined],
    ['https://api:6443/?inClusterConfig=true', 'https://api:6443', undefined],
    ['http://127.0.0.1:8001?inClusterConfig=false', 'http://127.0.0.1:8001', undefined],
    ['?inClusterConfig=false&auth=KUBECONFIG', 'https://10.0.0.1:6443', 'T1'],
    ['https://api:6443?inClusterConfig=false&auth=KUBECONFIG', 'https://api:6443', 'T1'],
  ])('--kubernetes=%s is %s', (url, server, token) => {
    const config = loadKubeConfig({ kind: 'url', url: url.replace('KUBECONFIG', path) }, root);
    expect(config.getCurrentCluster()?.server).toBe(server);
    expect(config.getCurrentUser()?.token).toBe(token);
  });

  test('useServiceAccount reads the mounted token', () => {
    const url = 'https://api:6443?inClusterConfig=false&useServiceAccount=true';
    const { config } = loadKubeConfig({ kind: 'url', url }, root).getCurrentUser()?.authProvider;
    expect(config.tokenFile).toBe(join(root, 'var/run/secrets/kubernetes.io/serviceaccount/token'));
  });

  test.each<[string, Parameters<typeof loadKubeConfig>[0]]>([
    // interface 1.7: no host is fatal
    ['no host', { kind: 'url', url: '?inClusterConfig=false' }],
    ['no bool', { kind: 'url', url: 'https://api?inClusterConfig=maybe' }],
    ['no URL', { kind: 'url', url: 'api:6443/path' }],
    ['no file', { kind: 'kubeconfig', path: '/does/not/exist' }],
  ])('refuses %s', (_what, address) => {
    expect(() => loadKubeConfig(address, root)).toThrow(ConfigurationError);
  });

  test('outside a cluster says so', () => {
    delete process.env['KUBERNETES_SERVICE_HOST'];
    expect(() => loadKubeConfig({ kind: 'in-cluster' })).toThrow(/does not run in a pod/);
  });

  test('a broken kubeconfig is never quoted', () => {
    writeFileSync(path, 'users: [{name: u, user: {token: hunter2');
    expect.assertions(2);
    try {
      loadKubeConfig({ kind: 'kubeconfig', path });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).not.toContain('hunter2');
    }
  });
});
