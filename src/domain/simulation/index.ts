export { classifyPods, highestPriorityFirst } from './classify-pods.js';
export type { Classification } from './classify-pods.js';
export type { ClusterSnapshot, Placement, PlacementSearch } from './cluster-snapshot.js';
export { createSnapshot } from './journaled-snapshot.js';
export type { SchedulingOptions } from './scheduling-options.js';
export { SnapshotError } from './snapshot-error.js';
export { FITS } from './verdict.js';
export type { Rejection, Verdict } from './verdict.js';
