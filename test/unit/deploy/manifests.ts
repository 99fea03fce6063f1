import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import {
  checkOptions,
  listIneffectiveFlags,
  parseFlags,
} from '../../../src/infrastructure/command-line/index.js';
import type { AutoscalerOptions } from '../../../src/infrastructure/command-line/index.js';

/** What the published manifests of both clouds have in common, and how tests read them. */

/** All documents of a file in `deploy/`. */
export function load(path: string): any[] {
  const text = readFileSync(join(__dirname, '../../../deploy', path), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS());
}

export interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: string;
  readonly names: string;
}

/** One entry for each group and resource of the rules. */
export function grantsOf(role: any): Grant[] {
  return role.rules.flatMap((rule: any) =>
    rule.apiGroups.flatMap((group: string) =>
      rule.resources.map((resource: string) => ({
        group,
        resource,
        verbs: rule.verbs.join(' '),
        names: (rule.resourceNames ?? []).join(' '),
      })),
    ),
  );
}

export function table(
  rows: readonly (readonly [group: string, resources: string, verbs: string, names?: string])[],
): Grant[] {
  return rows.flatMap(([group, resources, verbs, names = '']) =>
    resources.split(' ').map((resource) => ({ group, resource, verbs, names })),
  );
}

export const READ = 'get list watch';

/**
 * The rows of `interface` 8.1 that something needs in the default configuration. Left out, because it says of them
 * that nothing uses them any more: endpoints, pods/status, extensions, patch on jobs, pod security policies; and
 * because their features are off: podtemplates, deployments, cronjobs, autoscaling.x-k8s.io, configmaps cluster-wide.
 */
export const CLUSTER_RIGHTS = table([
  ['', 'events', 'create patch'],
  ['', 'pods/eviction', 'create'],
  ['', 'nodes', 'get list watch update'],
  ['', 'pods namespaces services replicationcontrollers persistentvolumeclaims persistentvolumes', READ],
  ['apps', 'daemonsets replicasets statefulsets', READ],
  ['batch', 'jobs', READ],
  ['policy', 'poddisruptionbudgets', 'list watch'],
  ['storage.k8s.io', 'storageclasses csinodes csidrivers csistoragecapacities volumeattachments', READ],
  ['resource.k8s.io', 'resourceclaims resourceslices deviceclasses', READ],
  ['coordination.k8s.io', 'leases', 'create'],
  ['coordination.k8s.io', 'leases', 'get update', 'cluster-autoscaler'],
]);

export const NAMESPACE_RIGHTS = table([
  ['', 'configmaps', 'create list watch'],
  [
    '',
    'configmaps',
    'delete get update watch',
    'cluster-autoscaler-status cluster-autoscaler-priority-expander',
  ],
]);

/** Options of a command line that is accepted, and the flags of it that nothing obeys, with their kind. */
export function acceptedFlags(flags: readonly string[]): {
  readonly options: AutoscalerOptions;
  readonly ineffective: Readonly<Record<string, string>>;
} {
  const result = parseFlags(flags);
  if (result.kind !== 'flags') throw new Error(JSON.stringify(result));
  expect(checkOptions(result.flags.options).ok).toBe(true);
  const ineffective = listIneffectiveFlags(result.flags).map(({ name, kind }) => [name, kind] as const);
  return { options: result.flags.options, ineffective: Object.fromEntries(ineffective) };
}

/** Rights reach the account that the program runs under; probes reach the program; its container may do nothing else. */
export function describePod(cloud: 'hetzner' | 'utho'): void {
  const rbac = load(`${cloud}/rbac.yaml`);
  const [deployment] = load(`${cloud}/deployment.yaml`);
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  const ofKind = (kind: string): any => rbac.find((object) => object.kind === kind);

  it('bind the rights to the account of the deployment', () => {
    for (const kind of ['ClusterRole', 'Role']) {
      const binding = ofKind(`${kind}Binding`);
      expect(binding.roleRef).toMatchObject({ kind, name: ofKind(kind).metadata.name });
      expect(binding.subjects).toEqual([
        { kind: 'ServiceAccount', name: 'cluster-autoscaler', namespace: 'kube-system' },
      ]);
    }
    expect(ofKind('ServiceAccount').metadata).toMatchObject({
      name: 'cluster-autoscaler',
      namespace: 'kube-system',
    });
    expect(pod.spec.serviceAccountName).toBe('cluster-autoscaler');
  });

  it('find the pods by the label that the guides use', () => {
    expect(deployment.metadata).toMatchObject({
      namespace: 'kube-system',
      labels: { app: 'cluster-autoscaler' },
    });
    expect(deployment.spec.selector.matchLabels).toEqual({ app: 'cluster-autoscaler' });
    expect(pod.metadata.labels).toEqual({ app: 'cluster-autoscaler' });
  });

  it('probe the port and path of the server', () => {
    const port = container.ports.find(({ name }: any) => name === 'http').containerPort;
    expect(port).toBe(8085);
    for (const probe of [container.startupProbe, container.livenessProbe]) {
      expect(probe.httpGet).toEqual({ path: '/health-check', port: 'http' });
    }
    expect(pod.metadata.annotations['prometheus.io/port']).toBe(port.toString());
  });

  it('ask for what the published examples ask for', () => {
    const amounts = { cpu: '100m', memory: '300Mi' };
    expect(container.resources).toEqual({ requests: amounts, limits: amounts });
  });

  // interface 9/40
  it('run under a restricted security context', () => {
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
}
