import { V1LeaseSpec, V1MicroTime } from '@kubernetes/client-node';
import type { V1Lease } from '@kubernetes/client-node';
import { model } from '../connection/client-node-api.js';

/** What one process writes when it takes, renews or gives back a lease (`interface` 6). Pure. */

export interface LeaseTerms {
  readonly identity: string;
  readonly durationMs: number;
}

/** The lease held by us from `nowMs` on: renewed if it was ours, taken over otherwise. */
export function heldLease(known: V1Lease | null, terms: LeaseTerms, nowMs: number): V1LeaseSpec {
  const spec = known?.spec;
  const isOurs = spec?.holderIdentity === terms.identity;
  const hadHolder = spec?.leaseTransitions !== undefined || isHeld(known);
  return model(V1LeaseSpec, spec ?? {}, {
    holderIdentity: terms.identity,
    leaseDurationSeconds: Math.ceil(terms.durationMs / 1000),
    acquireTime: isOurs && spec.acquireTime !== undefined ? spec.acquireTime : new V1MicroTime(nowMs),
    renewTime: new V1MicroTime(nowMs),
    leaseTransitions: (spec?.leaseTransitions ?? 0) + (isOurs || !hadHolder ? 0 : 1),
  });
}

/** The lease without a holder, short-lived, so that whoever waits need not wait longer. */
export function releasedLease(held: V1Lease, nowMs: number): V1LeaseSpec {
  return model(V1LeaseSpec, held.spec ?? {}, {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: new V1MicroTime(nowMs),
    renewTime: new V1MicroTime(nowMs),
  });
}

export function isHeld(lease: V1Lease | null): boolean {
  return (lease?.spec?.holderIdentity ?? '') !== '';
}

/** Text that changes with every renewal, whoever makes it. */
export function recordText(spec: V1LeaseSpec | undefined): string {
  if (spec === undefined) return '';
  return JSON.stringify([spec.holderIdentity, spec.renewTime, spec.acquireTime, spec.leaseTransitions]);
}
