import type { Reason } from '../../domain/reason.js';
import { renderReason } from '../../domain/reason.js';

/** Who speaks in a story: `story` for its own notes, the others for what happens. */
export type Actor = 'story' | 'world' | 'program' | 'ADD' | 'REMOVE' | 'STAYS' | 'WAITS' | 'log';

/** Something that happened, for readers. */
export interface Entry {
  /** Since the start of the story. */
  readonly atMs: number;
  readonly actor: Actor;
  readonly text: string;
  /** Shown with -v only. */
  readonly isDetail: boolean;
}

export type Decision = { readonly atMs: number } & (
  | {
      readonly kind: 'add';
      readonly group: string;
      readonly count: number;
      /** Code of the refusal, or null: the cloud granted it. */
      readonly refusal: string | null;
    }
  | { readonly kind: 'remove'; readonly node: string; readonly group: string; readonly cause: string }
);

/** A reason that was given, from its first to its last time. */
export interface GivenReason {
  subjects: readonly Subject[];
  readonly rule: string;
  readonly text: string;
  readonly fromMs: number;
  toMs: number;
}

export interface Subject {
  readonly kind: 'pod' | 'node' | 'group';
  readonly name: string;
}

export interface LogRecord {
  readonly atMs: number;
  readonly replica: string;
  readonly event: string;
  readonly message: string;
}

/** Kept of each kind, at most: a day of a large cluster has fewer. */
const RECORDS_MAX = 200_000;

/** All that a story came to, in order. */
export class Chronicle {
  readonly entries: Entry[] = [];
  readonly decisions: Decision[] = [];
  readonly log: LogRecord[] = [];
  private readonly givenReasons: GivenReason[] = [];
  /** By key: the reason that holds, and its place among those given. */
  private readonly currentReasons = new Map<string, { readonly index: number; readonly reason: Reason }>();

  constructor(readonly now: () => number) {}

  get reasons(): readonly Readonly<GivenReason>[] {
    return this.givenReasons;
  }

  tell(actor: Actor, text: string, isDetail = false): void {
    if (this.entries.length < RECORDS_MAX) this.entries.push({ atMs: this.now(), actor, text, isDetail });
  }

  decide(decision: Decision): void {
    if (this.decisions.length < RECORDS_MAX) this.decisions.push(decision);
  }

  addLog(record: LogRecord): void {
    if (this.log.length < RECORDS_MAX) this.log.push(record);
  }

  /** A reason that holds now. The same one said again lengthens its time. */
  give(key: string, subjects: readonly Subject[], reason: Reason): void {
    const nowMs = this.now();
    const current = this.currentReasons.get(key);
    if (current !== undefined && isSame(current.reason, reason)) {
      const given = this.givenReasons[current.index]!;
      given.subjects = subjects;
      given.toMs = nowMs;
      return;
    }
    if (this.givenReasons.length >= RECORDS_MAX) return;
    this.currentReasons.set(key, { index: this.givenReasons.length, reason });
    const text = renderReason(reason);
    this.givenReasons.push({ subjects, rule: reason.rule, text, fromMs: nowMs, toMs: nowMs });
  }
}

function isSame(left: Reason, right: Reason): boolean {
  return (
    left.rule === right.rule &&
    left.text === right.text &&
    left.subject === right.subject &&
    left.asked === right.asked &&
    left.free === right.free &&
    left.limit === right.limit
  );
}
