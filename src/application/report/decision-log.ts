import { inject, injectable } from 'inversify';
import { podKey } from '../../domain/kubernetes/pod.js';
import { renderReason } from '../../domain/reason.js';
import type { Reason } from '../../domain/reason.js';
import type { ScaleDownPlan, UnremovableNode } from '../../domain/scale-down/index.js';
import type { ClassReport, ScaleUpPlan } from '../../domain/scale-up/index.js';
import { Logger } from '../ports/logger.js';
import { ChangedLines } from './changed-lines.js';

export type ScaleUpDecision = Pick<ScaleUpPlan, 'result' | 'increases' | 'choice' | 'reports' | 'error'>;

export type ScaleDownDecision = Pick<
  ScaleDownPlan,
  'cooldown' | 'buckets' | 'unremovable' | 'notCandidates' | 'postponed'
>;

/** 20 lines of one kind per loop: upstream's quota for lines about pods. */
const LINES_MAX = 20;

/** The level of lines about pods that some group will help in the next iterations. */
const AWAITING_LEVEL = 2;

/** The level of lines about nodes that stay: there is one for each node of the cluster. */
const NODE_STAYS_LEVEL = 1;

/**
 * Says in the log what was decided and why. What is done is said each time; why something is not done is said when it
 * begins or when the rule that speaks changes, because a loop comes every ten seconds.
 */
@injectable()
export class DecisionLog {
  private readonly helplessPods = new ChangedLines(LINES_MAX);
  private readonly stayingNodes = new ChangedLines(LINES_MAX);
  private readonly cooldown = new ChangedLines(1);

  constructor(@inject(Logger) private readonly logger: Logger) {}

  /** What the pods of an iteration that are not helped wait for; after the last round, so that it is said once. */
  pods(reports: readonly ClassReport[]): void {
    const helpless = reports.filter(({ pods, triggered }) => triggered < pods.length);
    const { lines, omitted } = this.helplessPods.next(
      helpless.map((report) => ({
        key: podKey(report.pods[report.triggered]!),
        cause: `${report.others} ${causeOf(report)}`,
        subject: report,
      })),
    );
    for (const report of lines) this.tellHelpless(report);
    if (omitted > 0)
      this.logger.info('pods-not-helped', `and pods of ${omitted} more kinds`, { kinds: omitted });
  }

  scaleDown(plan: ScaleDownDecision): void {
    for (const removal of plan.buckets.flatMap(({ empty, drain }) => [...empty, ...drain])) {
      const { node, groupId, cause, reason, podsToMove } = removal;
      const fields = { node: node.name, group: groupId, cause, podsToMove: podsToMove.length };
      const pods = podsToMove.length === 0 ? '' : `; ${count(podsToMove.length, 'pod')} to move`;
      const text = `node ${node.name} of group ${groupId} goes: ${renderReason(reason)}${pods}`;
      this.logger.info('scale-down-decided', text, fields);
    }
    this.tellCooldown(plan.cooldown);
    const staying = [...plan.unremovable, ...plan.notCandidates, ...plan.postponed];
    const { lines, omitted } = this.stayingNodes.next(
      staying.map((node) => ({
        key: node.nodeName,
        cause: causeOfStaying(node),
        subject: node,
      })),
    );
    for (const node of lines) this.tellStaying(node);
    if (omitted > 0) {
      this.logger.info('node-stays', `and ${omitted} more nodes`, { nodes: omitted, v: NODE_STAYS_LEVEL });
    }
  }

  /** One round. */
  scaleUp({ result, increases, choice, reports, error }: ScaleUpDecision): void {
    if (error !== null) {
      this.logger.error('scale-up-not-planned', error.message, { result, type: error.type });
    }
    const podCount = reports.reduce((sum, { triggered }) => sum + triggered, 0);
    for (const { groupId, currentSize, newSize, maxSize } of increases) {
      const text = `group ${groupId} grows from ${currentSize} to ${newSize} (max ${maxSize}) for ${count(podCount, 'pod')}`;
      const fields = { group: groupId, from: currentSize, to: newSize, max: maxSize, pods: podCount };
      this.logger.info('scale-up-decided', text, fields);
    }
    for (const { option, scores, droppedBy } of choice?.verdicts ?? []) {
      if (droppedBy === null) continue;
      const text = `group ${option.groupId} was not chosen: ${droppedBy} prefers ${choice!.best.groupId}`;
      const fields = {
        group: option.groupId,
        droppedBy,
        nodes: option.nodeCount,
        pods: option.podCount,
        scores,
      };
      this.logger.debug('scale-up-option-dropped', text, fields);
    }
  }

  private tellHelpless(report: ClassReport): void {
    const first = podKey(report.pods[report.triggered]!);
    const others = report.pods.length - report.triggered - 1;
    const whom = others === 0 ? `pod ${first} waits` : `pod ${first} and ${others} like it wait`;
    const level = report.others === 'awaiting' ? { v: AWAITING_LEVEL } : {};
    const fields = { pod: first, pods: others + 1, outlook: report.others, ...level };
    this.logger.info('pods-not-helped', `${whom}: ${renderGroups(report)}`, fields);
  }

  private tellCooldown(cooldown: Reason | null): void {
    const current = cooldown === null ? [] : [{ key: 'cluster', cause: cooldown.rule, subject: cooldown }];
    for (const reason of this.cooldown.next(current).lines) {
      this.logger.info('scale-down-paused', `no node goes: ${renderReason(reason)}`, { rule: reason.rule });
    }
  }

  private tellStaying({ nodeName, groupId, reason, blockingPod }: UnremovableNode): void {
    const fields = { node: nodeName, group: groupId, rule: reason.rule, pod: blockingPod?.key };
    const text = `node ${nodeName} stays: ${renderReason(reason)}`;
    this.logger.info('node-stays', text, { ...fields, v: NODE_STAYS_LEVEL });
  }
}

/** A node that was judged a short while ago stays for the reason that was said then. */
function causeOfStaying({ reason }: UnremovableNode): string | null {
  return reason.rule === 'RecentlyUnremovable' ? null : `${reason.rule} ${reason.subject ?? ''}`;
}

/** Rules by group, without the numbers that change from loop to loop. */
function causeOf({ rejected, skipped }: ClassReport): string {
  return [...rejected, ...skipped]
    .map(([groupId, reasons]) => `${groupId}:${reasons.map(({ rule, text }) => `${rule} ${text}`).join(',')}`)
    .join(';');
}

/** `pool1: Insufficient cpu (cpu, asked 8, free 4); pool2: max node group size reached`. */
function renderGroups({ rejected, skipped, others }: ClassReport): string {
  const groups = [...rejected, ...skipped].map(
    ([groupId, reasons]) => `${groupId}: ${reasons.map(renderReason).join(', ')}`,
  );
  if (groups.length > 0) return groups.join('; ');
  return others === 'awaiting' ? 'helped in a later round' : 'there is no node group';
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
