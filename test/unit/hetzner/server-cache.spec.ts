import type { CallOptions } from '../../../src/adapters/hetzner/client/hetzner-client.js';
import type { Server } from '../../../src/adapters/hetzner/client/records.js';
import { Telemetry } from '../../../src/adapters/hetzner/client/telemetry.js';
import { ServerCache } from '../../../src/adapters/hetzner/state/server-cache.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import {
  RecordedIncidents,
  RecordedLog,
  RecordedMetrics,
} from '../../integration/hetzner/hetzner-harness.js';

function server(id: number, fields: Partial<Server> = {}): Server {
  return {
    id,
    name: `s-${id}`,
    status: 'running',
    createdMs: 0,
    labels: new Map([['hcloud/node-group', 'pool1']]),
    locked: false,
    networks: [],
    deleteProtected: false,
    volumeCount: 0,
    ...fields,
  };
}

function build(isBudgetLow = false) {
  // A clock without tasks: a thousand fills take long on one that lets other work come to rest.
  const time = { nowMs: 0 };
  const clock = {
    now: () => time.nowMs,
    advance: (ms: number) => void (time.nowMs += ms),
    sleep: (ms: number) => Promise.resolve(void (time.nowMs += ms)),
    yield: () => Promise.resolve(),
  };
  const cloud = { servers: [] as Server[], lists: 0, finds: 0, listed: null as Server[] | null };
  const source = {
    isBudgetLow: () => isBudgetLow,
    fetch: (_options: CallOptions) => {
      cloud.lists++;
      return Promise.resolve({ servers: cloud.listed ?? cloud.servers, unsteady: false });
    },
    find: (id: number) => {
      cloud.finds++;
      return Promise.resolve(cloud.servers.find((one) => one.id === id) ?? null);
    },
  };
  const telemetry = new Telemetry(new RecordedLog(), new RecordedMetrics(), new RecordedIncidents());
  const cache = new ServerCache(source, 60_000, clock, new SeededRandom(7), telemetry);
  const options = { signal: new AbortController().signal };
  const refresh = () => cache.refresh(options);
  const refill = async () => {
    cache.invalidate();
    await refresh();
  };
  return { clock, cloud, cache, refresh, refill };
}

describe('cache of servers', () => {
  // hetzner 7/26
  it('lives for 5 to 55 seconds, spread by one draw a fill', async () => {
    const { clock, cloud, refresh } = build();
    const lifetimes = new Set<number>();
    for (let fill = 0; fill < 1_000; fill++) {
      await refresh();
      const before = cloud.lists;
      const startMs = clock.now();
      let seconds = 0;
      while (cloud.lists === before) {
        clock.advance(1_000);
        await refresh();
        seconds++;
      }
      expect(clock.now() - startMs).toBeLessThanOrEqual(56_000);
      lifetimes.add(seconds);
    }
    expect(Math.min(...lifetimes)).toBeGreaterThanOrEqual(5);
    expect(lifetimes.size).toBeGreaterThan(40);
  });

  it('lives for five minutes while the budget is low', async () => {
    const { clock, cloud, refresh } = build(true);
    await refresh();
    clock.advance(299_000);
    await refresh();
    expect(cloud.lists).toBe(1);
    clock.advance(1_000);
    await refresh();
    expect(cloud.lists).toBe(2);
  });

  it('keeps its own news against a list that lags behind', async () => {
    const { cloud, cache, refill, clock } = build();
    await refill();
    cache.put(server(1));
    await refill();
    expect(cache.byId(1)).toBeDefined();
    clock.advance(121_000);
    await refill();
    expect(cache.byId(1)).toBeUndefined();
    expect(cache.poolOfVanished(1)).toBe('pool1');
    expect(cloud.finds).toBe(1);
  });

  it('lists again before it believes that most servers are gone', async () => {
    const { cloud, cache, refill, clock } = build();
    cloud.servers = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => server(id));
    await refill();
    cloud.listed = [];
    const lists = cloud.lists;
    const startMs = clock.now();
    await refill();
    expect(cloud.lists).toBe(lists + 2);
    expect(clock.now() - startMs).toBe(2_000);
    expect([...cache.all()]).toEqual([]);
  });

  it('asks for single servers that a list lacks', async () => {
    const { cloud, cache, refill } = build();
    cloud.servers = [1, 2, 3, 4, 5].map((id) => server(id));
    await refill();
    cloud.listed = cloud.servers.slice(1);
    cloud.servers = cloud.servers.filter((one) => one.id !== 1 && one.id !== 2);
    cloud.servers.push(server(1));
    cloud.listed = cloud.listed.filter((one) => one.id !== 2);
    await refill();
    expect([...cache.all()].map((one) => one.id).sort()).toEqual([1, 3, 4, 5]);
    expect(cache.poolOfVanished(2)).toBe('pool1');
  });

  it('forgets vanished servers after a quarter of an hour', async () => {
    const { cloud, cache, refill, clock } = build();
    cloud.servers = [server(1)];
    await refill();
    cloud.servers = [];
    await refill();
    expect(cache.poolOfVanished(1)).toBe('pool1');
    clock.advance(16 * 60_000);
    await refill();
    expect(cache.poolOfVanished(1)).toBeUndefined();
  });
});
