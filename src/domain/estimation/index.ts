export type { Estimate, EstimationLimits, Estimator, PendingClass } from './estimate.js';
export { estimateByRuns } from './estimate-by-runs.js';
export { clusterCapacityOpinion, combineNodeLimits, groupCapacityOpinion } from './limits.js';
