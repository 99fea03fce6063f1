import {
  CLUSTER_RIGHTS,
  NAMESPACE_RIGHTS,
  READ,
  acceptedFlags,
  describePod,
  grantsOf,
  load,
  table,
} from './manifests.js';

/** What the published example grants beyond: for the way back to the Go program. */
const RIGHTS_OF_THE_EXAMPLE = table([
  ['', 'endpoints', 'create patch'],
  ['', 'endpoints', 'get update patch', 'cluster-autoscaler'],
  ['', 'pods/status', 'update'],
  ['', 'nodes', 'patch'],
  ['apps', 'deployments', READ],
]);

describe('manifests for Utho', () => {
  const rbac = load('utho/rbac.yaml');
  const [deployment] = load('utho/deployment.yaml');
  const [secret] = load('utho/secret.yaml.example');
  const { containers, volumes } = deployment.spec.template.spec;
  const [container] = containers;
  const ofKind = (kind: string): any => rbac.find((object) => object.kind === kind);

  describePod('utho');

  it('grant what is needed, and what the published example grants', () => {
    expect(grantsOf(ofKind('ClusterRole'))).toEqual([...CLUSTER_RIGHTS, ...RIGHTS_OF_THE_EXAMPLE]);
    expect(grantsOf(ofKind('Role'))).toEqual(NAMESPACE_RIGHTS);
  });

  it('have the names of the published example', () => {
    expect(deployment.metadata.name).toBe('utho-cluster-autoscaler');
    expect(containers.map(({ name }: any) => name)).toEqual(['utho-cluster-autoscaler']);
    expect(secret).toMatchObject({
      metadata: { name: 'cluster-autoscaler-cloud-config', namespace: 'kube-system' },
      type: 'Opaque',
    });
  });

  // utho 8/8
  it('start the program with the whole command line of the published example', () => {
    expect(container.command).toEqual([
      './cluster-autoscaler',
      '--v=4',
      '--cloud-provider=utho',
      '--cloud-config=/config/cloud-config',
      '--node-group-auto-discovery=utho:regexp=.*',
    ]);
    const { ineffective } = acceptedFlags(container.command.slice(1));
    expect(ineffective).toEqual({ 'node-group-auto-discovery': 'ignored-by-provider' });
  });

  it('mount the Secret where --cloud-config looks for it', () => {
    expect(container.volumeMounts).toEqual([{ name: 'cloud-config', mountPath: '/config', readOnly: true }]);
    expect(volumes).toEqual([{ name: 'cloud-config', secret: { secretName: secret.metadata.name } }]);
    const { options } = acceptedFlags(container.command.slice(1));
    expect(Object.keys(secret.stringData).map((key) => `/config/${key}`)).toEqual([options.cloudConfig]);
  });

  it('have a configuration in JSON with the keys of the article, and nothing secret', () => {
    expect(JSON.parse(secret.stringData['cloud-config'])).toEqual({
      cluster_id: '<CLUSTER_ID>',
      token: '<TOKEN>',
    });
  });

  it('stress the cluster with ten pods of 750m CPU', () => {
    const [stress] = load('utho/stress-test.yaml');
    expect(stress).toMatchObject({ kind: 'Deployment', metadata: { name: 'stress-test' } });
    expect(stress.spec.replicas).toBe(10);
    expect(stress.spec.selector.matchLabels).toEqual(stress.spec.template.metadata.labels);
    expect(stress.spec.template.spec.containers).toEqual([
      { name: 'nginx', image: 'nginx', resources: { requests: { cpu: '750m' } } },
    ]);
  });
});
