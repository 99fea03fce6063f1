import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import { TO_BE_DELETED_TAINT, hasTaint } from '../kubernetes/taint.js';
import type { DaemonSet } from '../kubernetes/workload.js';
import { rawReadiness } from '../readiness/node-readiness.js';
import { isPassingTaint } from '../readiness/taint-classes.js';
import type { TaintPolicy } from '../readiness/taint-classes.js';
import { withDeprecatedTwins } from './deprecated-labels.js';
import { withoutLaterTaints } from './later-taints.js';
import type { MachineTemplate, NodeGroup, NodeTemplate, TemplateSource } from './node-group.js';
import { belongsToNode, sanitiseTemplate } from './sanitise-template.js';
import type { SimulatedNode } from './template-copy.js';

export interface TemplatePolicy {
  readonly taints: TaintPolicy;
  /** `--force-ds`, false: charge pending DaemonSets to templates from real nodes too. */
  readonly forceDaemonSets: boolean;
  /** `--scale-from-unschedulable`, false: cordoned nodes may serve as examples of schedulable ones. */
  readonly scaleFromUnschedulable: boolean;
  /** `--node-info-cache-expire-time`, 87600h. */
  readonly cacheExpireMs: number;
}

export const DEFAULT_TEMPLATE_EXPIRE_MS = 87_600 * 3_600_000;

/** A node must have been ready for so long before it may serve as example (`scale-up` 9.1). */
const STABILISATION_MS = 60_000;

/** An example kept from a good node. One per group that exists, so the table can't outgrow the groups. */
export interface CachedTemplate {
  readonly example: SimulatedNode;
  readonly addedMs: number;
  /** What the provider said of the group then; null where it said nothing. */
  readonly machineText: string | null;
}

/** By group id. Not worth saving: it is rebuilt from the first good node. */
export type TemplateMemory = ReadonlyMap<string, CachedTemplate>;

export interface TemplateInput {
  readonly nowMs: number;
  readonly groups: readonly NodeGroup[];
  readonly nodes: readonly Node[];
  readonly groupIdByNode: ReadonlyMap<string, string>;
  readonly podsOn: (nodeName: string) => readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  /** Groups whose provider template failed are absent. */
  readonly machines: ReadonlyMap<string, MachineTemplate>;
}

export interface ChosenTemplates {
  /** Groups without any source are absent: they can't grow in this iteration. */
  readonly templates: ReadonlyMap<string, NodeTemplate>;
  readonly memory: TemplateMemory;
}

/** Once an iteration; everybody uses the same templates then (`scale-up` 9.1). */
export function chooseTemplates(
  input: TemplateInput,
  before: TemplateMemory,
  policy: TemplatePolicy,
): ChosenTemplates {
  const examples = examplesByGroup(input);
  const templates = new Map<string, NodeTemplate>();
  const memory = new Map<string, CachedTemplate>();
  for (const group of input.groups) {
    const machine = input.machines.get(group.id);
    const machineText = machine === undefined ? null : describeMachine(machine);
    const { good, poor } = examples.get(group.id) ?? NO_EXAMPLES;
    const [first] = good;
    const cached = usableCache(before.get(group.id), machineText, input.nowMs, policy);
    if (first !== undefined) {
      const pods = input.podsOn(first.name);
      const node = withoutLaterTaints(first, { machine, siblings: good, pods });
      const example = { node, pods: pods.filter(belongsToNode) };
      memory.set(group.id, { example, addedMs: input.nowMs, machineText });
      templates.set(group.id, build(group.id, example, 'real-node', input, policy));
    } else if (cached !== null) {
      memory.set(group.id, cached);
      templates.set(group.id, build(group.id, cached.example, 'cache', input, policy));
    } else if (machine !== undefined) {
      templates.set(group.id, build(group.id, machineExample(machine, poor), 'provider', input, policy));
    } else if (poor !== null) {
      const example = { node: poor, pods: input.podsOn(poor.name) };
      templates.set(group.id, build(group.id, example, 'unfit-real-node', input, policy));
    }
  }
  return { templates, memory };
}

interface Examples {
  /** In list order. */
  readonly good: readonly Node[];
  /** The first of the others. */
  readonly poor: Node | null;
}

const NO_EXAMPLES: Examples = { good: [], poor: null };

function examplesByGroup(input: TemplateInput): ReadonlyMap<string, Examples> {
  const examples = new Map<string, { readonly good: Node[]; poor: Node | null }>();
  for (const node of input.nodes) {
    const groupId = input.groupIdByNode.get(node.name);
    if (groupId === undefined) continue;
    const known = examples.get(groupId) ?? { good: [], poor: null };
    if (isGoodExample(node, input.nowMs)) known.good.push(node);
    else known.poor ??= node;
    examples.set(groupId, known);
  }
  return examples;
}

function isGoodExample(node: Node, nowMs: number): boolean {
  if (node.unschedulable || hasTaint(node.taints, TO_BE_DELETED_TAINT)) return false;
  const readiness = rawReadiness(node);
  return readiness.ready && (readiness.changedMs ?? node.createdMs) < nowMs - STABILISATION_MS;
}

/**
 * differs from upstream: a change of the provider's template ends the cache entry; otherwise edits of the pool
 * definition stay hidden for years once the group had a node (`scale-up` 9.1, 15.24).
 */
function usableCache(
  cached: CachedTemplate | undefined,
  machineText: string | null,
  nowMs: number,
  policy: TemplatePolicy,
): CachedTemplate | null {
  if (cached === undefined || nowMs - cached.addedMs > policy.cacheExpireMs) return null;
  const isChanged = machineText !== null && cached.machineText !== null && machineText !== cached.machineText;
  return isChanged ? null : cached;
}

/** The provider knows nothing of volumes; a node of the group may, even if it is no good example. */
function machineExample({ node }: MachineTemplate, poor: Node | null): SimulatedNode {
  const limits = poor?.volumeLimits;
  const labels = withDeprecatedTwins(node.labels);
  return { node: { ...node, labels, ...(limits !== undefined && { volumeLimits: limits }) }, pods: [] };
}

function build(
  groupId: string,
  example: SimulatedNode,
  source: TemplateSource,
  input: TemplateInput,
  policy: TemplatePolicy,
): NodeTemplate {
  const sanitised = sanitiseTemplate(example, {
    groupId,
    daemonSets: input.daemonSets,
    forceDaemonSets: policy.forceDaemonSets || source === 'provider',
    clearUnschedulable: policy.scaleFromUnschedulable,
    isPassingTaint: (taint) => isPassingTaint(taint, policy.taints),
  });
  return { groupId, source, ...sanitised };
}

/** Text that changes exactly when labels, taints or sizes of the machine do. */
function describeMachine({ node }: MachineTemplate): string {
  const sorted = (map: ReadonlyMap<string, unknown>): unknown =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    sorted(node.labels),
    node.taints.map(({ key, value, effect }) => [key, value, effect]),
    sorted(node.capacity),
    sorted(node.allocatable),
  ]);
}
