import type { Clock } from '../../../application/ports/clock.js';
import type { ClusterReader } from '../../../application/ports/cluster-reader.js';
import type { ClusterRecord } from '../client/records.js';
import type { UthoApi } from '../client/utho-api.js';
import { refused } from '../refusal.js';
import { KubernetesNodes } from './kubernetes-nodes.js';

/** A refresh must be over within a minute (`utho` 3.9): the last attempt starts by then and takes no longer again. */
const READ_MS_MAX = 30_000;
/**
 * A read that took longer may be out of date when the write that follows it is sent. Our decision: one second for the
 * answer, one for the way.
 */
const SLOW_READ_MS = 2_000;
const SECOND_LOOKS_MAX = 2;

/** The cluster as one request showed it. */
export interface ClusterRead {
  readonly record: ClusterRecord;
  /** Order of the moments at which reads and changes began: milliseconds are too coarse to tell. */
  readonly ticket: number;
  readonly startedMs: number;
  readonly nodes: KubernetesNodes;
}

/** Reads the cluster. Throws what the API throws. */
export class ClusterReads {
  /** Set by the start-up checks. */
  clusterId: string | null = null;
  private tickets = 0;

  constructor(
    private readonly api: UthoApi,
    private readonly reader: ClusterReader,
    private readonly clock: Clock,
  ) {}

  nextTicket(): number {
    return ++this.tickets;
  }

  get startedClusterId(): string {
    if (this.clusterId !== null) return this.clusterId;
    throw refused('not-started', 'the start-up checks have not passed');
  }

  async read(signal: AbortSignal): Promise<ClusterRead> {
    const ticket = this.nextTicket();
    const startedMs = this.clock.now();
    const options = { signal, deadlineMs: startedMs + READ_MS_MAX };
    const record = await this.api.cluster(this.startedClusterId, options);
    return { record, ticket, startedMs, nodes: KubernetesNodes.of(this.reader) };
  }

  /** For a write that follows: as new as the API's answers allow. */
  async readFresh(signal: AbortSignal): Promise<ClusterRead> {
    let read = await this.read(signal);
    for (let looks = 0; looks < SECOND_LOOKS_MAX && this.isSlow(read); looks++)
      read = await this.read(signal);
    return read;
  }

  private isSlow({ startedMs }: ClusterRead): boolean {
    return this.clock.now() - startedMs > SLOW_READ_MS;
  }
}
