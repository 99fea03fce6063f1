import type { TolerantWriter } from './refusals.js';

/** Lines of what was refused that a report shows. */
const LINES_MAX = 12;

/** Sums of a run: what was judged, and what was not. */
export class Score {
  scenarios = 0;
  /** Pods judged, each on all nodes of its cluster. */
  judgements = 0;
  /** Pods and nodes judged. */
  pairs = 0;
  /** Pods judged once more because the scheduler's caches were behind. */
  repeated = 0;
  /** By the scheduler's reason: on how many nodes, or for how many pods. */
  readonly reasons = new Map<string, number>();
  /** Differences by the exception that explains them. */
  readonly excused = new Map<string, number>();

  count(message: string, nodeCount: number): void {
    this.judgements++;
    this.pairs += nodeCount;
    for (const [reason, times] of reasonsIn(message)) add(this.reasons, reason, times);
  }

  excuse(exception: string): void {
    add(this.excused, exception, 1);
  }

  report({ written, objects, parts }: TolerantWriter): string {
    const { scenarios, judgements, pairs, repeated } = this;
    return [
      `${scenarios} scenarios, ${judgements} pods on ${pairs} nodes judged alike, ${repeated} judged again`,
      ...listed('reasons of the scheduler', this.reasons),
      ...listed('differences explained', this.excused),
      `${written} writes; what the API server refused was not compared:`,
      ...listed('whole objects refused', objects, LINES_MAX),
      ...listed('parts left out', parts, LINES_MAX),
    ].join('\n');
  }
}

/** `0/5 nodes are available: 2 Insufficient cpu, …` as reasons and numbers, without names. */
function reasonsIn(message: string): [string, number][] {
  const text = message.replace(/^0\/\d+ nodes are available: (.*)\.$/, '$1');
  return text.split(/, (?=\d+ )/).map((part) => {
    const [, times = '1', reason = part] = /^(\d+) (.*)$/.exec(part) ?? [];
    return [reason.replaceAll(/"[^"]*"/g, '"…"').replace(/^PVC .* \(/, 'PVC … ('), Number(times)];
  });
}

function add(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function listed(title: string, counts: ReadonlyMap<string, number>, linesMax = Infinity): string[] {
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  const total = sorted.reduce((sum, [, times]) => sum + times, 0);
  return [
    `${title}: ${total}`,
    ...sorted.slice(0, linesMax).map(([key, times]) => `${times.toString().padStart(8)}  ${key}`),
    ...(sorted.length > linesMax ? [`          … and ${sorted.length - linesMax} kinds more`] : []),
  ];
}
