import type { ClusterEvent } from '../../../application/ports/cluster-writer.js';
import { LruMap } from './lru-map.js';

export interface EventCorrelatorOptions {
  /** `--record-duplicated-events`. */
  readonly recordDuplicatedEvents: boolean;
  /** The status ConfigMap: on it every distinct message passes. */
  readonly statusMap: { readonly namespace: string; readonly name: string };
}

/** An event that may be sent, with what is known of its repeats. */
export interface CorrelatedEvent {
  readonly event: ClusterEvent;
  /** Merged text once there are ten different messages, else the event's own. */
  readonly message: string;
  /** Equal for repeats of one event. */
  readonly key: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

interface Similar {
  readonly messages: ReadonlySet<string>;
  readonly lastMs: number;
}

/** `interface` 5.4; the numbers are upstream's and client-go's. */
const REFILL_MS = 300_000;
const SIMILAR_MESSAGES_MAX = 10;
const SIMILAR_WINDOW_MS = 600_000;
const COMBINED_PREFIX = '(combined from similar events): ';
const DEFAULT_MODE = { burst: 1, keysMax: 8_192 };
const DUPLICATES_MODE = { burst: 25, keysMax: 4_096 };
const CACHE_KEYS_MAX = 4_096;

/**
 * Decides which events are sent, as client-go's correlator does: similar ones are merged, repeats counted, floods
 * held back by a token bucket. Held-back repeats still count. Pure; bounded by its caches.
 */
export class EventCorrelator {
  private readonly similar = new LruMap<Similar>(CACHE_KEYS_MAX);
  private readonly repeats = new LruMap<{ readonly count: number; readonly firstMs: number }>(CACHE_KEYS_MAX);
  private readonly buckets: LruMap<Bucket>;
  private readonly burst: number;

  constructor(private readonly options: EventCorrelatorOptions) {
    const mode = options.recordDuplicatedEvents ? DUPLICATES_MODE : DEFAULT_MODE;
    this.burst = mode.burst;
    this.buckets = new LruMap(mode.keysMax);
  }

  /** Null: held back. */
  correlate(event: ClusterEvent, nowMs: number): CorrelatedEvent | null {
    const { key, message } = this.aggregate(event, nowMs);
    const known = this.repeats.get(key);
    const count = (known?.count ?? 0) + 1;
    const firstMs = known?.firstMs ?? nowMs;
    this.repeats.set(key, { count, firstMs });
    if (!this.takeToken(this.bucketKey(event), nowMs)) return null;
    return { event, message, key, count, firstMs, lastMs: nowMs };
  }

  /** From the tenth different message of one kind on, all are one event. */
  private aggregate(event: ClusterEvent, nowMs: number): { readonly key: string; readonly message: string } {
    const kind = text([...subjectOf(event), event.type, event.reason]);
    const known = this.similar.get(kind);
    const isRecent = known !== undefined && nowMs - known.lastMs <= SIMILAR_WINDOW_MS;
    const messages = new Set(isRecent ? known.messages : []).add(event.message);
    const isCombined = messages.size >= SIMILAR_MESSAGES_MAX;
    if (isCombined) {
      // Stays one below the limit, so that the next different message is merged as well.
      const [any] = messages;
      if (any !== undefined) messages.delete(any);
    }
    this.similar.set(kind, { messages, lastMs: nowMs });
    if (isCombined) return { key: kind, message: COMBINED_PREFIX + event.message };
    return { key: text([kind, event.message]), message: event.message };
  }

  private bucketKey(event: ClusterEvent): string {
    if (this.options.recordDuplicatedEvents) return text([...subjectOf(event), event.type]);
    // differs from upstream: the exemption follows the configured map, not one fixed name and namespace.
    const { kind, namespace, name } = event.subject;
    const { statusMap } = this.options;
    const isStatusMap = kind === 'ConfigMap' && namespace === statusMap.namespace && name === statusMap.name;
    return isStatusMap ? event.message : text([...subjectOf(event), event.reason]);
  }

  private takeToken(key: string, nowMs: number): boolean {
    const known = this.buckets.get(key) ?? { tokens: this.burst, atMs: nowMs };
    const earned = Math.max(0, nowMs - known.atMs) / REFILL_MS;
    const tokens = Math.min(this.burst, known.tokens + earned);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    return allowed;
  }
}

function subjectOf({ subject }: ClusterEvent): readonly string[] {
  return [subject.kind, subject.namespace, subject.name, subject.uid];
}

/** Texts with a separator that occurs in none of them. */
function text(parts: readonly string[]): string {
  return parts.join('\u0000');
}
