import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAccountToken } from '../../sandbox/kubernetes/index.js';
import type { KubernetesCluster } from '../../sandbox/kubernetes/index.js';

/** Tokens are read by their owner only, as kubectl writes them. */
const OWNER_ONLY = { mode: 0o600 };

/** Writes a kubeconfig into the folder and gives its path: of the administrator, or of the autoscaler's account. */
export function writeKubeconfig(
  folder: string,
  whose: 'administrator' | 'autoscaler',
  cluster: KubernetesCluster,
  served: { readonly kubernetesUrl: string },
): string {
  const path = join(folder, whose === 'administrator' ? 'kubeconfig' : 'kubeconfig-autoscaler');
  const token = serviceAccountToken('kube-system', 'cluster-autoscaler');
  const text = cluster.kubeconfig(served.kubernetesUrl, whose === 'administrator' ? {} : { token });
  writeFileSync(path, text, OWNER_ONLY);
  return path;
}
