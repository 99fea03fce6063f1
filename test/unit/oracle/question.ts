import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { EMPTY_CLUSTER, findNamed } from '../../reference/oracle/cluster.js';
import type { Cluster, SchedulerOptions } from '../../reference/oracle/cluster.js';
import { judge } from '../../reference/oracle/judge.js';
import { makeNode } from '../../reference/oracle/make.js';

/** One row of `scheduling` 6: `pod` is held against node `on` (n1 unless said otherwise). */
export interface Row extends Partial<Omit<Cluster, 'placements'>> {
  readonly it: string;
  /** Pods by the node that holds them. */
  readonly placed?: Record<string, PodObject[]>;
  readonly pod: PodObject;
  readonly on?: string;
  readonly options?: Partial<SchedulerOptions>;
  /** `fits`, or `Plugin: reason, reason`; a PreFilter says so in brackets. */
  readonly expect: string;
}

/** The verdict in the words of a row's `expect`. */
export function answer(row: Row): string {
  const nodes = row.nodes ?? [makeNode('n1'), makeNode('n2')];
  const placements = Object.entries(row.placed ?? {}).flatMap(([nodeName, pods]) =>
    pods.map((pod) => ({ pod, nodeName })),
  );
  const cluster = { ...EMPTY_CLUSTER, ...row, nodes, placements };
  const node: NodeObject | undefined = findNamed(nodes, row.on ?? 'n1');
  if (node === undefined) throw new Error(`no such node in the row: ${row.it}`);
  const options = { tolerationComparison: false, addedAffinity: null, ...row.options };
  const verdict = judge(cluster, row.pod, node, options);
  if (verdict.fit) return 'fits';
  const message = verdict.message === undefined ? '' : ` [${verdict.message}]`;
  return `${verdict.plugin}: ${verdict.reasons.join(', ')}${message}`;
}

export function runRows(rows: readonly Row[]): void {
  for (const row of rows) {
    it(row.it, () => {
      expect(answer(row)).toBe(row.expect);
    });
  }
}
