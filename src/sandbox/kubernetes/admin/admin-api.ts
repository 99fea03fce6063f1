import { ApiError, badRequest, errorResponse, noSuchPath } from '../objects/api-error.js';
import { resourceOf } from '../objects/kind.js';
import { KINDS } from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { KubernetesCluster } from '../kubernetes-cluster.js';
import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import { applyFaultDocument, CLUSTER_FAULTS } from './fault-documents.js';

const ROOT = '/_sandbox';

type Command = (request: FrontRequest) => unknown;

/** The world's own interface beside the API: `/_sandbox/…`, JSON, without tokens. */
export class AdminApi implements Front {
  private readonly commands: Readonly<Record<string, Command>>;

  constructor(private readonly cluster: KubernetesCluster) {
    const { faults } = cluster;
    this.commands = {
      [`GET ${ROOT}`]: () => ({ endpoints: Object.keys(this.commands), faults: CLUSTER_FAULTS }),
      [`GET ${ROOT}/state`]: () => this.state(),
      [`GET ${ROOT}/requests`]: (request) => this.requests(request),
      [`GET ${ROOT}/faults`]: () => ({
        faults: faults.requests.list().map(({ id, seen, hits }) => ({ id, seen, hits })),
      }),
      [`POST ${ROOT}/faults`]: (request) => this.addFaults(request),
      [`DELETE ${ROOT}/faults`]: () => this.clearFaults(),
    };
  }

  handle(request: FrontRequest): Promise<FrontResponse> {
    return Promise.resolve(this.answer(request));
  }

  private answer(request: FrontRequest): FrontResponse {
    try {
      const key = `${request.method} ${request.path}`;
      const command = Object.hasOwn(this.commands, key) ? this.commands[key] : undefined;
      if (command === undefined) throw noSuchPath();
      const body = JSON.stringify(command(request) ?? {});
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      return errorResponse(error instanceof ApiError ? error : badRequest(String(error)));
    }
  }

  private state(): unknown {
    const { registry, faults } = this.cluster;
    const counts = KINDS.map((kind) => [resourceOf(kind), registry.store.collection(kind).size] as const);
    return {
      nowMs: registry.clock.now(),
      resourceVersion: registry.store.revision.toString(),
      objects: Object.fromEntries(counts.filter(([, count]) => count > 0)),
      openWatches: faults.openWatches(),
      requests: this.cluster.requests.count,
    };
  }

  /** `?since=` world time in ms. */
  private requests(request: FrontRequest): unknown {
    const sinceMs = Number(request.query.get('since') ?? 0);
    return { requests: this.cluster.requests.list(({ atMs }) => atMs >= sinceMs) };
  }

  /** One document, or `{ rules: [...] }`. */
  private addFaults(request: FrontRequest): unknown {
    const body: unknown = JSON.parse(request.body);
    const rules = isRecord(body) && Array.isArray(body['rules']) ? (body['rules'] as unknown[]) : [body];
    return { ids: rules.map((rule) => applyFaultDocument(this.cluster, rule)) };
  }

  private clearFaults(): void {
    this.cluster.faults.clear();
    this.cluster.keepGhosts(false);
  }
}

/** The Kubernetes API, and the admin interface under `/_sandbox`, as one service. */
export function frontWithAdmin(cluster: KubernetesCluster): Front {
  const admin = new AdminApi(cluster);
  const isOwn = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);
  return { handle: (request) => (isOwn(request.path) ? admin : cluster.front).handle(request) };
}
