import type { ApiClient, Json, Watch } from './api-client.js';

/** What the scheduler wrote into the condition PodScheduled. */
export interface Scheduled {
  /** `Unschedulable`, or `SchedulerError`. */
  readonly reason: string;
  readonly message: string;
}

const VERDICT_MS_MAX = 30_000;

/** Watches all pods for the scheduler's first word about each. */
export class PodConditions {
  private readonly known = new Map<string, Scheduled>();
  private readonly waiting = new Map<string, (scheduled: Scheduled) => void>();

  private constructor(private readonly watch: Watch) {
    void this.read(watch.lines);
  }

  static async follow(client: ApiClient): Promise<PodConditions> {
    const { metadata } = await client.must('GET', '/api/v1/pods?limit=1');
    const { resourceVersion } = metadata as { resourceVersion: string };
    const query = `watch=1&timeoutSeconds=86400&resourceVersion=${resourceVersion}`;
    return new PodConditions(await client.watch(`/api/v1/pods?${query}`));
  }

  stop(): void {
    this.watch.close();
  }

  /** Rejects where the scheduler says nothing for long. */
  async of(uid: string): Promise<Scheduled> {
    const known = this.known.get(uid);
    if (known !== undefined) return known;
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Scheduled>((resolve, reject) => {
        this.waiting.set(uid, resolve);
        patience = setTimeout(() => reject(new Error(`no word about pod ${uid}`)), VERDICT_MS_MAX);
      });
    } finally {
      clearTimeout(patience);
      this.waiting.delete(uid);
    }
  }

  private async read(lines: AsyncIterable<string>): Promise<void> {
    try {
      for await (const line of lines) this.take(JSON.parse(line) as Json);
    } catch {
      // Stopped: whoever still waits is told by the clock.
    }
  }

  private take({ type, object }: Json): void {
    const { uid } = object.metadata as { uid: string };
    if (type === 'DELETED') {
      this.known.delete(uid);
      return;
    }
    const condition = (object.status?.conditions ?? []).find((each: Json) => each['type'] === 'PodScheduled');
    if (condition?.status !== 'False' || condition.reason === 'SchedulingGated') return;
    const scheduled: Scheduled = { reason: condition.reason ?? '', message: condition.message ?? '' };
    this.known.set(uid, scheduled);
    this.waiting.get(uid)?.(scheduled);
  }
}
