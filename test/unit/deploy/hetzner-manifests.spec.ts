import { CLUSTER_RIGHTS, NAMESPACE_RIGHTS, acceptedFlags, describePod, grantsOf, load } from './manifests.js';

describe('manifests for Hetzner', () => {
  const rbac = load('hetzner/rbac.yaml');
  const [deployment] = load('hetzner/deployment.yaml');
  const [container] = deployment.spec.template.spec.containers;
  const ofKind = (kind: string): any => rbac.find((object) => object.kind === kind);

  describePod('hetzner');

  it('grant exactly what is needed', () => {
    expect(grantsOf(ofKind('ClusterRole'))).toEqual(CLUSTER_RIGHTS);
    expect(grantsOf(ofKind('Role'))).toEqual(NAMESPACE_RIGHTS);
  });

  // interface 9/15
  it('start the program with flags that are accepted', () => {
    const [program, ...flags] = container.command;
    expect(program).toBe('./cluster-autoscaler');
    const { options, ineffective } = acceptedFlags(flags);
    expect(options).toMatchObject({ cloudProvider: 'hetzner', nodes: ['1:10:CPX22:FSN1:pool1'] });
    expect(ineffective).toEqual({ stderrthreshold: 'no-effect' });
  });

  it('take secrets from the Secret of the example', () => {
    const [secret] = load('hetzner/secret.yaml.example');
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
    acceptedFlags(flags);
  });
});
