import type { Capacity } from '../settings.js';

/**
 * Where a worker is in its life (`utho` 5.1). `requested`: ordered, without a record. `deleting` alone does not count
 * as live.
 */
export type WorkerState = 'requested' | 'pending' | 'active' | 'failed' | 'deleting';

export interface Worker {
  /** Number within the world; never reused. */
  readonly serial: number;
  /** Id of its instance, from its record on. */
  cloudId: string | null;
  hostname: string;
  planId: string;
  state: WorkerState;
  /** Whether it ever ran. */
  hasRun: boolean;
  /** What the platform says about its failure. */
  message: string;
  publicIp: string;
  privateIp: string;
  readonly createdMs: number;
  /** Words to show instead of those of its state. */
  words: WorkerWords | null;
  /** Fields of its record that are overwritten in answers; null deletes nothing, it is shown as null. */
  distortion: Readonly<Record<string, unknown>>;
}

export interface WorkerWords {
  readonly status: string;
  readonly appStatus: string;
}

export interface Pool {
  /** Id and label at once, as the documentation has it. */
  id: string;
  planId: string;
  /** Workers asked for. */
  count: number;
  autoScale: boolean;
  /** Undefined: absent in answers. */
  minSize: number | undefined;
  maxSize: number | undefined;
  policies: readonly Readonly<Record<string, unknown>>[];
  /** Meaning unknown; shown as it is. */
  ip: string;
  ebs: readonly unknown[];
  /** Overrides the cloud's own setting. */
  capacity: Capacity | null;
  /** Lost workers whose replacement has not been ordered yet. */
  replacementsDue: number;
  workers: Worker[];
  distortion: Readonly<Record<string, unknown>>;
}

export interface ControlPlane {
  readonly cloudId: string;
  readonly hostname: string;
  readonly planId: string;
  readonly publicIp: string;
  readonly privateIp: string;
}

export interface Cluster {
  readonly id: string;
  readonly label: string;
  readonly version: string;
  readonly dcslug: string;
  readonly vpc: string;
  status: string;
  powerStatus: string;
  readonly createdMs: number;
  readonly master: ControlPlane;
  readonly pools: Map<string, Pool>;
}

/** Workers of one pool, at most: a bound for this world, not one of the platform. */
export const COUNT_MAX = 10_000;

/** A machine plan of the catalogue. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly cpu: number;
  readonly ramMb: number;
  /** 0: sold without a disk. */
  readonly diskGb: number;
  /** INR a month. */
  readonly price: number;
  available: boolean;
}

export interface Token {
  /** As the journal calls it. */
  readonly name: string;
  writable: boolean;
  /** Ids of the clusters that it may see; null: all. */
  readonly clusters: readonly string[] | null;
}

/** Workers that count: all but those on their way out. */
export function liveWorkers(pool: Pool): readonly Worker[] {
  return pool.workers.filter(({ state }) => state !== 'deleting');
}
