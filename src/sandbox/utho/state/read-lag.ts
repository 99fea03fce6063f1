import type { UthoSettings } from '../settings.js';
import type { Cluster } from './records.js';

interface Moment {
  readonly atMs: number;
  readonly cluster: Cluster;
}

interface Staleness {
  readonly before: Cluster;
  readsLeft: number;
}

/** States of one cluster remembered, at most. */
const MOMENTS_MAX = 1_000;

/** What reads show of a cluster: the present, or what it was some time or some reads ago (`utho` 5.1). */
export class ReadLag {
  private readonly moments = new Map<string, Moment[]>();
  private readonly stale = new Map<string, Staleness>();

  constructor(
    private readonly now: () => number,
    private readonly settings: UthoSettings,
  ) {}

  /** Reads show this state, whatever was before. */
  settle(cluster: Cluster): void {
    this.stale.delete(cluster.id);
    this.moments.delete(cluster.id);
    if (this.settings.readLagMs > 0) {
      this.moments.set(cluster.id, [{ atMs: -Infinity, cluster: structuredClone(cluster) }]);
    }
  }

  /** Something changed. */
  changed(cluster: Cluster): void {
    if (this.settings.readLagMs <= 0) return;
    const moments = this.moments.get(cluster.id) ?? [];
    moments.push({ atMs: this.now(), cluster: structuredClone(cluster) });
    const shown = this.shownIndex(moments);
    this.moments.set(cluster.id, moments.slice(Math.max(shown, moments.length - MOMENTS_MAX)));
  }

  /** A client is about to write. */
  beforeWrite(cluster: Cluster): void {
    const { readLagReads } = this.settings;
    if (readLagReads <= 0) return;
    const before = this.stale.get(cluster.id)?.before ?? structuredClone(cluster);
    this.stale.set(cluster.id, { before, readsLeft: readLagReads });
  }

  read(cluster: Cluster): Cluster {
    const stale = this.stale.get(cluster.id);
    if (stale !== undefined) {
      if (stale.readsLeft === 1) this.stale.delete(cluster.id);
      stale.readsLeft--;
      return stale.before;
    }
    if (this.settings.readLagMs <= 0) return cluster;
    const moments = this.moments.get(cluster.id) ?? [];
    return moments[this.shownIndex(moments)]?.cluster ?? cluster;
  }

  private shownIndex(moments: readonly Moment[]): number {
    const shownMs = this.now() - this.settings.readLagMs;
    return Math.max(
      0,
      moments.findLastIndex(({ atMs }) => atMs <= shownMs),
    );
  }
}
