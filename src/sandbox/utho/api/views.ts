import type { UthoSettings } from '../settings.js';
import { liveWorkers } from '../state/records.js';
import type { Cluster, Plan, Pool, Worker, WorkerWords } from '../state/records.js';
import type { UthoWorld } from '../state/world.js';
import { FieldTypes } from './field-types.js';

const NETWORK = '10.0.0.0/24';
const BANDWIDTH = '1000';

/** Places by slug (`utho` 2); towns as on the map. */
const DATA_CENTRES: Readonly<
  Record<string, { readonly city: string; readonly country: string; readonly cc: string }>
> = {
  innoida: { city: 'Noida', country: 'India', cc: 'in' },
  inmumbaizone2: { city: 'Mumbai', country: 'India', cc: 'in' },
  inbangalore: { city: 'Bangalore', country: 'India', cc: 'in' },
  defra1: { city: 'Frankfurt', country: 'Germany', cc: 'de' },
  uslosangeles: { city: 'Los Angeles', country: 'United States', cc: 'us' },
};

/** Everything that the API shows, in the shape of `utho` 3.4 and 3.8. */
export class Views {
  private readonly types: FieldTypes;

  constructor(private readonly world: UthoWorld) {
    this.types = new FieldTypes(world.settings, world.types);
  }

  cluster(cluster: Cluster): unknown {
    const { readStatus, readRcode } = this.world.settings;
    const pools = new Map([...cluster.pools.values()].map((pool) => [pool.id, this.pool(pool, cluster)]));
    return {
      info: { cluster: this.clusterInfo(cluster), master: this.master(cluster) },
      vpc: [{ id: cluster.vpc, is_vpc: '1', vpc_network: NETWORK }],
      nodepools: this.types.map(pools),
      load_balancers: [],
      target_groups: [],
      security_groups: [],
      ...(readStatus === 'success' && { status: 'success' }),
      ...(readRcode !== 'omitted' && { rcode: readRcode }),
    };
  }

  clusterRow(cluster: Cluster): unknown {
    const { digits } = this;
    const { master } = cluster;
    const workers = [...cluster.pools.values()].flatMap(liveWorkers);
    return {
      id: digits(cluster.id),
      cloudid: digits(master.cloudId),
      hostname: cluster.label,
      dcslug: cluster.dcslug,
      ...this.shape(master.planId),
      status: cluster.status,
      app_status: 'Installed',
      powerstatus: cluster.powerStatus,
      ip: master.publicIp,
      worker_count: digits(workers.filter(({ cloudId }) => cloudId !== null).length),
      created_at: timestamp(cluster.createdMs),
      cost: this.types.money(0, 'number'),
    };
  }

  /** What an update answers in the form that only the vendor's SDK declares. */
  updatedPool(pool: Pool, cluster: Cluster): Readonly<Record<string, unknown>> {
    return {
      id: pool.id,
      size: pool.planId,
      cost: this.price(pool.planId) * pool.count,
      planid: pool.planId,
      count: pool.count,
      auto_scale: pool.autoScale ? '1' : '0',
      min_nodes: pool.minSize,
      max_nodes: pool.maxSize,
      policies: pool.policies,
      workers: shown(pool).map((worker) => this.worker(worker, pool, cluster)),
    };
  }

  plan({ id, name, slug, cpu, ramMb, diskGb, price, available }: Plan): unknown {
    const { digits } = this;
    return {
      ...{ id: digits(id), type: 'ramcpu', slug, name },
      ...{ disk: digits(diskGb), ram: digits(ramMb), cpu: digits(cpu), bandwidth: digits(BANDWIDTH) },
      dedicated_vcore: slug.startsWith('dedicated') ? '1' : '0',
      price: this.types.money(price, 'number'),
      is_available: available ? 'YES' : 'NO',
    };
  }

  resizePlan({ id, slug, cpu, ramMb, diskGb, price }: Plan): unknown {
    const { digits } = this;
    return {
      ...{ id: digits(id), type: 'ramcpu', slug, plantype: slug },
      ...{ disk: digits(diskGb), ram: digits(ramMb), cpu: digits(cpu), bandwidth: digits(BANDWIDTH) },
      ...{ price: this.types.money(price, 'number'), monthly: this.types.money(price, 'number') },
    };
  }

  dataCentre(slug: string): unknown {
    const { cc, country, city } = placeOf(slug);
    return {
      ...{ id: '9', slug, cc, country, city, status: 'active' },
      ...{ default_cpu: 'amd', available_cpumodels: ['amd'] },
      ...{ ebs_available: true, public_ip_available: true },
    };
  }

  /** A worker as a plain instance; which fields there are is a guess. */
  instance(worker: Worker, cluster: Cluster): unknown {
    const { status } = wordsOf(worker, this.world.settings);
    return {
      ...{ cloudid: this.digits(worker.cloudId ?? ''), hostname: worker.hostname, dcslug: cluster.dcslug },
      ...this.shape(worker.planId),
      ...{ status, powerstatus: worker.state === 'active' ? 'Running' : 'Stopped', ip: worker.publicIp },
      planid: this.digits(worker.planId),
      created_at: timestamp(worker.createdMs),
    };
  }

