/** Objects as the API server writes them: fields in its order, managed fields last in metadata. */

export const MANAGED_FIELDS = [
  {
    manager: 'kube-controller-manager',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {} } } },
    },
  },
  { manager: 'kubelet', subresource: 'status', fieldsV1: { 'f:status': { 'f:phase': {} } } },
];

export interface PodJsonOptions {
  readonly metadata?: Record<string, unknown>;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

export function podJson(name: string, { metadata, spec, status }: PodJsonOptions = {}): any {
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '100',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'web' },
      ...metadata,
      managedFields: MANAGED_FIELDS,
    },
    spec: {
      containers: [{ name: 'main', resources: { requests: { cpu: '250m', memory: '64Mi' } } }],
      ...spec,
    },
    status: { phase: 'Pending', ...status },
  };
}

export function listJson(items: readonly unknown[] | null, metadata: Record<string, unknown> = {}): string {
  return JSON.stringify({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '900', ...metadata },
    items,
  });
}
