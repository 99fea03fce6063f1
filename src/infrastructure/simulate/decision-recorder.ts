import type { Container } from 'inversify';
import { CloudProvider } from '../../application/ports/cloud-provider.js';
import { DecisionLog } from '../../application/report/decision-log.js';
import type { ScaleDownDecision, ScaleUpDecision } from '../../application/report/decision-log.js';
import { podKey } from '../../domain/kubernetes/pod.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { renderReason } from '../../domain/reason.js';
import type { ClassReport } from '../../domain/scale-up/index.js';
import type { UnremovableNode } from '../../domain/scale-down/index.js';
import type { Chronicle } from './chronicle.js';

/** Names shown of many that are alike. */
const NAMES_SHOWN = 3;

/**
 * Writes the decisions of one program into a chronicle, with the reasons that its log, events and status render. It sits
 * between the program's own parts: before the decision log, and before the cloud.
 */
export class DecisionRecorder {
  /** Why each group grows, from the latest plan. */
  private readonly growthReasons = new Map<string, string>();
  private staying: ReadonlyMap<string, string> = new Map();
  private waiting: ReadonlyMap<string, string> = new Map();

  constructor(private readonly chronicle: Chronicle) {}

  /** Before anything is got from the container. */
  attach(container: Container): void {
    container.onActivation<DecisionLog>(DecisionLog, (_context, log) =>
      intercepted(log, {
        scaleUp: (plan: ScaleUpDecision) => {
          this.planned(plan);
          log.scaleUp(plan);
        },
        pods: (reports: readonly ClassReport[]) => {
          this.podsTold(reports);
          log.pods(reports);
        },
        scaleDown: (plan: ScaleDownDecision) => {
          this.removalsPlanned(plan);
          log.scaleDown(plan);
        },
      }),
    );
    container.onActivation<CloudProvider>(CloudProvider, (_context, cloud) =>
      intercepted(cloud, {
        increaseSize: (groupId, delta, signal) => this.grow(cloud, groupId, delta, signal),
      }),
    );
  }

  private async grow(
    cloud: CloudProvider,
    group: string,
    delta: number,
    signal: AbortSignal,
  ): ReturnType<CloudProvider['increaseSize']> {
    const atMs = this.chronicle.now();
    const why = this.growthReasons.get(group) ?? 'to its minimum';
    this.growthReasons.delete(group);
    const grown = (count: number, refusal: { code: string; message: string } | null): void => {
      this.chronicle.decide({ kind: 'add', atMs, group, count, refusal: refusal?.code ?? null });
      const fate = refusal === null ? why : `refused, ${refusal.code}: ${refusal.message}`;
      this.chronicle.tell('ADD', `${group}+${count} ${fate}`);
    };
    try {
      const result = await cloud.increaseSize(group, delta, signal);
      if (result.accepted > 0) grown(result.accepted, null);
      if (result.failure !== null && result.accepted < delta) grown(delta - result.accepted, result.failure);
      return result;
    } catch (error) {
      const { code = 'error', message } = error as Error & { readonly code?: string };
      grown(delta, { code, message });
      throw error;
    }
  }

  private planned({ increases, choice, reports }: ScaleUpDecision): void {
    const helped = reports.flatMap(({ pods, triggered }) => pods.slice(0, triggered));
    for (const { groupId, currentSize, newSize } of increases) {
      const sizes = `from ${currentSize} to ${newSize}`;
      const lost = (choice?.verdicts ?? []).filter(({ droppedBy }) => droppedBy !== null);
      const verdicts = lost.map(({ option, droppedBy }) => `${droppedBy!} prefers it to ${option.groupId}`);
      this.growthReasons.set(groupId, [`${sizes} for ${namesOf(helped)}`, ...verdicts].join('; '));
    }
  }

  private podsTold(reports: readonly ClassReport[]): void {
    const waiting = new Map<string, string>();
    for (const report of reports) this.waitingPods(report, waiting);
    this.waiting = waiting;
  }

