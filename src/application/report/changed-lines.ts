export interface Candidate<Subject> {
  /** Whom the line is about. */
  readonly key: string;
  /** Why; the line is said again when this changes. Null: for the reason that was said last. */
  readonly cause: string | null;
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
    const { known } = this;
    const changed = candidates.filter(({ key, cause }) =>
      cause === null ? !known.has(key) : known.get(key) !== cause,
    );
    const remembered = candidates.slice(0, REMEMBERED_MAX);
    this.known = new Map(remembered.map(({ key, cause }) => [key, cause ?? known.get(key) ?? '']));
    const lines = changed.slice(0, this.linesMax).map(({ subject }) => subject);
    return { lines, omitted: changed.length - lines.length };
  }
}
