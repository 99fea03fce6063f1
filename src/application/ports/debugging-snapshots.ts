/** What became of a request for the state that decisions are made on (`interface` 3.4). */
export type SnapshotAnswer =
  /** Plain data, ready for JSON. */
  | { readonly kind: 'collected'; readonly body: object }
  /** A loop ran and got nowhere. */
  | { readonly kind: 'nothing-collected'; readonly body: object }
  /** Another request waits already. */
  | { readonly kind: 'busy' }
  /** The process ends, or the asker has gone. */
  | { readonly kind: 'abandoned' };

export interface DebuggingSnapshots {
  /** Settles when the next loop has finished collecting; never rejects. An aborted signal abandons the request. */
  request(signal: AbortSignal): Promise<SnapshotAnswer>;
}

export const DebuggingSnapshots = Symbol('DebuggingSnapshots');
