import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { describeLeaderLockContract } from './leader-lock-contract.js';
import { lockWorldOn } from './lock-candidates.js';
import { Sandbox } from './sandbox.js';

function makeWorld() {
  const sandbox = new Sandbox();
  const { cluster } = sandbox;
  const failing = new Set<string>();
  sandbox.mount({
    handle: (request) =>
      failing.has(request.headers['user-agent'] ?? '')
        ? Promise.resolve({ status: 500, headers: {}, body: 'broken' })
        : cluster.front.handle(request),
  });
  return Promise.resolve(
    lockWorldOn(sandbox, failing, () => {
      const lease = cluster.get(kinds.LEASES, 'cluster-autoscaler', 'kube-system') as any;
      return lease?.spec.holderIdentity ?? '';
    }),
  );
}

describeLeaderLockContract('kubernetes', makeWorld);
