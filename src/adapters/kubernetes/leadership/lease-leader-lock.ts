import { inject, injectable } from 'inversify';
import type { V1Lease } from '@kubernetes/client-node';
import { ClusterReadError } from '../../../application/ports/cluster-reader.js';
import { ClusterWriter } from '../../../application/ports/cluster-writer.js';
import { Incidents } from '../../../application/ports/incidents.js';
import type { LeaderLock, Leadership } from '../../../application/ports/leader-lock.js';
import { Random } from '../../../application/ports/random.js';
import { KubernetesConnection } from '../connection/connect-kubernetes.js';
import { hasStatus } from '../writing/write-failure.js';
import { LeaseClient } from './lease-client.js';
import { LeaseLeadership } from './lease-leadership.js';
import { LeaseObserver } from './lease-observer.js';
import { heldLease } from './lease-record.js';

export interface LeaseOptions {
  /** Host name: the pod's name. */
  readonly identity: string;
  /** `--namespace`, default `kube-system`; `--leader-elect-resource-namespace` counts for nothing, as upstream. */
  readonly namespace?: string;
  /** `--leader-elect-resource-name`, default `cluster-autoscaler`. */
  readonly name?: string;
  /** `--leader-elect-lease-duration`, default 15 s. */
  readonly leaseDurationMs?: number;
  /** `--leader-elect-renew-deadline`, default 10 s; below the lease duration. */
  readonly renewDeadlineMs?: number;
  /** `--leader-elect-retry-period`, default 2 s. */
  readonly retryPeriodMs?: number;
}

export const LeaseOptions = Symbol('LeaseOptions');

/** Pauses of a candidate grow by up to a fifth, so that candidates spread. */
const JITTER = 0.2;
const INCIDENT = 'leader-lease';

/** Leadership over a `coordination.k8s.io/v1` Lease. */
@injectable()
export class LeaseLeaderLock implements LeaderLock {
  private readonly terms: Required<LeaseOptions>;
  private readonly lease: LeaseClient;

  constructor(
    @inject(KubernetesConnection) private readonly connection: KubernetesConnection,
    @inject(Random) private readonly random: Random,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(ClusterWriter) private readonly writer: Pick<ClusterWriter, 'recordEvent'>,
    @inject(LeaseOptions) options: LeaseOptions,
  ) {
    this.terms = {
      namespace: 'kube-system',
      name: 'cluster-autoscaler',
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2_000,
      ...options,
    };
    this.lease = new LeaseClient(connection.leases, connection.clock, this.terms);
  }

  /**
   * Waits until the lease is ours. Rejects with the signal's reason when it aborts, and with ClusterReadError `forbidden`
   * when nodes may not be read: a standby without its role is told at its start, not on the day that it has to lead
   * (`interface` 6).
   */
  async acquire(signal: AbortSignal): Promise<Leadership> {
    const { clock } = this.connection;
    await this.assertNodesAreReadable();
    const observer = new LeaseObserver();
    for (;;) {
      signal.throwIfAborted();
      const pauseMs = this.terms.retryPeriodMs * (1 + JITTER * this.random.next());
      const attempt = await this.attempt(observer);
      if (attempt.held !== null) {
        const leadership = this.lead(attempt.held, attempt.startMs);
        if (!signal.aborted) return leadership;
        await leadership.release();
        continue;
      }
      // Wakes up when the holder's time is over, not up to a pause later.
      const untilFreeMs = attempt.freeAtMs - clock.now();
      await clock.sleep(untilFreeMs > 0 ? Math.min(pauseMs, untilFreeMs) : pauseMs, signal);
    }
  }

  /** Other trouble than a refusal is left to the attempts that follow; they tell of it. */
  private async assertNodesAreReadable(): Promise<void> {
    try {
      await this.connection.core.listNode({ limit: 1 });
    } catch (error) {
      if (!hasStatus(error, 401) && !hasStatus(error, 403)) return;
      const remedy = 'bind the ClusterRole of deploy/hetzner/rbac.yaml to its service account';
      throw new ClusterReadError('forbidden', `the program may not list nodes; ${remedy}`, { cause: error });
    }
  }

  /** Looks, and takes the lease if it is free or was ours before this process was restarted. */
  private async attempt(
    observer: LeaseObserver,
  ): Promise<{ readonly held: V1Lease | null; readonly startMs: number; readonly freeAtMs: number }> {
    const { clock } = this.connection;
    const { identity, leaseDurationMs, renewDeadlineMs } = this.terms;
    const timeoutMs = renewDeadlineMs / 2;
    const startMs = clock.now();
    try {
      const known = await this.lease.read(timeoutMs);
      this.incidents.over(INCIDENT);
      if (known !== null) {
        observer.observe(known, clock.now());
        const freeAtMs = observer.freeAtMs(known, leaseDurationMs);
        const isOurs = known.spec?.holderIdentity === identity;
        if (!isOurs && clock.now() < freeAtMs) return { held: null, startMs, freeAtMs };
      }
      const takenMs = clock.now();
      const spec = heldLease(known, { identity, durationMs: leaseDurationMs }, takenMs);
      return { held: await this.lease.write(known, spec, timeoutMs), startMs: takenMs, freeAtMs: 0 };
    } catch (error) {
      // A conflict is a race lost to another candidate, no trouble.
      if (!hasStatus(error, 409))
        this.incidents.happened(INCIDENT, "the leader lease can't be read or taken", error);
      return { held: null, startMs, freeAtMs: 0 };
    }
  }

  private lead(held: V1Lease, renewedMs: number): Leadership {
    const { identity } = this.terms;
    const { namespace, name } = this.lease.place;
    const announce = (message: string): void =>
      this.writer.recordEvent({
        subject: { kind: 'Lease', namespace, name, uid: held.metadata?.uid ?? '' },
        type: 'Normal',
        reason: 'LeaderElection',
        message: `${identity} ${message}`,
      });
    announce('became leader');
    return new LeaseLeadership(
      { lease: this.lease, clock: this.connection.clock, terms: this.terms, held, renewedMs },
      () => announce('stopped leading'),
    );
  }
}
