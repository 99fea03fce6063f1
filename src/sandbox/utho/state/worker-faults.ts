/** What may go wrong with one worker. */
export type WorkerFault =
  /** It fails instead of running; the platform says this about it. */
  | { readonly kind: 'fails'; readonly message: string }
  /** Its order is taken, and it never gets a record. */
  | { readonly kind: 'never-shown' }
  /** It never gets beyond Pending. */
  | { readonly kind: 'never-runs' };

interface Armed {
  readonly fault: WorkerFault;
  /** Null: any pool. */
  readonly poolId: string | null;
  left: number;
}

/** Faults of the next workers, beyond what the settings say of all. */
export class WorkerFaults {
  private armed: Armed[] = [];

  /** Hits the next `count` workers, of one pool or of any. */
  arm(fault: WorkerFault, count: number, poolId: string | null): void {
    this.armed.push({ fault, poolId, left: count });
  }

  /** The fault of this kind that hits a worker of this pool now, or null. */
  take<K extends WorkerFault['kind']>(
    kind: K,
    poolId: string,
  ): Extract<WorkerFault, { readonly kind: K }> | null {
    const hit = this.armed.find(
      (one) => one.fault.kind === kind && one.left > 0 && (one.poolId === null || one.poolId === poolId),
    );
    if (hit === undefined) return null;
    hit.left--;
    return hit.fault as Extract<WorkerFault, { readonly kind: K }>;
  }

  clear(): void {
    this.armed = [];
  }
}
