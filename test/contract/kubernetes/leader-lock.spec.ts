import { LeaseLeaderLock } from '../../../src/adapters/kubernetes/index.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { describeLeaderLockContract } from './leader-lock-contract.js';
import type { LockWorld } from './leader-lock-contract.js';
import { Sandbox } from './sandbox.js';

function makeWorld(): Promise<LockWorld> {
  const sandbox = new Sandbox();
  const { clock, cluster } = sandbox;
  const failing = new Set<string>();
  sandbox.mount({
    handle: (request) =>
      failing.has(request.headers['user-agent'] ?? '')
        ? Promise.resolve({ status: 500, headers: {}, body: 'broken' })
        : cluster.front.handle(request),
  });
  let serial = 0;
  return Promise.resolve({
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
      const connection = await sandbox.connect({ userAgent, clock: ownClock });
      const { random, incidents } = sandbox.process(userAgent);
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
    holder: () => {
      const lease = cluster.get(kinds.LEASES, 'cluster-autoscaler', 'kube-system') as any;
      return lease?.spec.holderIdentity ?? '';
    },
  });
}

describeLeaderLockContract('kubernetes', makeWorld);
