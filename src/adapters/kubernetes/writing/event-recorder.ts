import {
  CoreV1Event,
  PatchStrategy,
  V1EventSource,
  V1ObjectMeta,
  V1ObjectReference,
} from '@kubernetes/client-node';
import type { CoreV1Api } from '@kubernetes/client-node';
import type { ClusterEvent, EventSubject } from '../../../application/ports/cluster-writer.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { Incidents } from '../../../application/ports/incidents.js';
import type { Logger } from '../../../application/ports/logger.js';
import type { Random } from '../../../application/ports/random.js';
import { ApiStatusError } from '../connection/api-error.js';
import { callOptions, model } from '../connection/client-node-api.js';
import type { CorrelatedEvent, EventCorrelator } from './event-correlator.js';
import { LruMap } from './lru-map.js';
import { hasStatus } from './write-failure.js';

const COMPONENT = 'cluster-autoscaler';
/** Cluster-scoped objects have their events here. */
const DEFAULT_NAMESPACE = 'default';
const API_VERSIONS: Readonly<Record<EventSubject['kind'], string>> = {
  Pod: 'v1',
  Node: 'v1',
  ConfigMap: 'v1',
  Lease: 'coordination.k8s.io/v1',
};
/** `interface` 5.1: queue, attempts, pause. */
const QUEUE_EVENTS_MAX = 1_000;
const ATTEMPTS_MAX = 12;
const ATTEMPT_PAUSE_MS = 10_000;
/** Events kept by name for the patch of a repeat; as many as the correlator counts. */
const SENT_EVENTS_MAX = 4_096;
/** Longest name of an object; the time stamp behind it takes up to 17. */
const NAME_LENGTH_MAX = 253;
const FLUSH_MS = 3_000;
const INCIDENT = 'events';

export interface EventRecorderParts {
  readonly events: CoreV1Api;
  readonly correlator: EventCorrelator;
  readonly clock: Clock;
  readonly random: Random;
  readonly incidents: Incidents;
  readonly logger: Logger;
}

/** Sends events one after the other in the background (`interface` 5). Never throws, never waits. */
export class EventRecorder {
  private readonly queue: CorrelatedEvent[] = [];
  private readonly sent = new LruMap<{ readonly namespace: string; readonly name: string }>(SENT_EVENTS_MAX);
  private sending: Promise<void> | null = null;
  /** Tells events of one millisecond apart. */
  private serial = 0n;

  constructor(private readonly parts: EventRecorderParts) {}

  record(event: ClusterEvent): void {
    const correlated = this.parts.correlator.correlate(event, this.parts.clock.now());
    if (correlated === null) return;
    if (this.queue.length >= QUEUE_EVENTS_MAX) {
      this.parts.incidents.happened(INCIDENT, 'events are dropped: too many wait to be sent');
      return;
    }
    this.queue.push(correlated);
    this.sending ??= this.drain();
  }

  /** Settles when all is sent, or after three seconds. */
  async flush(): Promise<void> {
    if (this.sending === null) return;
    const done = new AbortController();
    const tooLong = this.parts.clock.sleep(FLUSH_MS, done.signal).catch(() => undefined);
    await Promise.race([this.sending, tooLong]);
    done.abort();
  }

  private async drain(): Promise<void> {
    try {
      for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift())
        await this.deliver(next);
    } finally {
      this.sending = null;
    }
  }

  private async deliver(event: CorrelatedEvent): Promise<void> {
    const { clock, random, incidents, logger } = this.parts;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        await this.send(event);
        incidents.over(INCIDENT);
        const { reason, subject } = event.event;
        logger.debug('event-sent', event.message, {
          reason,
          subject: `${subject.namespace}/${subject.name}`,
        });
        return;
      } catch (error) {
        if (isRejection(error)) {
          logger.debug('event-rejected', 'the API server rejected an event', { detail: String(error) });
          return;
        }
        incidents.happened(INCIDENT, "events can't be sent", error);
      }
      // The first pause is random, so that several senders don't come back as one.
      await clock.sleep(ATTEMPT_PAUSE_MS * (attempt === 1 ? random.next() : 1));
    }
  }

  /** A repeat is a patch of the event that was sent, unless that is gone (the server keeps events for an hour). */
  private async send(event: CorrelatedEvent): Promise<void> {
    const { events } = this.parts;
    const known = this.sent.get(event.key);
    if (known !== undefined) {
      const body = { count: event.count, lastTimestamp: seconds(event.lastMs), message: event.message };
      try {
        await events.patchNamespacedEvent(
          { ...known, body },
          callOptions({ contentType: PatchStrategy.MergePatch }),
        );
        return;
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
      }
    }
    const namespace = event.event.subject.namespace || DEFAULT_NAMESPACE;
    const body = this.eventObject(event, namespace);
    await events.createNamespacedEvent({ namespace, body });
    this.sent.set(event.key, { namespace, name: body.metadata.name ?? '' });
  }

  private eventObject(correlated: CorrelatedEvent, namespace: string): CoreV1Event {
    const { subject, type, reason } = correlated.event;
    return model(CoreV1Event, {
      metadata: model(V1ObjectMeta, { namespace, name: this.nameFor(subject) }),
      involvedObject: model(V1ObjectReference, {
        apiVersion: API_VERSIONS[subject.kind],
        kind: subject.kind,
        name: subject.name,
        uid: subject.uid,
        ...(subject.namespace !== '' && { namespace: subject.namespace }),
      }),
      type,
      reason,
      message: correlated.message,
      count: correlated.count,
      firstTimestamp: seconds(correlated.firstMs),
      lastTimestamp: seconds(correlated.lastMs),
      source: model(V1EventSource, { component: COMPONENT }),
      reportingComponent: COMPONENT,
    });
  }

  /** Name of the object, a dot, the time in nanoseconds as hexadecimal digits. */
  private nameFor(subject: EventSubject): string {
    this.serial = (this.serial + 1n) % 1_000_000n;
    const nanoseconds = BigInt(Math.floor(this.parts.clock.now())) * 1_000_000n + this.serial;
    const suffix = `.${nanoseconds.toString(16)}`;
    return subject.name.slice(0, NAME_LENGTH_MAX - suffix.length).replace(/[-.]+$/, '') + suffix;
  }
}

/** Times of events have whole seconds. */
function seconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}

/** Another attempt would be rejected as well. */
function isRejection(error: unknown): boolean {
  return error instanceof ApiStatusError && error.status < 500 && error.status !== 429;
}
