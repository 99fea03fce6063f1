import { KubeConfig } from '@kubernetes/client-node';
import type { Cluster, User } from '@kubernetes/client-node';
import { ConfigurationError } from '../../../application/ports/configuration.js';

/** Where the API server is and how to be let in, as the flags say; `--kubeconfig` beats `--kubernetes`. */
export type ClusterAddress =
  | { readonly kind: 'kubeconfig'; readonly path: string }
  /** Value of `--kubernetes`: a URL with query options (`interface` 1.7). */
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'in-cluster' };

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const NOBODY: User = { name: 'nobody' };

/**
 * Reads the address afresh, with one cluster and one user in it.
 * @param rootPath put before the paths of the service account; for tests
 * @throws ConfigurationError
 */
export function loadKubeConfig(address: ClusterAddress, rootPath = ''): KubeConfig {
  switch (address.kind) {
    case 'kubeconfig':
      return only(fromFile(address.path, '--kubeconfig'), '--kubeconfig');
    case 'url':
      return only(fromUrl(address.url, rootPath), '--kubernetes');
    case 'in-cluster':
      return only(fromCluster(rootPath), 'in-cluster configuration');
  }
}

function fromFile(path: string, place: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(path);
  } catch (error) {
    // The error of a YAML parser quotes the file, which holds secrets: only its place is told.
    const code = (error as { readonly code?: unknown }).code;
    const problem = typeof code === 'string' ? `it can't be read (${code})` : 'it is no kubeconfig';
    throw fault(place, path, problem, 'name a readable kubeconfig file');
  }
  return config;
}

function fromCluster(rootPath: string): KubeConfig {
  if (!process.env['KUBERNETES_SERVICE_HOST'] || !process.env['KUBERNETES_SERVICE_PORT']) {
    const problem = 'this process does not run in a pod';
    throw fault('KUBERNETES_SERVICE_HOST', null, problem, 'run in the cluster, or give --kubeconfig');
  }
  const config = new KubeConfig();
  config.loadFromCluster(rootPath);
  return config;
}

function fromUrl(text: string, rootPath: string): KubeConfig {
  const { server, query } = parseAddress(text);
  const inCluster = flag(query, 'inClusterConfig', true, text);
  const useServiceAccount = flag(query, 'useServiceAccount', false, text);
  const authPath = query.get('auth') ?? '';
  const config = new KubeConfig();
  const base = inCluster
    ? fromCluster(rootPath)
    : authPath === ''
      ? null
      : fromFile(authPath, '--kubernetes');
  const cluster = base?.getCurrentCluster() ?? { name: 'cluster', server: '', skipTLSVerify: false };
  const user = base?.getCurrentUser() ?? NOBODY;
  config.loadFromClusterAndUser(
    server === '' ? cluster : { ...cluster, server },
    useServiceAccount ? serviceAccount(rootPath) : user,
  );
  return config;
}

function parseAddress(text: string): { readonly server: string; readonly query: URLSearchParams } {
  const questionMark = text.indexOf('?');
  const server = (questionMark < 0 ? text : text.slice(0, questionMark)).replace(/\/+$/, '');
  const query = new URLSearchParams(questionMark < 0 ? '' : text.slice(questionMark + 1));
  if (server !== '' && !/^https?:\/\/[^/]+$/.test(server)) {
    throw fault('--kubernetes', server, 'it is no address of a server', 'write https://host:port?options');
  }
  return { server, query };
}

function flag(query: URLSearchParams, name: string, otherwise: boolean, text: string): boolean {
  const value = query.get(name);
  if (value === null) return otherwise;
  // The words that Go takes for a bool.
  if (['1', 't', 'T', 'true', 'True', 'TRUE'].includes(value)) return true;
  if (['0', 'f', 'F', 'false', 'False', 'FALSE'].includes(value)) return false;
  throw fault('--kubernetes', text, `${name} is no bool`, 'write true or false');
}

function serviceAccount(rootPath: string): User {
  const tokenFile = `${rootPath}${SERVICE_ACCOUNT_TOKEN}`;
  return { name: 'service-account', authProvider: { name: 'tokenFile', config: { tokenFile } } };
}

/** The current cluster and user; a plain HTTP server (loopback, tests) needs the mark that client-node asks for. */
function only(config: KubeConfig, place: string): KubeConfig {
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) throw fault(place, null, 'it names no server', 'name the address of the API server');
  const isPlain = cluster.server.startsWith('http:');
  const single = new KubeConfig();
  const chosen: Cluster = isPlain ? { ...cluster, skipTLSVerify: true } : cluster;
  single.loadFromClusterAndUser(chosen, config.getCurrentUser() ?? NOBODY);
  return single;
}

function fault(place: string, value: string | null, problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError([{ place, value, problem, remedy }]);
}
