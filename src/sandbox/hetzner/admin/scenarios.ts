import type { HetznerCloud } from '../hetzner-cloud.js';
import type { Timing } from '../settings.js';

const MINUTE_MS = 60_000;
const POOL_LABEL = 'hcloud/node-group';

const exactly = (meanMs: number): Timing => ({ meanMs, spreadMs: 0 });

/** Situations by name (`hetzner` 4.13); each says what differs from a healthy cloud. */
export const SCENARIOS: Readonly<Record<string, (cloud: HetznerCloud) => void>> = {
  happy: () => undefined,
  // The fixtures hold what these two need: a network with subnets, and an image that is too large.
  subnet: () => undefined,
  'snapshot-too-big': () => undefined,
  'stockout-one-location': (cloud) => sellOut(cloud, 'fsn1'),
  'stockout-async': (cloud) => {
    cloud.settings.stockFailure = 'async';
    sellOut(cloud, 'fsn1');
  },
  'quota-5': (cloud) => cloud.setQuotas({ servers: 5 }),
  'rate-limited': (cloud) => cloud.setRateLimit(60),
  'slow-create-6min': (cloud) => {
    cloud.settings.timings.createServer = exactly(6 * MINUTE_MS);
  },
  'create-504-but-created': (cloud) => {
    const body = JSON.stringify({ error: { code: 'timeout', message: 'timeout', details: null } });
    const action = { kind: 'commit-then-answer', status: 504, body } as const;
    cloud.faults.add({ match: { method: 'POST', path: '/v1/servers' }, times: 1, action });
  },
  'action-stuck': (cloud) => cloud.behaviour.stickActions('create_server'),
  'locked-by-firewall': (cloud) => {
    cloud.settings.timings.applyFirewall = exactly(30_000);
  },
  'pg-full-by-foreign': (cloud) => {
    const crowded = cloud.project().placementGroups.get(991);
    for (const id of [60_000_101, 60_000_102]) crowded?.members.add(id);
  },
  'list-lag-30s': (cloud) => cloud.setListLag(30_000),
  'two-clusters-one-project': (cloud) => {
    for (const number of [1, 2]) {
      const labels = { [POOL_LABEL]: 'pool1', 'hcloud/cluster': 'other' };
      cloud.seedServer({ name: `other-pool1-${number}`, labels, announced: false });
    }
  },
  'static-servers': (cloud) => void cloud.seedStaticServers(),
  'pool-removed': (cloud) => {
    cloud.seedServer({ name: 'removed-pool-1', labels: { [POOL_LABEL]: 'removed-pool' } });
  },
  'image-deprecated-then-deleted': (cloud) => {
    const { world } = cloud;
    for (const image of cloud.project().images.values()) {
      if (image.name !== 'ubuntu-24.04') continue;
      image.deprecatedMs = world.now();
      world.schedule(10 * MINUTE_MS, () => {
        image.deletedMs = world.now();
      });
    }
  },
  'token-revoked-midway': (cloud) => cloud.world.schedule(5 * MINUTE_MS, () => cloud.revokeToken()),
  'migration-window': (cloud) => {
    const moving = cloud.servers().filter((server) => server.status === 'running');
    for (const server of moving) cloud.setServerStatus(server.id, 'migrating');
    cloud.world.schedule(10 * MINUTE_MS, () => {
      for (const server of moving)
        if (server.status === 'migrating') cloud.setServerStatus(server.id, 'running');
    });
  },
  'network-100': (cloud) => {
    const network = cloud.project().networks.get(5500);
    for (let host = 100; host < 200; host++) network?.addresses.set(`10.20.2.${host}`, 60_001_000 + host);
  },
};

/** Throws a RangeError for an unknown name. */
export function applyScenario(cloud: HetznerCloud, name: string): void {
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (scenario === undefined)
    throw new RangeError(`no scenario '${name}'; known: ${Object.keys(SCENARIOS).join(', ')}`);
  scenario(cloud);
}

function sellOut(cloud: HetznerCloud, locationName: string): void {
  for (const type of cloud.world.catalogue.serverTypes) cloud.setStock(type.name, locationName, 0);
}
