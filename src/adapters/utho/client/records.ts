/** What the adapter keeps of an answer of the API; all other fields are never decoded (`utho` 3.4, 3.5). */

/** A managed cluster as one read showed it. */
export interface ClusterRecord {
  readonly id: string;
  readonly label: string;
  /** Slug of the data centre, empty where the API does not say. */
  readonly dcslug: string;
  readonly vpc: string;
  readonly status: string;
  readonly powerStatus: string;
  /** `cloudid` of the control plane's machine, empty where the API does not say. */
  readonly masterId: string;
  /** All pools that could be read, autoscaled or not, by id. */
  readonly pools: ReadonlyMap<string, PoolRecord>;
  /** Pools whose record can't be read: they keep their last good snapshot. */
  readonly brokenPools: readonly BrokenPool[];
}

export interface BrokenPool {
  readonly id: string;
  readonly problem: string;
}

export interface PoolRecord {
  readonly id: string;
  /** `planid`, else `size`; opaque. Empty where the API says neither. */
  readonly planId: string;
  /** Workers asked for. */
  readonly count: number;
  readonly autoScale: boolean;
  /** Undefined: absent or empty. Also read from `min_nodes` and `max_nodes`. */
  readonly minSize: number | undefined;
  readonly maxSize: number | undefined;
  /** Scaling rules of the platform itself. */
  readonly policyCount: number;
  /** In the order of the answer, without duplicates. */
  readonly workers: readonly WorkerRecord[];
  /** Workers that could not be read, as sentences. */
  readonly problems: readonly string[];
}

export interface WorkerRecord {
  /** `cloudid`: a positive integer in decimal digits. */
  readonly id: string;
  readonly hostname: string;
  readonly status: string;
  readonly appStatus: string;
  readonly planId: string;
  /** Undefined while the platform has not filled it in. */
  readonly cpu: number | undefined;
  readonly ramMb: number | undefined;
  readonly diskGb: number | undefined;
  /** INR a month, presumably. */
  readonly cost: number | undefined;
  /** What the platform says about a failure, if anything. */
  readonly message: string;
}

/** A machine plan of the catalogue. */
export interface PlanRecord {
  readonly id: string;
  readonly cpu: number;
  readonly ramMb: number;
  /** 0: a plan without a disk. */
  readonly diskGb: number;
  /** INR a month. */
  readonly price: number | undefined;
}
