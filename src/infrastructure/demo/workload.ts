import type { Manifest } from '../../sandbox/kubernetes/index.js';

/** A deployment of equal pods that have nothing to do. */
export function workload(name: string, replicas: number, cpu: string): Manifest {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name, image: 'registry.k8s.io/pause:3.10', resources: { requests: { cpu, memory: '64Mi' } } },
          ],
        },
      },
    },
  };
}
