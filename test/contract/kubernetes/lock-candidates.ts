import { LeaseLeaderLock } from '../../../src/adapters/kubernetes/index.js';
import type {
  KubernetesConnection,
  KubernetesConnectionOptions,
} from '../../../src/adapters/kubernetes/index.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import type { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import type { LockWorld } from './leader-lock-contract.js';
import type { Process } from './sandbox.js';

/** An API server, simulated or real, that candidates reach under virtual time. */
interface ServedWorld {
  readonly clock: VirtualClock;
  process(seed: string): Process;
  connect(options: Partial<KubernetesConnectionOptions>): Promise<KubernetesConnection>;
}

/** Candidates, told apart by their user agents: requests of those in `failing` are not served. */
export function lockWorldOn(
  world: ServedWorld,
  failing: Set<string>,
  holder: LockWorld['holder'],
): LockWorld {
  const { clock } = world;
  let serial = 0;
  return {
    nowMs: () => clock.now(),
    pass: (ms) => clock.advance(ms),
    complete: (promise) => clock.complete(promise),
    candidate: async (identity, clockErrorMs = 0) => {
      const userAgent = `${identity}-${serial++}`;
      const ownClock: Clock = {
        now: () => clock.now() + clockErrorMs,
        sleep: (ms, signal) => clock.sleep(ms, signal),
        yield: () => clock.yield(),
      };
      const connection = await world.connect({ userAgent, clock: ownClock });
      const { random, incidents } = world.process(userAgent);
      const writer = { recordEvent: () => undefined };
      const lock = new LeaseLeaderLock(connection, random, incidents, writer, { identity });
      return {
        lock,
        failing: (isFailing) => {
          if (isFailing) failing.add(userAgent);
          else failing.delete(userAgent);
        },
      };
    },
    holder,
  };
}
