import type { EventText } from '../readiness/happenings.js';

/** While degraded, each fourth iteration belongs to scale-down and the others to scale-up (`scale-up` 4.6). */
const SCALE_DOWN_EVERY = 4;

export interface DegradationStep {
  readonly degradedLoops: number;
  /** Recorded when degradation begins or ends. */
  readonly event: EventText | null;
}

/** Counts iterations in which pods were left unexamined. */
export function nextDegradation(degradedLoops: number, unexaminedPods: number): DegradationStep {
  if (unexaminedPods > 0) {
    const message = 'Cluster autoscaler cannot keep up with pending pods; scale-up and scale-down take turns';
    const started: EventText = { type: 'Warning', reason: 'GracefulDegradationStarted', message };
    return { degradedLoops: degradedLoops + 1, event: degradedLoops === 0 ? started : null };
  }
  const message = 'Cluster autoscaler looks at all pending pods again';
  const stopped: EventText = { type: 'Normal', reason: 'GracefulDegradationStopped', message };
  return { degradedLoops: 0, event: degradedLoops > 0 ? stopped : null };
}

export function isReservedForScaleDown(degradedLoops: number): boolean {
  return degradedLoops > 0 && degradedLoops % SCALE_DOWN_EVERY === 0;
}

export function mayScaleDown(degradedLoops: number): boolean {
  return degradedLoops % SCALE_DOWN_EVERY === 0;
}
