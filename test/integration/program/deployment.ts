import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';

/** A deployment of equal pods. */
export function deployment(
  name: string,
  replicas: number,
  cpu: string,
  annotations: Readonly<Record<string, string>> = {},
): Manifest {
  const labels = { app: name };
  const containers = [{ name, image: 'pause', resources: { requests: { cpu, memory: '64Mi' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers } },
    },
  };
}
