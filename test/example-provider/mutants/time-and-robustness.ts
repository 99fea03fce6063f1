import type { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { FrontResponse } from '../../../src/sandbox/world/index.js';
import { LISTING_MUTANTS } from './listing.js';
import { exchange, isList, json, method, override } from './mutant.js';
import type { Mutant } from './mutant.js';

const { signal: NEVER } = new AbortController();

/** Faults of rules that are not mandatory. */
export const FURTHER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'M5',
    fault: 'a template has another label each time',
    twist: method((provider) => {
      let calls = 0;
      return {
        template: (groupId) => {
          const { node, pricePerHour } = provider.template(groupId);
          return {
            node: { ...node, labels: new Map(node.labels).set('serial', `${calls++}`) },
            pricePerHour,
          };
        },
      };
    }),
  },
  { rule: 'P2', fault: 'there is no price while the cloud is away', twist: priceless() },
  {
    rule: 'H1',
    fault: 'advice is not read',
    twist: exchange(async (_request, _send, response) => {
      const { headers, ...answer } = await response();
      return { ...answer, headers: { 'content-type': headers['content-type'] ?? '' } };
    }),
  },
  {
    rule: 'H1',
    fault: 'during a pause no list is too old',
    twist: method((provider) => ({
      refresh: (signal) =>
        provider.refresh(signal).catch((error: unknown) => {
          if ((error as CloudError).kind !== 'throttled') throw error;
        }),
    })),
  },
  { rule: 'H2', fault: 'every list is read twice', twist: readingMore(1) },
  {
    rule: 'H3',
    fault: 'a question without an answer is slept over for a minute',
    twist: {
      provider: (provider, { clock }) =>
        override(provider, {
          existence: async (node, signal) => {
            const answer = await provider.existence(node, signal);
            if (answer === 'unknown') await clock.sleep(60_000);
            return answer;
          },
        }),
    },
  },
  {
    rule: 'H3',
    fault: 'a cancellation waits for a minute',
    twist: {
      provider: (provider, { clock }) =>
        override(provider, {
          decreaseTargetSize: async (...shrink) => {
            await clock.sleep(60_000);
            return provider.decreaseTargetSize(...shrink);
          },
        }),
    },
  },
  {
    rule: 'H4',
    fault: 'an abort is not heard',
    twist: method((provider) => ({ refresh: () => provider.refresh(NEVER) })),
  },
  {
    rule: 'B1',
    fault: 'an answer that is not understood is an empty list',
    twist: exchange(async (request, _send, response) => {
      const answer = await response();
      return isList(request) && !hasMachines(answer) ? json(200, { machines: [], more: false }) : answer;
    }),
  },
  {
    rule: 'B2',
    fault: 'what is no JSON is an empty list',
    twist: exchange(async (request, _send, response) => {
      const answer = await response();
      const isOdd = isList(request) && !(answer.body as string).startsWith('{');
      return isOdd ? json(200, { machines: [], more: false }) : answer;
    }),
  },
  {
    rule: 'B4',
    fault: 'one bad pool fails every growth',
    twist: {
      provider: (provider, { cloud }) =>
        override(provider, {
          increaseSize: (groupId, ...growth) =>
            provider.increaseSize(cloud.withdrawn.size > 0 ? 'alpha' : groupId, ...growth),
        }),
    },
  },
  {
    rule: 'B4',
    fault: 'one bad pool fails every start',
    twist: method((provider) => ({
      start: async (signal) => {
        await provider.start(signal);
        for (const { id } of provider.nodeGroups()) provider.template(id);
      },
    })),
  },
  {
    rule: 'B5',
    fault: 'an answer is read to its end, however long',
    twist: exchange(async (_request, _send, response) => {
      const answer = await response();
      return { ...answer, body: (answer.body as string).trimEnd() };
    }),
  },
  {
    rule: 'B6',
    fault: 'a bad certificate is an API that is away',
    twist: exchange((_request, _send, response) =>
      response().catch(() => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      }),
    ),
  },
  { rule: 'S2', fault: 'each refresh orders again what is there', twist: twistOf('F2') },
  {
    rule: 'Q1',
    fault: 'every pool is listed by itself',
    twist: method((provider) => ({
      refresh: async (signal) => {
        for (let groups = provider.nodeGroups().length; groups > 0; groups--) await provider.refresh(signal);
      },
    })),
  },
  {
    rule: 'Q2',
    fault: 'the answer of each refresh is kept',
    twist: method((provider) => {
      const kept: string[][] = [];
      return {
        refresh: (signal) => {
          kept.push(Array.from({ length: 100 }, (_, index) => `${kept.length}-${index}`));
          return provider.refresh(signal);
        },
      };
    }),
  },
  {
    rule: 'Q3',
    fault: 'all is listed after each order',
    twist: exchange(async (request, send, response) => {
      const answer = await response();
      const list = { ...request, method: 'GET', path: '/v1/machines', body: '' };
      if (request.method === 'POST') for (let reads = 0; reads < 5; reads++) await send(list);
      return answer;
    }),
  },
];

function twistOf(rule: string): Mutant['twist'] {
  return LISTING_MUTANTS.find((mutant) => mutant.rule === rule)!.twist;
}

/** Prices of the last exchange only. */
function priceless(): Mutant['twist'] {
  let isDown = false;
  return {
    front: (front) => ({
      handle: async (request) => {
        isDown = true;
        const response = await front.handle(request);
        isDown = false;
        return response;
      },
    }),
    provider: (provider) =>
      override(provider, {
        template: (groupId) => {
          const { node, pricePerHour } = provider.template(groupId);
          return { node, pricePerHour: isDown ? null : pricePerHour };
        },
      }),
  };
}

function readingMore(times: number): Mutant['twist'] {
  return exchange(async (request, send, response) => {
    if (isList(request)) for (let reads = 0; reads < times; reads++) await send(request);
    return response();
  });
}

function hasMachines({ body }: FrontResponse): boolean {
  return typeof body === 'string' && body.includes('"machines":[');
}
