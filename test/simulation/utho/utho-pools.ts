/** A node pool of the simulated cluster on Utho. */
export interface UthoPool {
  readonly id: string;
  readonly planId: string;
  readonly min: number;
  readonly max: number;
  /** What a node offers to pods, a little less than it really is. */
  readonly cpuMilli: number;
}

/** Those that are autoscaled. */
export const POOLS: readonly UthoPool[] = [
  { id: 'pool-large', planId: '10355', min: 1, max: 6, cpuMilli: 3_700 },
  { id: 'pool-small', planId: '10308', min: 1, max: 4, cpuMilli: 1_700 },
];

/** One that is not, and must never be touched. */
export const STATIC_POOL = 'pool-static';
