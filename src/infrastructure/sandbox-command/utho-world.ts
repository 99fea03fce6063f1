import { UthoSandbox } from '../../sandbox/utho-sandbox.js';
import { LIFELIKE_TIMINGS } from '../../sandbox/utho/index.js';
import { HastyClock } from '../../sandbox/world/index.js';
import type { SandboxArguments } from './read-arguments.js';
import type { ServedWorld } from './served-world.js';
import { UTHO_GUIDE } from './utho-guide.js';

/** The pool that the autoscaler is to scale. */
const POOL = 'pool-sandbox';
const POOL_MAX = 10;
/** A pool that it is to leave alone. */
const STATIC_POOL = 'static-pool';
/** How often a kubelet renews its lease, by default. */
const HEARTBEAT_MS = 10_000;
/** From a worker that runs to its node, and to one that takes pods. */
const BOOT = { joinAfterMs: 20_000, readyAfterMs: 10_000 };
const AT_ONCE = { joinAfterMs: 0, readyAfterMs: 0 };

/** A world to play with by hand: a cluster with a pool that is scaled and one that is not. */
export function createUthoWorld({ speed, seed, workers }: SandboxArguments): ServedWorld {
  /** What is there at the beginning has booted long ago. */
  const old = new Set<string>();
  const world = new UthoSandbox({
    clock: new HastyClock(speed),
    seed,
    utho: { timings: LIFELIKE_TIMINGS },
    kubernetes: { heartbeatMs: HEARTBEAT_MS },
    nodeProfile: ({ name }) => (old.has(name) ? AT_ONCE : BOOT),
  });
  world.cloud.seedCluster({ label: 'sandbox' });
  world.cloud.seedPool({ id: POOL, max: Math.max(POOL_MAX, workers), workers });
  world.cloud.seedPool({ id: STATIC_POOL, planId: '10045', autoScale: false, min: null, max: null });
  for (const { name } of world.fleet.running()) old.add(name);
  return {
    sandbox: world,
    title: 'A simulated cluster on Utho',
    guide: UTHO_GUIDE,
    start: () => world.start(),
    stop: () => Promise.resolve(world.stop()),
  };
}
