/** Outcome of one attempt to grow (`scale-up` 1.3). */
export type ScaleUpResult =
  | 'ScaleUpSuccessful'
  | 'ScaleUpError'
  | 'ScaleUpNoOptionsAvailable'
  | 'ScaleUpNotNeeded'
  | 'ScaleUpNotTried'
  | 'ScaleUpInCooldown'
  | 'ScaleUpLimitedByMaxNodesTotal';
