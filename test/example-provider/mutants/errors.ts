import type { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { MachineTemplate } from '../../../src/domain/node-group/node-group.js';
import { TOKEN } from '../fake/tinycloud.js';
import { growthFailure, instances, method } from './mutant.js';
import type { Mutant } from './mutant.js';

const GIB = 1024 ** 3;

export const ERROR_MUTANTS: readonly Mutant[] = [
  {
    rule: 'E1',
    fault: "the client's own error comes through",
    twist: method((provider) => ({
      increaseSize: (...growth) =>
        provider.increaseSize(...growth).catch((error: unknown) => {
          const { kind } = error as CloudError;
          throw kind === 'configuration' ? error : new TypeError('fetch failed', { cause: error });
        }),
    })),
  },
  {
    rule: 'E1',
    fault: 'a start that fails does so in words of its own',
    twist: method((provider) => ({
      start: (signal) =>
        provider.start(signal).catch((error: unknown) => {
          throw new Error('no start', { cause: error });
        }),
    })),
  },
  {
    rule: 'E2',
    fault: 'an unknown error counts as a fault of the configuration',
    twist: growthFailure((failure) =>
      failure.kind === 'transient' ? { ...failure, kind: 'configuration' } : failure,
    ),
  },
  {
    rule: 'E3',
    fault: 'a message says nothing',
    twist: growthFailure((failure) => ({ ...failure, message: 'the request failed' })),
  },
  {
    rule: 'E4',
    fault: 'a message quotes the request with its headers',
    twist: growthFailure((failure) => ({ ...failure, message: `${failure.message}: Bearer ${TOKEN}` })),
  },
  {
    rule: 'E4',
    fault: 'a failed machine tells how it was ordered',
    twist: instances(({ failure, ...instance }) => ({
      ...instance,
      failure: failure === null ? null : { ...failure, message: `${failure.message}: Bearer ${TOKEN}` },
    })),
  },
  {
    rule: 'E5',
    fault: 'advice is not passed on',
    twist: growthFailure(({ kind, code, message }) => ({ kind, code, message })),
  },
  {
    rule: 'M1',
    fault: 'a template lacks a label that nodes have',
    twist: template(({ node, pricePerHour }) => {
      const labels = new Map(node.labels);
      labels.delete('kubernetes.io/os');
      return { node: { ...node, labels }, pricePerHour };
    }),
  },
  {
    rule: 'M2',
    fault: 'a template promises the memory that is sold',
    twist: template(({ node, pricePerHour }) => {
      const memory = node.allocatable.get('cpu') === 2_000 ? 4 * GIB : 16 * GIB;
      const amounts = new Map(node.capacity).set('memory', memory);
      return { node: { ...node, capacity: amounts, allocatable: amounts }, pricePerHour };
    }),
  },
  {
    rule: 'M3',
    fault: 'a template takes any number of volumes',
    twist: template(({ node, pricePerHour }) => ({
      node: { ...node, volumeLimits: new Map() },
      pricePerHour,
    })),
  },
  {
    rule: 'P1',
    fault: 'there are no prices',
    twist: template(({ node }) => ({ node, pricePerHour: null })),
  },
  {
    rule: 'P3',
    fault: 'a withdrawn offer is tried again and again',
    twist: growthFailure((failure) => ({ ...failure, kind: 'transient' })),
  },
];

function template(change: (template: MachineTemplate) => MachineTemplate): Mutant['twist'] {
  return method((provider) => ({ template: (groupId) => change(provider.template(groupId)) }));
}
