import { groups, instances, method } from './mutant.js';
import type { Mutant } from './mutant.js';

export const IDENTITY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'I1',
    fault: 'instances have ids of another form than nodes',
    twist: instances((instance) => ({
      ...instance,
      id: instance.id.replace('tinycloud://', 'tinycloud:///'),
    })),
  },
  {
    rule: 'I2',
    fault: 'a node of another cloud is an error',
    twist: method((provider) => ({
      nodeGroupIdForNode: (node) => {
        if (node.providerId.startsWith('other://')) throw new Error('no machine of Tinycloud');
        return provider.nodeGroupIdForNode(node);
      },
    })),
  },
  {
    rule: 'I3',
    fault: 'ids and names are looked up in one map',
    twist: method((provider) => ({
      nodeGroupIdForNode: (node) => {
        const named = provider
          .nodeGroups()
          .find((group) => group.instances.some(({ id }) => id.endsWith(`://${node.name}`)));
        return named?.id ?? provider.nodeGroupIdForNode(node);
      },
    })),
  },
  {
    rule: 'I4',
    fault: 'groups come in another order each time',
    twist: method((provider) => {
      let calls = 0;
      return {
        nodeGroups: () => (calls++ % 2 === 0 ? provider.nodeGroups() : [...provider.nodeGroups()].reverse()),
      };
    }),
  },
  {
    rule: 'I5',
    fault: "a node without an id is nobody's",
    twist: method((provider) => ({
      nodeGroupIdForNode: (node) => (node.providerId === '' ? null : provider.nodeGroupIdForNode(node)),
    })),
  },
  {
    rule: 'S3',
    fault: "the node's own label is believed",
    twist: method(() => ({
      nodeGroupIdForNode: (node) => node.labels.get('tinycloud.example/pool') ?? null,
    })),
  },
  {
    rule: 'M4',
    fault: 'there is no template without a machine',
    twist: method((provider) => ({
      template: (groupId) => {
        const group = provider.nodeGroups().find(({ id }) => id === groupId);
        if (group?.instances.length === 0) throw new Error('no example machine');
        return provider.template(groupId);
      },
    })),
  },
  {
    rule: 'L2',
    fault: 'what is on order does not show',
    twist: instances((instance) => (instance.id.startsWith('tinycloud-order://') ? null : instance)),
  },
  {
    rule: 'L3',
    fault: 'a failed machine looks as if it were still on its way',
    twist: groups((group) => ({
      ...group,
      instances: group.instances.map((instance) => ({ ...instance, failure: null })),
    })),
  },
];
