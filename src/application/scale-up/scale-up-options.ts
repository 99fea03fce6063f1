import type { EventSubject } from '../ports/cluster-writer.js';

/** How growth and repairs are carried out and reported. */
export interface ScaleUpOptions {
  /** `--parallel-scale-up`, false: ask all groups of a plan at once. */
  readonly parallel: boolean;
  /** The status ConfigMap, on which events about groups are recorded; null while there is none. */
  readonly statusSubject: () => EventSubject | null;
}

export const ScaleUpOptions = Symbol('ScaleUpOptions');
