import { writeFileSync } from 'node:fs';
import { KUBERNETES, Program } from '../program/program.js';
import { serviceAccountToken } from '../../../src/sandbox/kubernetes/index.js';
import { load } from '../../unit/deploy/manifests.js';
import {
  ACCESS,
  MINUTE,
  POOL,
  SMALL_PLAN,
  createUthoWorld,
  endWell,
  fileWith,
  runningPods,
  untilReady,
  workerIds,
} from './utho-world.js';

describe('the manifests of deploy/utho', () => {
  it('grant all that a growth, a drain and a deletion ask for', async () => {
    const world = createUthoWorld();
    const { cloud, cluster } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 6 });
    cluster.apply(...load('utho/rbac.yaml'));
    await untilReady(world);
    const kubeconfig = fileWith('');
    const token = serviceAccountToken('kube-system', 'cluster-autoscaler');
    writeFileSync(kubeconfig, cluster.kubeconfig(KUBERNETES, { token }));
    const [deployment] = load('utho/deployment.yaml');
    const flags = deployment.spec.template.spec.containers[0].command.slice(1);
    const program = await Program.start(world, [
      ...flags,
      `--cloud-config=${fileWith(ACCESS)}`,
      `--kubeconfig=${kubeconfig}`,
    ]);
    const [stress] = load('utho/stress-test.yaml');
    cluster.apply(stress);
    await world.clock.runUntil(() => runningPods(world, 'stress-test').length === 10, 15 * MINUTE);
    expect(workerIds(world)).toHaveLength(5);
    // Two pods on each node: what is left of them has to move.
    cluster.scaleDeployment('stress-test', 3);
    await world.clock.runUntil(() => workerIds(world).length === 2, 90 * MINUTE);
    expect(cluster.requests.list(({ path }) => path.endsWith('/eviction')).length).toBeGreaterThan(0);
    expect(cluster.requests.list(({ status }) => status === 403)).toEqual([]);
    await endWell(program, world);
  });
});
