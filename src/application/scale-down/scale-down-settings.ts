import type { ScaleDownPolicy } from '../../domain/scale-down/index.js';
import type { EventSubject } from '../ports/cluster-writer.js';

/** What the services of scale-down are told by the composition. */
export interface ScaleDownSettings {
  readonly policy: ScaleDownPolicy;
  /** The status ConfigMap that events are written on; null: no status, no such events. */
  readonly statusSubject: EventSubject | null;
}

export const ScaleDownSettings = Symbol('ScaleDownSettings');
