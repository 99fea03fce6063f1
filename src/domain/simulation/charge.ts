import type { HostPort } from '../kubernetes/pod.js';
import type { Amounts } from './amounts.js';

/** What pods take from the node that they run on. */
export interface Charge {
  readonly amounts: Amounts;
  readonly hostPorts: readonly HostPort[];
}
