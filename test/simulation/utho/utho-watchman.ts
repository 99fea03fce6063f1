import type { FrontRequest } from '../../../src/sandbox/world/front.js';
import type { UthoSandbox } from '../../../src/sandbox/utho-sandbox.js';
import type { RecordedCall, WorkerEvent } from '../../../src/sandbox/utho/index.js';
import { isFinished, isMovable } from '../watchman.js';
import { STATIC_POOL } from './utho-pools.js';

const UPDATE = /^\/kubernetes\/[^/]+\/nodepool\/([^/]+)\/update$/;
const DELETION = /^\/v2\/kubernetes\/[^/]+\/nodepool\/([^/]+)\/(\d+)\/delete$/;
const DELETION_MARK = 'ToBeDeletedByClusterAutoscaler';

/** What became of living workers, by whose doing. */
export interface Losses {
  /** By a count of ours below the living workers, though no answer had shown what others had changed. */
  readonly races: number;
  /** By a platform that removed another worker than the one that we named. */
  readonly misfires: number;
}

/**
 * Judges every request of the program by the world as it really is: no living worker may go by our doing that was not
 * drained first.
 */
export class UthoWatchman {
  readonly breaches: string[] = [];

  constructor(private readonly sandbox: UthoSandbox) {}

  /** Before the request is served. */
  cloudRequest(request: FrontRequest): undefined {
    const deletion = DELETION.exec(request.path);
    if (request.method === 'DELETE' && deletion !== null)
      this.deletes(decodeURIComponent(deletion[1]!), deletion[2]!);
    return undefined;
  }

  /** At the end: what the platform made of our requests. */
  judge(): Losses {
    const { cloud } = this.sandbox;
    const calls = new Map(cloud.calls().map((call) => [call.number, call]));
    for (const call of calls.values()) this.judgeUpdate(call);
    const losses = { races: 0, misfires: 0 };
    for (const event of cloud.events('victim')) {
      if (event.cause.kind !== 'request' || event.state !== 'active') continue;
      const call = calls.get(event.cause.number)!;
      if (call.method === 'DELETE') losses.misfires++;
      else if (this.isRace(call, event)) losses.races++;
      else
        this.breach(`${call.path} with ${call.body} removed the living worker ${event.hostname}`, event.atMs);
    }
    return losses;
  }

  private judgeUpdate({ method, path, json, atMs }: RecordedCall): void {
    const pool = method === 'POST' ? UPDATE.exec(path)?.[1] : undefined;
    if (pool === undefined) return;
    const { count } = json as { readonly count: unknown };
    if (pool === STATIC_POOL) this.breach('the pool that is not autoscaled is written', atMs);
    if (count === '0') this.breach(`${pool} is set to 0, which removes it`, atMs);
  }

  private deletes(pool: string, id: string): void {
    const { cloud, cluster, clock } = this.sandbox;
    const worker = cloud.worker(id);
    if (worker === undefined || worker.state === 'deleting') return;
    if (pool === STATIC_POOL) this.breach(`worker ${worker.hostname} of nobody is deleted`, clock.now());
    const node = cluster.node(worker.hostname.toLowerCase());
    if (node === undefined || worker.state !== 'active') return;
    const isMarked = node.spec?.taints?.some(({ key }) => key === DELETION_MARK) === true;
    for (const pod of cluster.pods().filter(({ spec }) => spec.nodeName === node.metadata.name)) {
      if (!isMovable(pod) || isFinished(pod) || pod.metadata.deletionTimestamp !== undefined) continue;
      this.breach(
        `worker ${worker.hostname} is deleted under pod ${pod.metadata.name}, ${isMarked ? '' : 'not '}marked`,
        clock.now(),
      );
    }
  }

  /**
   * A count is absolute and can't be made conditional, so a change of others between the last answer that we had and our
   * write is nothing that any client could have known.
   */
  private isRace(call: RecordedCall, victim: WorkerEvent): boolean {
    const { cloud } = this.sandbox;
    const reads = cloud
      .calls({ method: 'GET' })
      .filter(
        ({ atMs, durationMs, status }) => status === 200 && atMs + (durationMs ?? Infinity) <= call.atMs,
      );
    const shownMs = (reads.at(-1)?.atMs ?? 0) - cloud.settings.readLagMs;
    return cloud
      .events()
      .some(
        ({ kind, poolId, cause, atMs }) =>
          (kind === 'count' || kind === 'lost') &&
          poolId === victim.poolId &&
          cause.kind !== 'request' &&
          atMs > shownMs &&
          atMs <= victim.atMs,
      );
  }

  private breach(text: string, atMs: number): void {
    if (this.breaches.length < 100) this.breaches.push(`${new Date(atMs).toISOString()} ${text}`);
  }
}
