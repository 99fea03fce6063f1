import type { Machine, MachineShape } from '../../world/machine.js';
import type { Cluster, Plan, Pool, Worker } from './records.js';
import type { UthoWorld } from './world.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The machine behind a worker, as kubelets and the cloud controller see it. Its labels are those of its node. */
export function workerMachine(world: UthoWorld, cluster: Cluster, pool: Pool, worker: Worker): Machine {
  return {
    ...machine(world, cluster, { ...worker, cloudId: worker.cloudId ?? '' }),
    labels: {
      ...clusterLabels(cluster),
      node_id: worker.cloudId ?? '',
      nodepool_id: pool.id,
    },
  };
}

/** The machine of the control plane. It belongs to no pool. */
export function masterMachine(world: UthoWorld, cluster: Cluster): Machine {
  const { master } = cluster;
  return {
    ...machine(world, cluster, master),
    labels: { ...clusterLabels(cluster), node_id: master.cloudId },
  };
}

function machine(
  world: UthoWorld,
  cluster: Cluster,
  { cloudId, hostname, planId, publicIp, privateIp }: Cluster['master'],
): Omit<Machine, 'labels'> {
  return {
    providerId: `utho://${cloudId}`,
    name: hostname.toLowerCase(),
    shape: shapeOf(planOf(world, planId)),
    region: cluster.dcslug,
    // The cloud controller sets no zone (`utho` 2).
    zone: '',
    userData: '',
    privateIp,
    publicIp,
  };
}

function clusterLabels({ id, dcslug, vpc }: Cluster): Readonly<Record<string, string>> {
  return { cluster_id: id, cluster_dcslug: dcslug, cluster_vpc: vpc };
}

/** Throws a RangeError for a plan that is not in the catalogue: no machine of it can exist. */
export function planOf(world: UthoWorld, planId: string): Plan {
  const plan = world.plans.get(planId);
  if (plan === undefined) throw new RangeError(`the catalogue has no plan '${planId}'`);
  return plan;
}

function shapeOf(plan: Plan): MachineShape {
  return {
    typeName: plan.id,
    cpuCores: plan.cpu,
    memoryBytes: plan.ramMb * MIB,
    diskBytes: plan.diskGb * GIB,
    arch: 'amd64',
  };
}