  private readonly digits = (value: string | number): string | number => this.types.digits(value);

  private clusterInfo(cluster: Cluster): unknown {
    const { digits } = this;
    const { cc, country, city } = placeOf(cluster.dcslug);
    return {
      id: digits(cluster.id),
      ...{ version: cluster.version, label: cluster.label, dcslug: cluster.dcslug },
      endpoint: `https://${cluster.master.publicIp}:6443`,
      ipv4: cluster.master.publicIp,
      ...{ status: cluster.status, powerstatus: cluster.powerStatus, nodepools: digits(cluster.pools.size) },
      ...{ vpc: cluster.vpc, userid: '4711', dns: `${cluster.id}.example` },
      ...{ auto_upgrade: '0', surge_upgrade: '0', public_ip_enabled: '1', tags: '' },
      ...{ created_at: timestamp(cluster.createdMs), updated_at: '', deleted_at: '' },
      dclocation: { location: city, country, dc: cluster.dcslug, dccc: cc },
    };
  }

  private master({ master, dcslug, vpc }: Cluster): unknown {
    return {
      ...{ cloudid: this.digits(master.cloudId), hostname: master.hostname, ...this.shape(master.planId) },
      ...{ cost: this.types.money(0, 'text'), app_status: 'Installed', dcslug },
      ...{ planid: this.digits(master.planId), ip: master.publicIp },
      private_network: { ip: master.privateIp, vpc, vpc_network: NETWORK },
    };
  }

  private pool(pool: Pool, cluster: Cluster): unknown {
    const { types, digits } = this;
    return {
      ...(this.world.settings.poolIds === 'listed' && { id: pool.id }),
      size: digits(pool.planId),
      cost: types.money(this.price(pool.planId) * pool.count, 'number'),
      planid: digits(pool.planId),
      ip: pool.ip,
      count: digits(pool.count),
      auto_scale: types.flag(pool.autoScale),
      ...types.bounds(pool.minSize, pool.maxSize),
      policies: types.list(pool.policies),
      workers: types.list(shown(pool).map((worker) => this.worker(worker, pool, cluster))),
      ...pool.distortion,
    };
  }

  private worker(worker: Worker, pool: Pool, { vpc }: Cluster): unknown {
    const { settings } = this.world;
    const { status, appStatus } = wordsOf(worker, settings);
    const isShapeless = settings.emptyPendingShape && !worker.hasRun;
    const network = worker.privateIp === '' ? ['', '', ''] : [worker.privateIp, vpc, NETWORK];
    return {
      ...{ cloudid: this.digits(worker.cloudId ?? ''), nodepool: pool.id, hostname: worker.hostname },
      ...this.shape(isShapeless ? '' : worker.planId),
      ...{ cost: this.types.money(this.price(worker.planId), 'text'), bandwidth: this.digits(BANDWIDTH) },
      ...{ app_status: appStatus, ip: worker.publicIp, planid: this.digits(worker.planId), status },
      private_network: { ip: network[0], vpc: network[1], vpc_network: network[2] },
      // A field of this name is a guess.
      ...(worker.message !== '' && { message: worker.message }),
      ...worker.distortion,
    };
  }

  /** Empty for a plan that is not there. */
  private shape(planId: string): Readonly<Record<string, unknown>> {
    const plan = this.world.plans.get(planId);
    const field = (value: number | undefined): unknown => this.digits(value ?? '');
    return { ram: field(plan?.ramMb), cpu: field(plan?.cpu), disksize: field(plan?.diskGb) };
  }

  private price(planId: string): number {
    return this.world.plans.get(planId)?.price ?? 0;
  }
}

/** Workers with a record. */
function shown(pool: Pool): readonly Worker[] {
  return pool.workers.filter(({ cloudId }) => cloudId !== null);
}

function wordsOf(worker: Worker, { dialect }: UthoSettings): WorkerWords {
  if (worker.words !== null) return worker.words;
  switch (worker.state) {
    case 'active':
      return {
        status: dialect === 'ccm' ? 'Installed' : 'Active',
        appStatus: dialect === 'sdk' ? 'Active' : 'Installed',
      };
    case 'failed':
      return { status: 'Failed', appStatus: 'Failed' };
    case 'deleting':
      return { status: 'Deleting', appStatus: 'Deleting' };
    case 'requested':
    case 'pending':
      return { status: 'Pending', appStatus: 'Pending' };
  }
}

function placeOf(slug: string): { readonly city: string; readonly country: string; readonly cc: string } {
  return Object.hasOwn(DATA_CENTRES, slug) ? DATA_CENTRES[slug]! : { city: slug, country: 'India', cc: 'in' };
}

/** As the API writes moments: `2026-01-05 10:00:00`. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
