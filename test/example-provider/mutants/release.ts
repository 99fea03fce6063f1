import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../src/domain/node-group/node-group.js';
import type {
  CloudProvider,
  MachineReference,
  ReleaseResult,
} from '../../../src/application/ports/cloud-provider.js';
import { codeOf, exchange, json, method } from './mutant.js';
import type { Mutant } from './mutant.js';

export const RELEASE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'R1',
    fault: 'so many go, whichever they are',
    twist: method((provider) => ({
      deleteInstances: async (groupId, machines, options) => {
        const { instances } = provider.nodeGroups().find(({ id }) => id === groupId)!;
        const victims = instances.slice(0, machines.length);
        const references = victims.map(({ id, name }) => ({
          instanceId: id,
          name,
          cause: 'scale-down' as const,
        }));
        const results = await provider.deleteInstances(groupId, references, options);
        return results.map((result, index) => ({ ...result, instanceId: machines[index]!.instanceId }));
      },
    })),
  },
  {
    rule: 'R2',
    fault: 'a machine that is gone is an error',
    twist: exchange(async (_request, _send, response) => {
      const answer = await response();
      return codeOf(answer) === 'not_found' ? refused(500, 'server_error') : answer;
    }),
  },
  {
    rule: 'R3',
    fault: 'a lock is an error like any other',
    twist: exchange(async (_request, _send, response) => {
      const answer = await response();
      return codeOf(answer) === 'locked' ? refused(423, 'busy') : answer;
    }),
  },
  {
    rule: 'R4',
    fault: 'a machine goes, whichever group was named',
    twist: method((provider) => ({
      deleteInstances: async (groupId, machines, options) => {
        const results: ReleaseResult[] = [];
        for (const machine of machines) {
          const owner = provider
            .nodeGroups()
            .find(({ instances }) => instances.some(({ id }) => id === machine.instanceId));
          results.push(...(await provider.deleteInstances(owner?.id ?? groupId, [machine], options)));
        }
        return results;
      },
    })),
  },
  {
    rule: 'R5',
    fault: 'there is no minimum',
    twist: method((provider) => ({
      deleteInstances: (groupId, machines, options) =>
        provider.deleteInstances(groupId, machines, { ...options, force: true }),
    })),
  },
  {
    rule: 'R5',
    fault: 'a failed machine counts against the minimum',
    twist: method((provider) => ({
      deleteInstances: (groupId, machines, options) => {
        const others = machines.map((machine) => ({ ...machine, cause: 'unregistered' as const }));
        return provider.deleteInstances(groupId, others, options);
      },
    })),
  },
  {
    rule: 'R5',
    fault: 'a failed machine in a batch lifts the minimum for all of it',
    twist: method((provider) => ({
      deleteInstances: (groupId, machines, { force, signal }) => {
        const isAnyFailed = machines.some(({ cause }) => cause === 'create-error');
        return provider.deleteInstances(groupId, machines, { force: force || isAnyFailed, signal });
      },
    })),
  },
  { rule: 'R6', fault: 'a machine is known by name only', twist: refusing(({ name }) => name === '') },
  {
    rule: 'R7',
    fault: 'only machines of nodes can go',
    twist: refusing(({ cause }) => cause === 'unregistered'),
  },
  {
    rule: 'R8',
    fault: 'the first refusal ends the batch',
    twist: method((provider) => ({
      deleteInstances: async (groupId, machines, options) => {
        const results: ReleaseResult[] = [];
        for (const machine of machines) {
          const refusal = results.at(-1)?.failure ?? null;
          if (refusal === null)
            results.push(...(await provider.deleteInstances(groupId, [machine], options)));
          else results.push({ instanceId: machine.instanceId, failure: refusal });
        }
        return results;
      },
    })),
  },
  {
    rule: 'R8',
    fault: 'what the cloud refuses for one machine fails the batch',
    twist: method((provider) => ({
      deleteInstances: async (...release) => {
        const results = await provider.deleteInstances(...release);
        const refusal = results.find(({ failure }) => failure?.kind === 'transient')?.failure;
        if (refusal != null) throw new CloudError(refusal);
        return results;
      },
    })),
  },
  {
    rule: 'R9',
    fault: "volumes are left to the cloud's default",
    twist: exchange((request, send) =>
      send({ ...request, query: new URLSearchParams(withoutVolumes(request.query)) }),
    ),
  },
  {
    rule: 'R10',
    fault: 'there is a limit that nobody is told of',
    twist: method((provider) => ({ deleteInstances: limited(provider, 3) })),
  },
  {
    rule: 'R10',
    fault: 'more is let go than was told',
    twist: method(() => ({ releaseBudget: () => 3 })),
  },
  {
    rule: 'R10',
    fault: 'the budget is told from a configuration, not from what went already',
    twist: method((provider) => ({ releaseBudget: () => 3, deleteInstances: limited(provider, 3) })),
  },
  {
    rule: 'X1',
    fault: 'what belonged to a pool exists',
    twist: method((provider) => ({
      existence: async (node, signal) => {
        const answer = await provider.existence(node, signal);
        return answer === 'gone' ? 'exists' : answer;
      },
    })),
  },
  {
    rule: 'X2',
    fault: "who can't be found is gone",
    twist: method((provider) => ({
      existence: async (node, signal) => {
        const answer = await provider.existence(node, signal);
        return answer === 'unknown' ? 'gone' : answer;
      },
    })),
  },
];

function refusing(isRefused: (machine: MachineReference) => boolean): Mutant['twist'] {
  const failure: CloudFailure = {
    kind: 'configuration',
    code: 'no_such_node',
    message: 'there is no such node',
  };
  return method((provider) => ({
    deleteInstances: async (groupId, machines, options) => {
      const results = machines.map(async (machine) =>
        isRefused(machine)
          ? [{ instanceId: machine.instanceId, failure }]
          : provider.deleteInstances(groupId, [machine], options),
      );
      return (await Promise.all(results)).flat();
    },
  }));
}

/** Lets only the first few of a batch go. */
function limited(provider: CloudProvider, limit: number): CloudProvider['deleteInstances'] {
  const failure: CloudFailure = { kind: 'throttled', code: 'too_many', message: 'too many at once' };
  return async (groupId, machines, options) => {
    const going = machines.slice(0, limit);
    const results = await provider.deleteInstances(groupId, going, options);
    return [...results, ...machines.slice(going.length).map(({ instanceId }) => ({ instanceId, failure }))];
  };
}

function withoutVolumes(query: URLSearchParams): [string, string][] {
  return [...query].filter(([key]) => key !== 'volumes');
}

function refused(status: number, code: string) {
  return json(status, { error: { code, message: code } });
}
