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
    rule: 'G6',
    fault: 'a quota is told once, and marks the size as sold out',
    twist: method((provider) => {
      const marked = new Set<string>();
      return {
        increaseSize: async (groupId, ...growth) => {
          try {
            return await provider.increaseSize(groupId, ...growth);
          } catch (error) {
            const failure = (error as CloudError).toFailure();
            const isMarked = marked.has(groupId);
            if (failure.kind === 'quota') marked.add(groupId);
            throw new CloudError(isMarked ? { ...failure, kind: 'stock-out' } : failure);
          }
        },
      };
    }),
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
    rule: 'G8',
    fault: 'what is on order does not count against the maximum',
    twist: {
      nodes: (nodes) => nodes.map((spec) => spec.replace(/^0:5:/, '0:9:')),
      provider: (provider) =>
        override(provider, {
          nodeGroups: () => provider.nodeGroups().map((group) => ({ ...group, maxSize: 5 })),
          increaseSize: (groupId, delta, signal) => {
            const { instances } = provider.nodeGroups().find(({ id }) => id === groupId)!;
            const running = instances.filter(({ state }) => state === 'running').length;
            if (delta >= 1 && running + delta <= 5) return provider.increaseSize(groupId, delta, signal);
            const message = `pool ${groupId} cannot grow by ${delta}`;
            return Promise.reject(new CloudError({ kind: 'configuration', code: 'bad_delta', message }));
          },
        }),
    },
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
    rule: 'T1',
    fault: 'the oldest order is cancelled',
    twist: method((provider) => ({
      decreaseTargetSize: async (groupId, count) => {
        const { instances } = provider.nodeGroups().find(({ id }) => id === groupId)!;
        const oldest = instances
          .filter(({ state }) => state === 'creating')
          .slice(0, count)
          .map(({ id, name }) => ({ instanceId: id, name, cause: 'unregistered' as const }));
        const { signal } = new AbortController();
        await provider.deleteInstances(groupId, oldest, { force: true, signal });
      },
    })),
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
