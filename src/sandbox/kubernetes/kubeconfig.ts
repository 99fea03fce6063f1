import { stringify } from 'yaml';

export interface KubeconfigOptions {
  /** Bearer token; none if absent. */
  readonly token?: string;
}

/** Text of a kubeconfig file for a sandbox that listens on this address. */
export function kubeconfigText(server: string, { token }: KubeconfigOptions = {}): string {
  const name = 'sandbox';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