  private waitingPods(report: ClassReport, waiting: Map<string, string>): void {
    const { pods, triggered, rejected, skipped, others } = report;
    const reasons = [...rejected, ...skipped];
    for (const [group, given] of reasons) {
      for (const reason of given) {
        const key = `pods ${podKey(pods[0]!)} ${group} ${reason.rule} ${reason.subject ?? ''}`;
        const subjects = [...pods.map(podSubject), { kind: 'group', name: group } as const];
        this.chronicle.give(key, subjects, reason);
      }
    }
    if (triggered >= pods.length) return;
    const left = pods.slice(triggered);
    const cause = reasons
      .map(([group, given]) => `${group}: ${given.map(renderReason).join(', ')}`)
      .join('; ');
    const key = podKey(left[0]!);
    const rules = reasons.map(([group, given]) => `${group} ${given.map(({ rule }) => rule).join()}`).join();
    waiting.set(key, rules);
    if (this.waiting.get(key) === rules) return;
    const outlook = cause === '' && others === 'awaiting' ? 'helped in a later round' : cause;
    this.chronicle.tell('WAITS', `${namesOf(left)}: ${outlook}`);
  }

  private removalsPlanned({
    buckets,
    unremovable,
    notCandidates,
    postponed,
    cooldown,
  }: ScaleDownDecision): void {
    const atMs = this.chronicle.now();
    for (const { node, groupId, cause, reason, podsToMove } of buckets.flatMap(({ empty, drain }) => [
      ...empty,
      ...drain,
    ])) {
      this.chronicle.decide({ kind: 'remove', atMs, node: node.name, group: groupId, cause });
      this.chronicle.give(`node ${node.name}`, [{ kind: 'node', name: node.name }], reason);
      const moves = podsToMove.length === 0 ? '' : `, ${podsToMove.length} pods move`;
      this.chronicle.tell('REMOVE', `${node.name} of ${groupId}: ${renderReason(reason)}${moves}`);
    }
    const staying = [...unremovable, ...notCandidates, ...postponed];
    for (const { nodeName, reason } of staying) {
      this.chronicle.give(`node ${nodeName}`, [{ kind: 'node', name: nodeName }], reason);
    }
    if (cooldown !== null) this.chronicle.give('cooldown', [], cooldown);
    this.tellStaying(staying);
  }

  /** Nodes that stay for another rule than in the last loop, one line a rule. */
  private tellStaying(staying: readonly UnremovableNode[]): void {
    const byRule = new Map<string, UnremovableNode[]>();
    for (const node of staying) {
      if (this.staying.get(node.nodeName) === node.reason.rule) continue;
      byRule.set(node.reason.rule, [...(byRule.get(node.reason.rule) ?? []), node]);
    }
    this.staying = new Map(staying.map(({ nodeName, reason }) => [nodeName, reason.rule]));
    for (const nodes of byRule.values()) {
      const first = nodes[0]!;
      const others = nodes.length === 1 ? '' : ` and ${nodes.length - 1} more`;
      this.chronicle.tell('STAYS', `${first.nodeName}${others}: ${renderReason(first.reason)}`);
    }
  }
}

function podSubject(pod: Pod) {
  return { kind: 'pod', name: shortName(pod) } as const;
}

/** As stories name pods: the namespace only where it is not the usual one. */
function shortName(pod: Pod): string {
  return pod.namespace === 'default' ? pod.name : podKey(pod);
}

function namesOf(pods: readonly Pod[]): string {
  if (pods.length === 0) return 'no pod';
  const shown = pods.slice(0, NAMES_SHOWN).map(shortName).join(', ');
  const what = pods.length === 1 ? 'pod' : `${pods.length} pods,`;
  return `${what} ${shown}${pods.length > NAMES_SHOWN ? ', …' : ''}`;
}

/** The object with some of its methods replaced. */
function intercepted<Target extends object>(target: Target, replaced: Partial<Target>): Target {
  return new Proxy(target, {
    get: (inner, key): unknown => {
      if (Object.hasOwn(replaced, key)) return replaced[key as keyof Target];
      const value: unknown = Reflect.get(inner, key, inner);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(inner) : value;
    },
  });
}
