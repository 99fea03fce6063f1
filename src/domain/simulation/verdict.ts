import type { Reason } from '../reason.js';

/** Whether a pod fits a node, as kube-scheduler would judge it; the first plugin that rejects is the only one named. */
export type Verdict = { readonly fit: true } | Rejection;

export interface Rejection {
  readonly fit: false;
  /** `NodeResourcesFit`, … (`scheduling` 0.1). */
  readonly plugin: string;
  /** In the order of `scheduling` 0.3; each with `rule` = plugin. */
  readonly reasons: readonly Reason[];
  /** `PreFilter failed`, `PreFilter filtered the Node out`, or absent. */
  readonly message?: string;
}

export const FITS: Verdict = { fit: true };
