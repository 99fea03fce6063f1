import { requiredFeaturesOf } from '../../../src/domain/kubernetes/required-features.js';

describe('features that a pod requires of its node', () => {
  it.each<[string, Parameters<typeof requiredFeaturesOf>[0], readonly string[]]>([
    ['none', {}, []],
    // scheduling 6.J/122
    [
      'user namespaces on the host network',
      { hostNetwork: true, hostUsers: false },
      ['UserNamespacesHostNetworkSupport'],
    ],
    ['none on the host network alone', { hostNetwork: true }, []],
    ['none for user namespaces alone', { hostUsers: false }, []],
    // scheduling 6.J/123
    [
      'restart of all containers, in a main container',
      { containers: [{ restartPolicyRules: [{ action: 'RestartAllContainers' }] }] },
      ['RestartAllContainersOnContainerExits'],
    ],
    [
      'restart of all containers, in an init container',
      { initContainers: [{ restartPolicyRules: [{ action: null }, { action: 'RestartAllContainers' }] }] },
      ['RestartAllContainersOnContainerExits'],
    ],
    ['no other rule', { containers: [{ restartPolicyRules: [{ action: 'Restart' }] }, {}] }, []],
  ])('%s', (_, spec, expected) => {
    expect(requiredFeaturesOf(spec)).toEqual(expected);
  });
});
