import type { Estimate } from '../estimation/estimate.js';
import type { Reason } from '../reason.js';
import type { JudgedGroups } from './judge-groups.js';
import { matchClasses, reasonsOf } from './match-classes.js';
import type { ClassReport, ScaleUpPlan } from './plan.js';
import type { ScaleUpInput } from './scale-up-input.js';

/** What a plan came to, besides the reports. */
export interface Ending extends Partial<Omit<ScaleUpPlan, 'reports'>> {
  readonly result: ScaleUpPlan['result'];
  /** Pods of each class that are helped. */
  readonly placed?: readonly number[];
}

/** What is known so far of each class, group by group. */
export class PlanDraft {
  /** By group: indices of the classes that a fresh node takes. */
  readonly accepted = new Map<string, ReadonlySet<number>>();
  private readonly rejected: Map<string, readonly Reason[]>[];
  private readonly skipped: ReadonlyMap<string, readonly Reason[]>[];
  private readonly schedulable: boolean[];

  constructor(
    private readonly input: ScaleUpInput,
    readonly judged: JudgedGroups,
  ) {
    this.rejected = input.classes.map(() => new Map<string, readonly Reason[]>());
    this.skipped = input.classes.map(() => judged.skipped);
    this.schedulable = input.classes.map(() => false);
  }

  match(groupId: string, verdicts: readonly (readonly Reason[] | null)[]): void {
    const accepted = new Set<number>();
    verdicts.forEach((reasons, index) => {
      if (reasons === null) {
        accepted.add(index);
        this.schedulable[index] = true;
      } else {
        this.rejected[index]!.set(groupId, reasons);
      }
    });
    this.accepted.set(groupId, accepted);
  }

  /**
   * No pod of the accepted classes got a place after all.
   *
   * differs from upstream: pods that a limit kept from every group are reported with that reason, not nowhere
   * (`scale-up` 15.12).
   */
  unplaced(groupId: string, estimate: Estimate): void {
    [...this.accepted.get(groupId)!].forEach((index, position) => {
      const rejection = estimate.rejections[position];
      if (rejection !== undefined) this.rejected[index]!.set(groupId, reasonsOf(rejection));
    });
  }

  /**
   * Groups that would not have helped anyway move from skipped to rejected, so that `skipped` names only those that
   * matter (`scale-up` 5.11). Nobody becomes schedulable by this.
   */
  matchSkipped(): void {
    const { snapshot, templates, classes } = this.input;
    const skipped = classes.map(() => new Map(this.judged.skipped));
    for (const groupId of this.judged.skipped.keys()) {
      const template = templates.get(groupId);
      if (template === undefined) continue;
      matchClasses(snapshot, template, classes).forEach((reasons, index) => {
        if (reasons === null) return;
        skipped[index]!.delete(groupId);
        this.rejected[index]!.set(groupId, reasons);
      });
    }
    skipped.forEach((groups, index) => (this.skipped[index] = groups));
  }

  finish({ placed, ...ending }: Ending): ScaleUpPlan {
    const isHelpless = ending.result !== 'ScaleUpSuccessful';
    const reports = this.input.classes.map(({ classId, pods }, index): ClassReport => {
      const canBeHelped = this.schedulable[index]! && !(isHelpless && this.isRejectedByAll(index));
      return {
        classId,
        pods,
        triggered: placed?.[index] ?? 0,
        others: canBeHelped ? 'awaiting' : 'remaining',
        rejected: this.rejected[index]!,
        skipped: this.skipped[index]!,
      };
    });
    return {
      increases: [],
      choice: null,
      consideredGroupIds: [...this.input.state.groups.keys()],
      maxNodesReached: null,
      limitHits: this.judged.limitHits,
      error: null,
      ...ending,
      reports,
    };
  }

  private isRejectedByAll(index: number): boolean {
    return this.judged.open.every(({ group }) => this.rejected[index]!.has(group.id));
  }
}
