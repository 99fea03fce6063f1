import type { Bench } from './bench.js';

/** Numbers of `provider-contract` 3, and R10 for what the port has had since. */
export type RuleId =
  | `I${1 | 2 | 3 | 4 | 5}`
  | `L${1 | 2 | 3 | 4 | 5 | 6}`
  | `G${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`
  | `T${1 | 2 | 3}`
  | `R${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`
  | `M${1 | 2 | 3 | 4 | 5}`
  | `P${1 | 2 | 3 | 4}`
  | `X${1 | 2}`
  | `E${1 | 2 | 3 | 4 | 5}`
  | `H${1 | 2 | 3 | 4 | 5}`
  | `B${1 | 2 | 3 | 4 | 5 | 6}`
  | `S${1 | 2 | 3}`
  | `F${1 | 2 | 3}`
  | `Q${1 | 2 | 3}`;

/** Rules of the port's own comment ({@link ../../../src/application/ports/cloud-provider.ts}). */
export type PortRuleId = `C${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

/** What a cloud may do without; a rule that needs it does not apply there. */
export type Capability =
  /** Lists come in pages. */
  | 'paging'
  /** Each machine is ordered by itself, so that a growth may succeed in part. */
  | 'partial-growth'
  /** An order can be taken back before a machine stands for it. */
  | 'open-orders'
  /** A machine may be locked for a while. */
  | 'locks'
  /** Volumes hang on machines. */
  | 'volumes'
  /** The template knows how many volumes a machine takes. */
  | 'attach-limits'
  | 'prices'
  /** What is sold comes from a catalogue, and may be withdrawn. */
  | 'catalogue'
  /** The cloud says when to come back. */
  | 'retry-advice'
  /** The adapter repeats failed reads by itself. */
  | 'retries';

/** One promise of a provider. */
export interface ContractRule {
  readonly id: RuleId;
  /** What holds, in one sentence. */
  readonly sentence: string;
  /** The real fault that it prevents: a case (`U…`), or a defect of the Go provider (`hetzner B…`, `utho B…`). */
  readonly why: string;
  readonly mandatory: boolean;
  /** It needs no fault of a fake: it may run on a real account. */
  readonly liveSafe: boolean;
  /** Machines that it has at one time at the most: what a run on a real account costs. */
  readonly cost: number;
  /** The rules of the port that it stands for. */
  readonly port: readonly PortRuleId[];
  readonly needs?: readonly Capability[];
  /** Rejects when the rule is broken. */
  readonly check: (bench: Bench) => Promise<void>;
}

/** Rules on one matter. */
export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly ContractRule[];
}
