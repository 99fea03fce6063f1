/** What the API does not tell of a worker, as far as this process saw it. */
interface Memory {
  readonly createdMs: number | null;
  readonly wasRunning: boolean;
}

/** Bounded by the workers of the pool: those that are no longer listed are forgotten. */
export class WorkerMemory {
  private memories: ReadonlyMap<string, Memory> = new Map();

  /** Null where the worker was there before this process looked. */
  createdMs(workerId: string): number | null {
    return this.memories.get(workerId)?.createdMs ?? null;
  }

  wasRunning(workerId: string): boolean {
    return this.memories.get(workerId)?.wasRunning === true;
  }

  isKnown(workerId: string): boolean {
    return this.memories.has(workerId);
  }

  /** The workers listed now. `orderedMs` is asked for those that are new. */
  update(
    workers: readonly { readonly id: string; readonly isRunning: boolean }[],
    orderedMs: () => number | null,
  ): void {
    this.memories = new Map(
      workers.map(({ id, isRunning }) => {
        const known = this.memories.get(id);
        const createdMs = known === undefined ? orderedMs() : known.createdMs;
        return [id, { createdMs, wasRunning: isRunning || known?.wasRunning === true }];
      }),
    );
  }
}
