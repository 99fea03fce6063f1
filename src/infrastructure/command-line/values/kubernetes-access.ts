import { readBoolean } from '../flag-types.js';
import type { Checked } from './start-fault.js';
import { fatal } from './start-fault.js';

/** How to reach the API server. */
export type KubernetesAccess =
  /** The current context of a kubeconfig file; `server` replaces its server where it is not null. */
  | { readonly kind: 'kubeconfig'; readonly path: string; readonly server: string | null }
  /** The pod's service account; `server` replaces the address of the environment where it is not null. */
  | { readonly kind: 'in-cluster'; readonly server: string | null }
  /** A bare URL, with the mounted service account token or without credentials. */
  | { readonly kind: 'url'; readonly server: string; readonly withServiceAccountToken: boolean };

/** `--kubeconfig`, then `--kubernetes`, then in-cluster (`interface` 1.7). */
export function readKubernetesAccess(kubeconfig: string, kubernetes: string): Checked<KubernetesAccess> {
  if (kubeconfig !== '') return { value: { kind: 'kubeconfig', path: kubeconfig, server: null } };
  if (kubernetes === '') return { value: { kind: 'in-cluster', server: null } };
  const { server, query } = splitUrl(kubernetes);
  const inClusterConfig = readBoolean(query.get('inClusterConfig') ?? 'true');
  const useServiceAccount = readBoolean(query.get('useServiceAccount') ?? 'false');
  if (!inClusterConfig.ok || !useServiceAccount.ok) {
    return refuse(kubernetes, 'inClusterConfig and useServiceAccount are booleans');
  }
  if (server !== null && !URL.canParse(server)) return refuse(kubernetes, 'not a URL');
  if (inClusterConfig.value) return { value: { kind: 'in-cluster', server } };
  const path = query.get('auth') ?? '';
  if (path !== '') return { value: { kind: 'kubeconfig', path, server } };
  if (server === null) return refuse(kubernetes, 'it names no server');
  return { value: { kind: 'url', server, withServiceAccountToken: useServiceAccount.value } };
}

/** Options may stand alone (`?inClusterConfig=false&auth=…`); a server needs scheme and host. */
function splitUrl(text: string): { readonly server: string | null; readonly query: URLSearchParams } {
  const mark = text.indexOf('?');
  const address = mark === -1 ? text : text.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1));
  const hasHost = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]/u.test(address);
  return { server: hasHost ? address : null, query };
}

function refuse(text: string, problem: string): Checked<KubernetesAccess> {
  return {
    fault: fatal(
      'kubernetes',
      text,
      problem,
      'write for example https://10.0.0.1:6443?inClusterConfig=false&auth=/etc/kubeconfig',
    ),
  };
}
