/** A node pool of the simulated cluster. */
export interface Pool {
  readonly name: string;
  readonly type: string;
  readonly location: string;
  readonly min: number;
  readonly max: number;
  /** What a node offers to pods, without what the DaemonSet takes; a little less than it really is. */
  readonly cpuMilli: number;
}

export const POOLS: readonly Pool[] = [
  { name: 'small', type: 'cpx22', location: 'nbg1', min: 0, max: 6, cpuMilli: 1_800 },
  { name: 'medium', type: 'cx33', location: 'fsn1', min: 1, max: 6, cpuMilli: 3_800 },
  { name: 'large', type: 'ccx33', location: 'hel1', min: 0, max: 3, cpuMilli: 7_800 },
];

export function nodesFlag({ name, type, location, min, max }: Pool): string {
  return `--nodes=${min}:${max}:${type}:${location}:${name}`;
}
