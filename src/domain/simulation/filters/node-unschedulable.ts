import type { Taint } from '../../kubernetes/taint.js';
import { tolerates } from '../../kubernetes/tolerations.js';
import type { SchedulingOptions } from '../scheduling-options.js';
import type { Filter } from './filter.js';

const PLUGIN = 'NodeUnschedulable';
const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
const REASONS = [{ rule: PLUGIN, text: 'node(s) were unschedulable' }];

/** A cordoned node takes only pods that tolerate the cordon (`scheduling` 3.1). */
export function nodeUnschedulable({ tolerations }: SchedulingOptions): Filter {
  return {
    plugin: PLUGIN,
    reads: 'node',
    concerns: () => true,
    accepts: ({ pod }, nodes, row) =>
      !nodes.nodes[row]!.unschedulable ||
      pod.shape.tolerations.some((toleration) => tolerates(toleration, UNSCHEDULABLE, tolerations)),
    explain: () => REASONS,
  };
}
