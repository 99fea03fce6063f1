export interface Candidate<Subject> {
  /** Whom the line is about. */
  readonly key: string;
  /** Why; the line is said again when this changes. */
  readonly cause: string;
  readonly subject: Subject;
}

/** 10,000 subjects are remembered; beyond that lines may repeat. The clusters aimed at have at most 5,000 nodes. */
const REMEMBERED_MAX = 10_000;

/** Picks, of the lines that hold now, those that did not hold in the last loop, up to a limit. */
export class ChangedLines {
  private known: ReadonlyMap<string, string> = new Map();

  constructor(private readonly linesMax: number) {}

  /** `omitted`: changed, and not among the lines. They count as said. */
  next<Subject>(candidates: readonly Candidate<Subject>[]): {
    readonly lines: readonly Subject[];
    readonly omitted: number;
  } {
    const changed = candidates.filter(({ key, cause }) => this.known.get(key) !== cause);
    this.known = new Map(candidates.slice(0, REMEMBERED_MAX).map(({ key, cause }) => [key, cause]));
    const lines = changed.slice(0, this.linesMax).map(({ subject }) => subject);
    return { lines, omitted: changed.length - lines.length };
  }
}
