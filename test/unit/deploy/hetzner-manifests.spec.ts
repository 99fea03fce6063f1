import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import {
  checkOptions,
  listIneffectiveFlags,
  parseFlags,
} from '../../../src/infrastructure/command-line/index.js';

const folder = join(__dirname, '../../../deploy/hetzner');

function load(file: string): any[] {
  return parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS());
}

interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: string;
  readonly names: string;
}

/** One entry for each group and resource of the rules. */
function grantsOf(role: any): Grant[] {
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

function table(
  rows: readonly (readonly [group: string, resources: string, verbs: string, names?: string])[],
): Grant[] {
  return rows.flatMap(([group, resources, verbs, names = '']) =>
    resources.split(' ').map((resource) => ({ group, resource, verbs, names })),
  );
}

const READ = 'get list watch';

/**
 * The rows of `interface` 8.1 that something needs in the default configuration. Left out, because it says of them
 * that nothing uses them any more: endpoints, pods/status, extensions, patch on jobs, pod security policies; and
 * because their features are off: podtemplates, deployments, cronjobs, autoscaling.x-k8s.io, configmaps cluster-wide.
 */
const CLUSTER_RIGHTS = table([
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

const NAMESPACE_RIGHTS = table([
  ['', 'configmaps', 'create list watch'],
  [
    '',
    'configmaps',
    'delete get update watch',
    'cluster-autoscaler-status cluster-autoscaler-priority-expander',
  ],
]);

describe('manifests for Hetzner', () => {
  const rbac = load('rbac.yaml');
  const [deployment] = load('deployment.yaml');
  const [container] = deployment.spec.template.spec.containers;
  const ofKind = (kind: string): any => rbac.find((object) => object.kind === kind);

  it('grant exactly what is needed', () => {
    expect(grantsOf(ofKind('ClusterRole'))).toEqual(CLUSTER_RIGHTS);
    expect(grantsOf(ofKind('Role'))).toEqual(NAMESPACE_RIGHTS);
  });

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
    expect(deployment.spec.template.spec.serviceAccountName).toBe('cluster-autoscaler');
  });

  // interface 9/15
  it('start the program with flags that are accepted', () => {
    const [program, ...flags] = container.command;
    expect(program).toBe('./cluster-autoscaler');
    const result = parseFlags(flags);
    if (result.kind !== 'flags') throw new Error(JSON.stringify(result));
    expect(checkOptions(result.flags.options).ok).toBe(true);
    expect(result.flags.options).toMatchObject({
      cloudProvider: 'hetzner',
      nodes: ['1:10:CPX22:FSN1:pool1'],
    });
    expect(listIneffectiveFlags(result.flags).map(({ name }) => name)).toEqual(['stderrthreshold']);
  });

  it('probe the port and path of the server', () => {
    const port = container.ports.find(({ name }: any) => name === 'http').containerPort;
    expect(port).toBe(8085);
    for (const probe of [container.startupProbe, container.livenessProbe]) {
      expect(probe.httpGet).toEqual({ path: '/health-check', port: 'http' });
    }
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(port.toString());
  });

  // interface 9/40
  it('run under a restricted security context', () => {
    expect(deployment.spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('take secrets from the Secret of the example', () => {
    const secret = parse(readFileSync(join(folder, 'secret.yaml.example'), 'utf8'));
    const references = container.env.flatMap(({ valueFrom }: any) =>
      valueFrom ? [valueFrom.secretKeyRef] : [],
    );
    expect(references.length).toBe(2);
    for (const { name, key } of references) {
      expect(secret.metadata.name).toBe(name);
      expect(Object.keys(secret.stringData)).toContain(key);
    }
  });
});

describe('flags of published manifests', () => {
  // interface 9/40
  it.each([
    [
      'the Hetzner example',
      ['--cloud-provider=hetzner', '--stderrthreshold=info', '--nodes=1:10:CPX11:FSN1:pool1'],
    ],
    [
      'the Utho example',
      [
        '--v=4',
        '--cloud-provider=utho',
        '--cloud-config=/config/cloud-config',
        '--node-group-auto-discovery=utho:regexp=.*',
      ],
    ],
    [
      'the Helm chart',
      [
        '--cloud-provider=hetzner',
        '--namespace=kube-system',
        '--nodes=1:10:cpx22:fsn1:pool1',
        '--logtostderr=true',
        '--stderrthreshold=info',
        '--v=4',
      ],
    ],
  ])('of %s are accepted', (_where, flags) => {
    const result = parseFlags(flags);
    if (result.kind !== 'flags') throw new Error(JSON.stringify(result));
    expect(checkOptions(result.flags.options).ok).toBe(true);
  });
});
