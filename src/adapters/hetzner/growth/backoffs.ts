import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { ErrorClass } from '../client/error-class.js';

/** What a pool orders, for the scopes of `hetzner` 3.7a. */
export interface OrderScope {
  readonly poolId: string;
  readonly serverType: string;
  readonly location: string;
  readonly placementGroupId: number | null;
  readonly network: string;
}

interface Backoff {
  readonly untilMs: number;
  readonly failures: number;
  readonly failure: CloudFailure;
}

interface Span {
  readonly baseMs: number;
  readonly maxMs: number;
}

const MINUTE = 60_000;
const GROWING: Span = { baseMs: 2 * MINUTE, maxMs: 30 * MINUTE };
const QUOTA: Span = { baseMs: 5 * MINUTE, maxMs: 5 * MINUTE };
const FIXED: Span = { baseMs: 10 * MINUTE, maxMs: 10 * MINUTE };
const QUOTA_KEY = 'quota';

/**
 * Refusals that will be repeated for a while: the same question is not asked again before its time, so that a failing
 * configuration does not flood the API. Keys are bounded by pools, types, locations and groups of the configuration.
 */
export class Backoffs {
  private readonly byKey = new Map<string, Backoff>();

  constructor(private readonly clock: Clock) {}

  /** Throws the refusal that still stands for this scope. */
  check(scope: OrderScope): void {
    for (const key of keysOf(scope)) {
      const backoff = this.byKey.get(key);
      const leftMs = (backoff?.untilMs ?? 0) - this.clock.now();
      if (backoff === undefined || leftMs <= 0) continue;
      const { failure } = backoff;
      const message = `${failure.message} (asked before; next try in ${Math.ceil(leftMs / 1_000)} s)`;
      throw new CloudError({ ...failure, message, retryAfterMs: leftMs });
    }
  }

  note(errorClass: ErrorClass, failure: CloudFailure, scope: OrderScope): void {
    const found = keyOf(errorClass, failure.code, scope);
    if (found === null) return;
    const known = this.byKey.get(found.key);
    // One batch fails several times at once; that is one refusal.
    if (known !== undefined && known.untilMs > this.clock.now()) return;
    const failures = (known?.failures ?? 0) + 1;
    const ms = Math.min(found.span.maxMs, found.span.baseMs * 2 ** (failures - 1));
    this.byKey.set(found.key, { untilMs: this.clock.now() + ms, failures, failure });
  }

  /** Types and locations that are not asked for at the moment. */
  offers(): readonly { readonly serverType: string; readonly location: string; readonly leftMs: number }[] {
    return [...this.byKey].flatMap(([key, { untilMs }]) => {
      const [, serverType, location] = /^offer:(.*)@(.*)$/.exec(key) ?? [];
      const leftMs = untilMs - this.clock.now();
      return serverType === undefined || location === undefined || leftMs <= 0
        ? []
        : [{ serverType, location, leftMs }];
    });
  }

  succeeded(scope: OrderScope): void {
    for (const key of keysOf(scope)) this.byKey.delete(key);
  }

  /** A server of ours went, so there is room in the quota again. */
  serverDeleted(): void {
    this.byKey.delete(QUOTA_KEY);
  }
}

function keysOf(scope: OrderScope): readonly string[] {
  return ['token', QUOTA_KEY, poolKey(scope), offerKey(scope), placementKey(scope), networkKey(scope)];
}

function keyOf(
  errorClass: ErrorClass,
  code: string,
  scope: OrderScope,
): { readonly key: string; readonly span: Span } | null {
  switch (errorClass) {
    case 'stockout':
      return { key: code === 'placement_error' ? placementKey(scope) : offerKey(scope), span: GROWING };
    case 'placement-full':
      return { key: placementKey(scope), span: GROWING };
    case 'network-full':
      return { key: networkKey(scope), span: FIXED };
    case 'quota':
      return { key: QUOTA_KEY, span: QUOTA };
    case 'config':
      return { key: poolKey(scope), span: FIXED };
    case 'access':
      return { key: 'token', span: FIXED };
    default:
      return null;
  }
}

const poolKey = (scope: OrderScope): string => `pool:${scope.poolId}`;
const offerKey = (scope: OrderScope): string => `offer:${scope.serverType}@${scope.location}`;
const networkKey = (scope: OrderScope): string => `network:${scope.network}`;
const placementKey = (scope: OrderScope): string => `placement:${scope.placementGroupId ?? scope.poolId}`;
