import type { Node } from '../kubernetes/node.js';
import { DELETION_CANDIDATE_TAINT, hasTaint, TO_BE_DELETED_TAINT } from '../kubernetes/taint.js';
import type { SoftTaintChanges } from './plan.js';

export interface SoftTaintInput {
  /** Registered nodes of our groups. */
  readonly managed: readonly Node[];
  readonly unneeded: ReadonlySet<string>;
  /** Nodes that are being deleted or are about to be: they have the hard mark. */
  readonly leaving: ReadonlySet<string>;
}

/** Soft marks to take from nodes that are needed and to give to those that are not (`scale-down` 8.10). */
export function softTaintChanges({ managed, unneeded, leaving }: SoftTaintInput): SoftTaintChanges {
  const open = managed.filter(
    ({ name, taints }) => !leaving.has(name) && !hasTaint(taints, TO_BE_DELETED_TAINT),
  );
  const isMarked = (node: Node) => hasTaint(node.taints, DELETION_CANDIDATE_TAINT);
  return {
    remove: open.filter((node) => isMarked(node) && !unneeded.has(node.name)).map(({ name }) => name),
    add: open.filter((node) => !isMarked(node) && unneeded.has(node.name)).map(({ name }) => name),
  };
}
