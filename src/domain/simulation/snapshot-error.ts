/** Misuse of a snapshot: a bug of the caller, never an outcome. */
export class SnapshotError extends Error {
  constructor(
    readonly code: 'no-fork' | 'duplicate-node' | 'unknown-node' | 'unknown-pod',
    message: string,
  ) {
    super(message);
    this.name = 'SnapshotError';
  }
}
