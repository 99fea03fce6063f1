import { ApiError } from '../objects/api-error.js';
import { EVENTS } from '../objects/kinds.js';
import type { KubeObject } from '../objects/object.js';
import { parseTimestamp } from '../objects/time.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import { refOf } from './reconciler.js';

/** `--event-ttl` of the API server. */
const EVENT_TTL_MS = 60 * 60_000;
const SWEEP_MS = 10 * 60_000;
/** Series whose repeats are counted; the oldest is forgotten, and would begin anew. */
const SERIES_MAX = 4_096;

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Events of the control plane, written as its parts write them: a repeat raises the count. */
export class EventRecorder {
  private readonly series = new Map<string, string>();
  private serial = 0;

  constructor(
    private readonly registry: Registry,
    private readonly component: string,
  ) {}

  record(subject: KubeObject, { type, reason, message }: EventText): void {
    const { name, namespace = 'default', uid } = subject.metadata;
    const key = [uid, reason, message].join('|');
    if (this.countRepeat(namespace, this.series.get(key))) return;
    const now = this.registry.now();
    const eventName = `${name}.${(this.registry.clock.now() * 1_000 + this.serial++).toString(16)}`;
    this.remember(key, eventName);
    const manifest = {
      metadata: { name: eventName },
      involvedObject: { kind: subject.kind, namespace, name, uid, apiVersion: subject.apiVersion },
      type,
      reason,
      message,
      source: { component: this.component },
      reportingComponent: this.component,
      reportingInstance: '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      eventTime: null,
    };
    try {
      this.registry.create(EVENTS, manifest, namespace);
    } catch (error) {
      // Nobody fails for an event: its namespace may be on its way out.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private countRepeat(namespace: string, name: string | undefined): boolean {
    if (name === undefined) return false;
    const updated = this.registry.modify(EVENTS, { namespace, name }, (draft) => {
      draft.count = (draft.count ?? 1) + 1;
      draft.lastTimestamp = this.registry.now();
    });
    return updated !== undefined;
  }

  private remember(key: string, eventName: string): void {
    this.series.set(key, eventName);
    if (this.series.size > SERIES_MAX) this.series.delete(this.series.keys().next().value!);
  }
}

/** Forgets events after an hour, those of clients too. */
export class EventExpiry {
  private stopped = true;

  constructor(private readonly registry: Registry) {}

  start(): void {
    this.stopped = false;
    this.sweepLater();
  }

  stop(): void {
    this.stopped = true;
  }

  private sweepLater(): void {
    this.registry.clock.schedule(SWEEP_MS, () => {
      if (this.stopped) return;
      const limitMs = this.registry.clock.now() - EVENT_TTL_MS;
      for (const event of this.registry.store.list(EVENTS)) {
        const seen = event.lastTimestamp ?? event.metadata.creationTimestamp;
        if (parseTimestamp(seen) <= limitMs) deleteObject(this.registry, EVENTS, refOf(event));
      }
      this.sweepLater();
    });
  }
}
