import type { MachineRemoval } from '../../domain/readiness/index.js';
import type { Clock } from '../ports/clock.js';
import type { CloudProvider, MachineReference, ReleaseResult } from '../ports/cloud-provider.js';
import { failureOf } from './cloud-failure.js';

type Cause = MachineReference['cause'];

/** How one removal ended. */
export interface ReleaseEnd {
  readonly removal: MachineRemoval;
  readonly cause: Cause;
  /** By instance id; empty when all machines were released. */
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * How long an iteration waits for the cloud, as for the answer to a growth. A cloud may ask again for minutes while a
 * machine is locked, and nothing else may wait for that.
 */
const PATIENCE_MS = 5_000;

/** Deletes machines without holding up the loop: what takes longer ends in the background and is told later. */
export class PatientRelease {
  /** By cause and group: one at a time. Bounded by the groups. */
  private readonly underWay = new Set<string>();
  private ended: ReleaseEnd[] = [];

  constructor(
    private readonly cloud: CloudProvider,
    private readonly clock: Clock,
  ) {}

  /** What ended since the last call, removals asked for before included. Groups whose last removal still goes on wait. */
  async release(
    removals: readonly MachineRemoval[],
    cause: Cause,
    signal: AbortSignal,
  ): Promise<readonly ReleaseEnd[]> {
    const begun = removals
      .filter(({ groupId }) => !this.underWay.has(keyOf(cause, groupId)))
      .map((removal) => this.begin(removal, cause, signal));
    if (begun.length > 0) await this.waitFor(Promise.all(begun), signal);
    const ended = this.ended.filter((end) => end.cause === cause);
    this.ended = this.ended.filter((end) => end.cause !== cause);
    return ended;
  }

  /** Never rejects. */
  private async begin(removal: MachineRemoval, cause: Cause, signal: AbortSignal): Promise<void> {
    const key = keyOf(cause, removal.groupId);
    this.underWay.add(key);
    const problems = await this.ask(removal, cause, signal);
    this.underWay.delete(key);
    // What an abort cut short is the successor's affair.
    if (!signal.aborted) this.ended.push({ removal, cause, problems });
  }

  private async ask(
    { groupId, machines, force }: MachineRemoval,
    cause: Cause,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const references = machines.map(({ id, name }) => ({ instanceId: id, name, cause }));
    try {
      return problemsOf(await this.cloud.deleteInstances(groupId, references, { force, signal }));
    } catch (error) {
      const { message } = failureOf(error);
      return new Map(machines.map(({ id }) => [id, message]));
    }
  }

  private async waitFor(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const patience = this.clock.sleep(PATIENCE_MS, AbortSignal.any([signal, done.signal]));
    await Promise.race([work, patience.catch(() => undefined)]);
    done.abort();
  }
}

function keyOf(cause: Cause, groupId: string): string {
  return `${cause} ${groupId}`;
}

function problemsOf(results: readonly ReleaseResult[]): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap(({ instanceId, failure }) => (failure === null ? [] : [[instanceId, failure.message]])),
  );
}
