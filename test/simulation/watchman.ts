import { POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';
import type { HetznerSandbox } from '../../src/sandbox/hetzner-sandbox.js';
import { kinds } from '../../src/sandbox/kubernetes/index.js';
import type { Pod } from '../../src/sandbox/kubernetes/index.js';
import type { FrontRequest, FrontResponse } from '../../src/sandbox/world/front.js';
import type { Pool } from './pools.js';

type OnAnswer = ((response: FrontResponse) => void) | undefined;

const HOUR = 60 * 60_000;
/** A budget as young as this may not have been heard of yet. */
const YOUNG_BUDGET_MS = 5 * 60_000;
/** Servers may outlive the pods that they were bought for by so long: the program itself is away now and then. */
const DEMAND_MEMORY_MS = 30 * 60_000;
/** HCLOUD_SERVER_CREATION_TIMEOUT. */
const CREATION_MS = 5 * 60_000;
const EVICTION = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/eviction$/;
const WRITABLE = [
  /^\/api\/v1\/nodes\/[^/]+$/,
  /^\/api\/v1\/namespaces\/[^/]+\/events(\/[^/]+)?$/,
  /^\/api\/v1\/namespaces\/kube-system\/configmaps(\/cluster-autoscaler-status)?$/,
  /^\/apis\/coordination.k8s.io\/v1\/namespaces\/kube-system\/leases(\/cluster-autoscaler)?$/,
];

/** Looks at every request of the program with the eyes of the world as it really is, and writes down what is wrong. */
export class Watchman {
  readonly breaches: string[] = [];
  /** When each pod was last seen alive, by uid. */
  private readonly demand = new Map<string, number>();

  constructor(
    private readonly sandbox: HetznerSandbox,
    private readonly pools: readonly Pool[],
  ) {}

  kubernetesRequest(request: FrontRequest): OnAnswer {
    if (request.method === 'GET') return undefined;
    const eviction = EVICTION.exec(request.path);
    if (eviction !== null) this.evicts(decodeURIComponent(eviction[1]!), decodeURIComponent(eviction[2]!));
    else if (!WRITABLE.some((path) => path.test(request.path))) {
      this.breach(`${request.method} ${request.path} is nothing that the program may write`);
    } else if (request.method === 'DELETE' && !request.path.endsWith('/cluster-autoscaler-status')) {
      this.breach(`DELETE ${request.path}`);
    } else if (request.path.startsWith('/api/v1/nodes/')) this.writesNode(request.path.split('/').at(-1)!);
    return undefined;
  }

  cloudRequest(request: FrontRequest): OnAnswer {
    const deletion = /^\/v1\/servers\/(\d+)$/.exec(request.path);
    if (request.method === 'DELETE' && deletion !== null) return this.deletes(Number(deletion[1]));
    if (request.method === 'POST' && request.path === '/v1/servers') return () => this.ordered();
    return undefined;
  }

  /** To be called now and then: remembers which pods wanted room. */
  look(): void {
    const nowMs = this.sandbox.clock.now();
    for (const pod of this.sandbox.cluster.pods()) {
      if (isMovable(pod) && !isFinished(pod)) this.demand.set(pod.metadata.uid, nowMs);
    }
    for (const [uid, seenMs] of this.demand) {
      if (seenMs < nowMs - DEMAND_MEMORY_MS) this.demand.delete(uid);
    }
  }

  private evicts(namespace: string, name: string): void {
    const pod = this.sandbox.cluster.pod(name, namespace);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    const why = this.mustStay(pod);
    if (why !== null) this.breach(`pod ${namespace}/${name} is evicted, but ${why}`);
  }

  /** Null: it may be moved. */
  private mustStay(pod: Pod): string | null {
    const { namespace = '', annotations = {}, ownerReferences = [], creationTimestamp } = pod.metadata;
    if (annotations['kubernetes.io/config.mirror'] !== undefined) return 'it is a mirror pod';
    if (ownerReferences.some(({ kind }) => kind === 'DaemonSet')) return null;
    const verdict = annotations['cluster-autoscaler.kubernetes.io/safe-to-evict'];
    if (verdict === 'true') return null;
    if (verdict === 'false') return 'it is not safe to evict';
    if (ownerReferences.length === 0) return 'nobody would replace it';
    const ageMs = this.sandbox.clock.now() - Date.parse(creationTimestamp);
    if (namespace === 'kube-system' && ageMs < HOUR) return 'it is a system pod without budget';
    const volumes = (pod.spec['volumes'] ?? []) as readonly Record<string, unknown>[];
    if (namespace !== 'kube-system' && volumes.some((volume) => volume['emptyDir'] !== undefined))
      return 'it has local storage';
    return this.hasForbiddingBudget(pod) ? 'its budget allows none' : null;
  }

  private hasForbiddingBudget(pod: Pod): boolean {
    return this.sandbox.cluster
      .list(kinds.DISRUPTION_BUDGETS, pod.metadata.namespace)
      .some(({ metadata, spec }) => {
        const ageMs = this.sandbox.clock.now() - Date.parse(metadata.creationTimestamp);
        const app = spec.selector?.matchLabels?.['app'];
        return spec.maxUnavailable === 0 && app === pod.metadata.labels?.['app'] && ageMs > YOUNG_BUDGET_MS;
      });
  }

  private writesNode(name: string): void {
    const node = this.sandbox.cluster.node(decodeURIComponent(name));
    if (node !== undefined && node.metadata.labels?.[POOL_LABEL] === undefined)
      this.breach(`node ${name} of nobody's pool is written`);
  }

  private deletes(id: number): OnAnswer {
    const { cloud, cluster } = this.sandbox;
    const server = cloud.servers().find((one) => one.id === id);
    if (server === undefined || server.status === 'deleting') return undefined;
    const pool = this.pools.find(({ name }) => name === server.labels[POOL_LABEL]);
    if (pool === undefined) {
      this.breach(`server ${server.name} of nobody's pool is deleted`);
      return undefined;
    }
    const node = cluster.node(server.name);
    if (node === undefined) return undefined;
    for (const pod of cluster.pods().filter(({ spec }) => spec.nodeName === server.name)) {
      if (!isMovable(pod) || isFinished(pod) || pod.metadata.deletionTimestamp !== undefined) continue;
      this.breach(
        `server ${server.name} is deleted under pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name}`,
      );
    }
    const isReady = node.status?.conditions?.some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    );
    const left = this.living(pool.name) - 1;
    if (isReady === true && left < pool.min)
      this.breach(
        `server ${server.name} is deleted, which leaves ${left} of at least ${pool.min} in ${pool.name}`,
      );
    return undefined;
  }

  private living(pool: string): number {
    return this.sandbox.poolServers(pool).filter(({ status }) => status !== 'deleting').length;
  }

  /** Without those that came to nothing: they may linger while they are locked, and don't keep others from coming. */
  private promising(pool: string): number {
    const youngestMs = this.sandbox.clock.now() - CREATION_MS;
    return this.sandbox.cloud
      .servers()
      .filter(({ labels }) => labels[POOL_LABEL] === pool)
      .filter(
        ({ status, createdMs }) => status === 'running' || (isOnItsWay(status) && createdMs > youngestMs),
      ).length;
  }

  /** After a request for a server, whatever its answer. */
  private ordered(): void {
    this.look();
    const sizes = this.pools.map((pool) => ({ pool, living: this.promising(pool.name) }));
    for (const { pool, living } of sizes) {
      if (living > pool.max) this.breach(`${pool.name} has ${living} servers, more than ${pool.max}`);
    }
    const total = sizes.reduce((sum, { living }) => sum + living, 0);
    const floor = this.pools.reduce((sum, { min }) => sum + min, 0);
    // Each server beyond the minimum was bought for at least one pod that lived a short while ago.
    const pods = this.demand.size;
    if (total > floor + pods)
      this.breach(`${total} servers for at most ${pods} pods and a minimum of ${floor}`);
    const unlabelled = this.sandbox.cloud
      .servers()
      .filter(({ name, labels }) => !name.startsWith('static') && labels[POOL_LABEL] === undefined);
    for (const { name } of unlabelled) this.breach(`server ${name} has no pool label`);
  }

  private breach(text: string): void {
    const line = `${new Date(this.sandbox.clock.now()).toISOString()} ${text}`;
    if (this.breaches.length < 100) this.breaches.push(line);
  }
}

function isOnItsWay(status: string): boolean {
  return status === 'initializing' || status === 'starting';
}

/** Neither a DaemonSet's nor a mirror pod. */
export function isMovable(pod: Pod): boolean {
  const { annotations = {}, ownerReferences = [] } = pod.metadata;
  if (annotations['kubernetes.io/config.mirror'] !== undefined) return false;
  return !ownerReferences.some(({ kind }) => kind === 'DaemonSet');
}

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}
