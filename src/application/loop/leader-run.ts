import { inject, injectable } from 'inversify';
import { LoopHealth } from '../health/loop-health.js';
import { Clock } from '../ports/clock.js';
import { CloudProvider } from '../ports/cloud-provider.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Incidents } from '../ports/incidents.js';
import { LeaderLock } from '../ports/leader-lock.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { MetricsExposition } from '../ports/metrics-exposition.js';
import { SnapshotDesk } from '../report/snapshot-desk.js';
import { Autoscaler } from './autoscaler.js';
import { loopErrorType } from './loop-error.js';
import { LoopReporter } from './loop-reporter.js';
import { LoopTrigger } from './loop-trigger.js';
import { StatusWriter } from './status-writer.js';

/** How a run as leader ended. */
export type RunEnd = 'stopped' | 'leadership-lost';

/** The life of one replica: waits for leadership, fills the caches, iterates until told to stop, cleans up. */
@injectable()
export class LeaderRun {
  constructor(
    @inject(LeaderLock) private readonly lock: LeaderLock,
    @inject(ClusterReader) private readonly reader: ClusterReader,
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(CloudProvider) private readonly cloud: CloudProvider,
    @inject(Autoscaler) private readonly autoscaler: Autoscaler,
    @inject(LoopTrigger) private readonly trigger: LoopTrigger,
    @inject(LoopReporter) private readonly reporter: LoopReporter,
    @inject(StatusWriter) private readonly status: StatusWriter,
    @inject(LoopHealth) private readonly health: LoopHealth,
    @inject(SnapshotDesk) private readonly snapshots: SnapshotDesk,
    @inject(MetricsExposition) private readonly exposition: MetricsExposition,
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
  ) {}

  /**
   * Settles after `stop` aborts or leadership is lost. Throws what makes a start impossible: CloudError, or
   * ClusterReadError `forbidden`.
   */
  async run(stop: AbortSignal): Promise<RunEnd> {
    this.logger.info('leadership-awaited', 'waits for leadership; nothing is done until then');
    const leadership = await this.lock.acquire(stop);
    this.logger.info('leadership-won', 'leads; cluster and cloud are read now');
    const work = AbortSignal.any([stop, leadership.lost]);
    try {
      await this.prepare(work);
      await this.iterate(work);
    } catch (error) {
      if (!work.aborted) throw error;
    } finally {
      this.tellEnd(stop, leadership.lost);
      await this.cleanUp(leadership.lost);
      if (!leadership.lost.aborted) await leadership.release();
    }
    return leadership.lost.aborted ? 'leadership-lost' : 'stopped';
  }

  private tellEnd(stop: AbortSignal, lost: AbortSignal): void {
    if (lost.aborted)
      this.logger.error('leadership-lost', `ends without a further write: ${messageOf(lost)}`);
    else if (stop.aborted) this.logger.info('stopping', `ends in good order: ${messageOf(stop)}`);
  }

  private async prepare(work: AbortSignal): Promise<void> {
    this.exposition.showAutoscalerSeries();
    await this.reader.start(work);
    await this.cloud.start(work);
    this.health.startMonitoring();
    await this.status.writeInitializing(work);
    this.tellStart();
  }

  private tellStart(): void {
    const groups = this.cloud.nodeGroups().map(({ id, minSize, maxSize }) => `${id} ${minSize}-${maxSize}`);
    // A cloud that keeps the groups itself has not been asked for them yet.
    const what =
      groups.length === 0
        ? 'autoscaling; the first refresh shows which node groups there are'
        : `autoscaling ${groups.length} node groups`;
    this.logger.info('autoscaler-started', what, { groups });
  }

  private async iterate(work: AbortSignal): Promise<void> {
    const stopListening = this.trigger.listen();
    try {
      while (!work.aborted) {
        this.trigger.runStarts(this.autoscaler.recentActivity);
        await this.iterateOnce(work);
        await this.trigger.wait(this.autoscaler.recentActivity, work);
      }
    } finally {
      stopListening();
    }
  }

  /** An iteration that fails is counted and told once; the next one follows all the same. */
  private async iterateOnce(work: AbortSignal): Promise<void> {
    const startedMs = this.clock.now();
    this.health.loopStarted();
    this.reporter.mark('main');
    this.snapshots.beginLoop();
    try {
      await this.autoscaler.runOnce(work);
      this.health.loopSucceeded();
      this.reporter.mark('mainSuccessful');
      this.incidents.over('loop');
    } catch (error) {
      if (work.aborted) return;
      const type = loopErrorType(error);
      this.metrics.add('errors_total', 1, { type });
      this.incidents.happened('loop', `iterations end early: ${type}`, error);
    }
    this.snapshots.finishLoop();
    this.reporter.measure('main', startedMs);
  }

  /** After a lost leadership nothing may be written any more: the status belongs to the next leader. */
  private async cleanUp(lost: AbortSignal): Promise<void> {
    if (!lost.aborted) await this.status.remove();
    this.snapshots.close();
    await this.cloud.cleanup();
    await this.reader.stop();
    await this.writer.flush();
  }
}

function messageOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}
