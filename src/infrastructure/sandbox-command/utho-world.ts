import type { NodeProfile } from '../../sandbox/kubernetes/index.js';
import { UthoSandbox } from '../../sandbox/utho-sandbox.js';
import { LIFELIKE_TIMINGS } from '../../sandbox/utho/index.js';
import { AcceleratedClock } from '../../sandbox/world/index.js';
import type { Machine } from '../../sandbox/world/index.js';
import type { SandboxArguments } from './read-arguments.js';
import type { ServedWorld } from './served-world.js';
import { UTHO_GUIDE } from './utho-guide.js';

/** The pool that the autoscaler is to scale. */
const POOL = 'pool-sandbox';
const POOL_MAX = 10;
/** A pool that it is to leave alone. */
const STATIC_POOL = 'static-pool';
const SEEDED_PREFIX = `${POOL}-seeded-`;
/** How often a kubelet renews its lease, by default. */
const HEARTBEAT_MS = 10_000;

/** A world to play with by hand: a cluster with a pool that is scaled and one that is not. */
export function createUthoWorld({ speed, seed, workers }: SandboxArguments): ServedWorld {
  const world = new UthoSandbox({
    clock: new AcceleratedClock(speed),
    seed,
    utho: { timings: LIFELIKE_TIMINGS },
    kubernetes: { heartbeatMs: HEARTBEAT_MS },
    nodeProfile: profileOf,
  });
  world.cloud.seedCluster({ label: 'sandbox' });
  const hostnames = Array.from({ length: workers }, (_none, index) => `${SEEDED_PREFIX}${index + 1}`);
  world.cloud.seedPool({
    id: POOL,
    max: Math.max(POOL_MAX, workers),
    workers: hostnames.map((hostname) => ({ hostname })),
  });
  world.cloud.seedPool({ id: STATIC_POOL, planId: '10045', autoScale: false, min: null, max: null });
  return {
    sandbox: world,
    title: 'A simulated cluster on Utho',
    guide: UTHO_GUIDE,
    start: () => world.start(),
    stop: () => Promise.resolve(world.stop()),
  };
}

/** What is there at the beginning has booted long ago; others need a while after they run. */
function profileOf({ name }: Machine): NodeProfile {
  const isNew = name.startsWith(`${POOL}-`) && !name.startsWith(SEEDED_PREFIX);
  return isNew ? { joinAfterMs: 20_000, readyAfterMs: 10_000 } : { joinAfterMs: 0, readyAfterMs: 0 };
}
