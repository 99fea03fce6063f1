import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { nameOf } from '../../reference/oracle/cluster.js';
import type { Cluster, SchedulerOptions } from '../../reference/oracle/cluster.js';
import { judge } from '../../reference/oracle/judge.js';
import { PRE_FILTER_EXCLUDED, PRE_FILTER_FAILED } from '../../reference/oracle/verdict.js';
import type { OracleVerdict } from '../../reference/oracle/verdict.js';
import { asOracleVerdict, Subject } from '../../simulation/scheduling-oracle/subject.js';
import { FEASIBLE } from './feasibility-extender.js';

/** What the scheduler says of one pod: the nodes that pass, and its message about all of them. */
export interface Judgement {
  readonly feasible: readonly string[];
  readonly message: string;
}

/** One that judges a pod on every node of a cluster. */
export type Judge = (pod: PodObject) => Judgement;

/** The program's filters, on what the API server holds. */
export function programJudge(cluster: Cluster, options: SchedulerOptions): Judge {
  const subject = new Subject({ cluster, options });
  for (const node of cluster.nodes) {
    const record = subject.readNode(node);
    if (record === null) return () => ({ feasible: [], message: `${nameOf(node)} can't be read` });
    subject.snapshot.addNode(record);
  }
  for (const { pod, nodeName } of cluster.placements) {
    const record = subject.readPod(pod);
    if (record === null) return () => ({ feasible: [], message: `${nameOf(pod)} can't be read` });
    subject.snapshot.addPod(record, nodeName);
  }
  return (pod) => {
    const record = subject.readPod(pod);
    if (record === null) return { feasible: [], message: `${nameOf(pod)} can't be read` };
    return judgementOf(cluster.nodes, (node) =>
      asOracleVerdict(subject.snapshot.check(record, nameOf(node))),
    );
  };
}

/** The reference that was written from the description. */
export function oracleJudge(cluster: Cluster, options: SchedulerOptions): Judge {
  return (pod) => judgementOf(cluster.nodes, (node) => judge(cluster, pod, node, options));
}

/** Verdicts on single nodes as the scheduler sums them up (`FitError` in its framework). */
function judgementOf(
  nodes: readonly NodeObject[],
  verdictOn: (node: NodeObject) => OracleVerdict,
): Judgement {
  const counts = new Map<string, number>();
  const feasible: string[] = [];
  let preFilter: string | null = null;
  for (const node of nodes) {
    const verdict = verdictOn(node);
    if (verdict.fit) feasible.push(nameOf(node));
    else if (verdict.message === PRE_FILTER_FAILED) preFilter = verdict.reasons.join(', ');
    for (const reason of reasonsOf(verdict)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const text = preFilter ?? reasons.join(', ');
  return { feasible: feasible.sort(), message: `0/${nodes.length} nodes are available: ${text}.` };
}

function reasonsOf(verdict: OracleVerdict): readonly string[] {
  if (verdict.fit) return [FEASIBLE];
  if (verdict.message === PRE_FILTER_EXCLUDED)
    return [`node(s) didn't satisfy plugin(s) [${verdict.plugin}]`];
  return verdict.reasons;
}
