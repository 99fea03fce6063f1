import { exchange, isList, json, method, override } from './mutant.js';
import type { Mutant } from './mutant.js';

const PAGE_SIZE = 50;

export const LISTING_MUTANTS: readonly Mutant[] = [
  {
    rule: 'L1',
    fault: 'only machines whose nodes were seen are listed',
    twist: method((provider) => {
      const joined = new Set<string>();
      return {
        nodeGroupIdForNode: (node) => {
          joined.add(node.providerId);
          return provider.nodeGroupIdForNode(node);
        },
        nodeGroups: () =>
          provider.nodeGroups().map((group) => {
            const seen = group.instances.filter(({ id }) => joined.has(id));
            return { ...group, instances: seen, targetSize: seen.length };
          }),
      };
    }),
  },
  { rule: 'L2', fault: 'a list that is older than an order makes forget it', twist: asListed() },
  {
    rule: 'L4',
    fault: 'pages are counted, so that a machine is missed when another one goes meanwhile',
    twist: {
      front: (front, { cloud }) => {
        let pages = 0;
        return {
          handle: async (request) => {
            const response = await front.handle(request);
            if (!isList(request)) return response;
            pages = request.query.has('after') ? pages + 1 : 0;
            if (pages === 0) return response;
            const rest = [...cloud.machines.values()].slice(pages * PAGE_SIZE);
            return json(200, { machines: rest.slice(0, PAGE_SIZE), more: rest.length > PAGE_SIZE });
          },
        };
      },
    },
  },
  {
    rule: 'L4',
    fault:
      'pages are counted, the newest machine first, so that one is seen twice when another one comes meanwhile',
    twist: doubling(),
  },
  {
    rule: 'L5',
    fault: 'every machine of the account is looked at by itself',
    twist: exchange(async (request, send, response) => {
      const list = await response();
      if (!isList(request)) return list;
      const { machines } = JSON.parse(list.body as string) as { machines: { id: string }[] };
      for (const { id } of machines) await send({ ...request, path: `/v1/machines/${id}` });
      return list;
    }),
  },
  {
    rule: 'L6',
    fault: 'a list is never too old',
    twist: method((provider) => ({ refresh: (signal) => provider.refresh(signal).catch(() => undefined) })),
  },
  {
    rule: 'F1',
    fault: "a list that can't be read is an empty one",
    twist: exchange(async (request, _send, response) => {
      if (!isList(request)) return response();
      const list = await response().catch(() => json(500, {}));
      return list.status === 200 && isJson(list.body) ? list : json(200, { machines: [], more: false });
    }),
  },
  {
    rule: 'F2',
    fault: 'each refresh orders again what is there',
    twist: exchange(async (request, send, response) => {
      const list = await response();
      if (!isList(request)) return list;
      const { machines } = JSON.parse(list.body as string) as { machines: object[] };
      if (machines[0] !== undefined) {
        await send({ ...request, method: 'POST', body: JSON.stringify(machines[0]) });
      }
      return list;
    }),
  },
  {
    rule: 'F3',
    fault: 'what was listed once is not listed again',
    twist: method((provider) => ({
      refresh: async (signal) => {
        const isKnown = provider.nodeGroups().some((group) => group.instances.length > 0);
        if (!isKnown) await provider.refresh(signal);
      },
    })),
  },
  {
    rule: 'B3',
    fault: 'the status alone tells success: what is not in the answer does not exist',
    twist: exchange(async (request, _send, response) => {
      const list = await response();
      if (!isList(request) || list.status !== 200) return list;
      const { machines = [] } = JSON.parse(list.body as string) as { machines?: object[] };
      return json(200, { machines, more: false });
    }),
  },
];

/** Counted pages of a list with the newest machine first; what came twice is listed twice. */
function doubling(): Mutant['twist'] {
  let pages = 0;
  let seen: string[] = [];
  const timesSeen = (instanceId: string): number =>
    seen.filter((id) => instanceId.endsWith(`//${id}`)).length;
  return {
    front: (front, { cloud }) => ({
      handle: async (request) => {
        if (!isList(request)) return front.handle(request);
        pages = request.query.has('after') ? pages + 1 : 0;
        if (pages === 0) seen = [];
        const rest = [...cloud.machines.values()].reverse().slice(pages * PAGE_SIZE);
        await front.handle(request);
        const machines = rest.slice(0, PAGE_SIZE);
        seen.push(...machines.map(({ id }) => id));
        return json(200, { machines, more: rest.length > PAGE_SIZE });
      },
    }),
    provider: (provider) =>
      override(provider, {
        nodeGroups: () =>
          provider.nodeGroups().map((group) => ({
            ...group,
            instances: group.instances.flatMap((one) =>
              Array.from({ length: Math.max(1, timesSeen(one.id)) }, () => one),
            ),
          })),
      }),
  };
}

/** Shows of the machines only those of the latest list. */
function asListed(): Mutant['twist'] {
  let listed: ReadonlySet<string> | null = null;
  return {
    front: (front) => ({
      handle: async (request) => {
        const response = await front.handle(request);
        if (!isList(request)) return response;
        const { machines } = JSON.parse(response.body as string) as { machines: { id: string }[] };
        listed = new Set(machines.map(({ id }) => `tinycloud://${id}`));
        return response;
      },
    }),
    provider: (provider) =>
      override(provider, {
        increaseSize: async (...growth) => {
          const result = await provider.increaseSize(...growth);
          listed = null;
          return result;
        },
        nodeGroups: () =>
          provider.nodeGroups().map((group) => {
            const instances = group.instances.filter(({ id }) => listed?.has(id) ?? true);
            return { ...group, instances, targetSize: instances.length };
          }),
      }),
  };
}

function isJson(body: unknown): boolean {
  try {
    return typeof JSON.parse(body as string) === 'object';
  } catch {
    return false;
  }
}
