import { join } from 'node:path';
import { readPublishedManifests } from '../../../src/infrastructure/demo/published-manifests.js';

describe('what the demo takes from deploy/utho', () => {
  const manifests = readPublishedManifests(join(__dirname, '../../../deploy/utho'));

  it('are the flags of the Deployment and the place of its Secret', () => {
    expect(manifests.flags).toEqual([
      '--v=4',
      '--cloud-provider=utho',
      '--cloud-config=/config/cloud-config',
      '--node-group-auto-discovery=utho:regexp=.*',
    ]);
    expect(manifests).toMatchObject({ configFolder: '/config', configName: 'cloud-config' });
  });

  it('are the access rules and the stress test, to be applied as they are', () => {
    expect(manifests.accessRules.map(({ kind }) => kind)).toEqual([
      'ServiceAccount',
      'ClusterRole',
      'Role',
      'ClusterRoleBinding',
      'RoleBinding',
    ]);
    expect(manifests.stressTest).toMatchObject({ kind: 'Deployment', metadata: { name: 'stress-test' } });
  });
});
