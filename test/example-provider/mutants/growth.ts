import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { SeededRandom } from '../../../src/sandbox/world/index.js';
import { growthFailure, exchange, method, override } from './mutant.js';
import type { Mutant } from './mutant.js';

const MINUTE = 60_000;

class LongNames extends SeededRandom {
  override hex(digits: number): string {
    return super.hex(digits + 60);
  }
}

export const GROWTH_MUTANTS: readonly Mutant[] = [
  {
    rule: 'G1',
    fault: 'the target is an absolute number, worked out from the last list',
    twist: {
      provider: (provider, { cloud }) =>
        override(provider, {
          increaseSize: async (groupId, delta, signal) => {
            const known = provider.nodeGroups().find(({ id }) => id === groupId)!.targetSize;
            const result = await provider.increaseSize(groupId, delta, signal);
            const machines = [...cloud.machines.values()].filter(({ pool }) => pool === groupId);
            for (const surplus of machines.slice(0, machines.length - known - delta)) cloud.remove(surplus);
            return result;
          },
        }),
    },
  },
  {
    rule: 'G2',
    fault: 'one more is bought than was asked for',
    twist: method((provider) => ({
      increaseSize: async (groupId, delta, signal) => {
        await provider.increaseSize(groupId, delta + 1, signal);
        return { accepted: delta, failure: null };
      },
    })),
  },
  {
    rule: 'G3',
    fault: 'success in part is a failure',
    twist: method((provider) => ({
      increaseSize: async (...growth) => {
        const result = await provider.increaseSize(...growth);
        if (result.failure !== null) throw new CloudError(result.failure);
        return result;
      },
    })),
  },
  {
    rule: 'G4',
    fault: 'an order without an answer is sent again, under another name',
    twist: exchange(async (request, send, response) => {
      const answer = await response();
      if (request.method !== 'POST' || answer.cut !== true) return answer;
      const order = JSON.parse(request.body) as { name: string };
      return send({ ...request, body: JSON.stringify({ ...order, name: `${order.name}-again` }) });
    }),
  },
  {
    rule: 'G5',
    fault: 'sold out is read from a catalogue, not from a refusal',
    twist: {
      provider: (provider, { cloud }) =>
        override(provider, {
          increaseSize: (groupId, delta, signal) => {
            const size = provider.template(groupId).node.labels.get('node.kubernetes.io/instance-type')!;
            if (cloud.stock.get(size) !== 0) return provider.increaseSize(groupId, delta, signal);
            const message = `pool ${groupId}: ${size} is sold out`;
            return Promise.reject(new CloudError({ kind: 'stock-out', code: 'sold_out', message }));
          },
        }),
    },
  },
  {
    rule: 'G6',
    fault: 'a quota is a stock-out',
    twist: growthFailure((failure) =>
      failure.kind === 'quota' ? { ...failure, kind: 'stock-out' } : failure,
    ),
  },
  {
    rule: 'G7',
    fault: 'a growth waits until its machines run',
    twist: {
      provider: (provider, { clock }) =>
        override(provider, {
          increaseSize: async (groupId, delta, signal) => {
            const result = await provider.increaseSize(groupId, delta, signal);
            const isBusy = (): boolean =>
              provider
                .nodeGroups()
                .some(({ instances }) => instances.some(({ state }) => state === 'creating'));
            for (let waitedMs = 0; isBusy() && waitedMs < 20 * MINUTE; waitedMs += 5_000) {
              await clock.sleep(5_000);
              await provider.refresh(signal);
            }
            return result;
          },
        }),
    },
  },
  {
    rule: 'G8',
    fault: 'the cloud is asked before the number is judged',
    twist: method((provider) => ({
      increaseSize: async (groupId, delta, signal) => {
        await provider.refresh(signal);
        return provider.increaseSize(groupId, delta, signal);
      },
    })),
  },
  {
    rule: 'G9',
    fault: 'one lock for all groups',
    twist: method((provider) => {
      let turn: Promise<unknown> = Promise.resolve();
      return {
        increaseSize: (...growth) => {
          const result = turn.then(() => provider.increaseSize(...growth));
          turn = result.catch(() => undefined);
          return result;
        },
      };
    }),
  },
  { rule: 'G10', fault: 'names are longer than host names may be', twist: { random: new LongNames(1) } },
  {
    rule: 'T1',
    fault: 'a cancellation is accepted and forgotten',
    twist: method(() => ({ decreaseTargetSize: () => Promise.resolve() })),
  },
  {
    rule: 'T2',
    fault: 'where no order is left, machines go',
    twist: method((provider) => ({
      decreaseTargetSize: async (groupId, count) => {
        try {
          await provider.decreaseTargetSize(groupId, count);
        } catch {
          const { instances } = provider.nodeGroups().find(({ id }) => id === groupId)!;
          const victims = instances
            .slice(-count)
            .map(({ id, name }) => ({ instanceId: id, name, cause: 'scale-down' as const }));
          await provider.deleteInstances(groupId, victims, {
            force: true,
            signal: new AbortController().signal,
          });
        }
      },
    })),
  },
  {
    rule: 'T3',
    fault: 'a cancellation always succeeds',
    twist: method((provider) => ({
      decreaseTargetSize: (...shrink) => provider.decreaseTargetSize(...shrink).catch(() => undefined),
    })),
  },
  {
    rule: 'S1',
    fault: 'only the process knows which pool a machine was ordered for',
    twist: exchange((request, send, response) => {
      if (request.method !== 'POST') return response();
      const order = JSON.parse(request.body) as object;
      return send({ ...request, body: JSON.stringify({ ...order, pool: null }) });
    }),
  },
];
