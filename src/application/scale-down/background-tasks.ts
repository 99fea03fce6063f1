/** Work that nobody waits for at once. Bounded by the parallelism of scale-down. */
export class BackgroundTasks {
  private readonly running = new Set<Promise<void>>();

  /** The task must not reject: it has nobody to tell. */
  run(task: Promise<void>): void {
    const tracked = task.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  get idle(): boolean {
    return this.running.size === 0;
  }

  /** Settles once nothing runs, tasks included that were started meanwhile. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
